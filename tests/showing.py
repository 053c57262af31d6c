"""Views for tests."""

from typing import Any, TypeVar

from app.views.base import View
from sims.contract.frame import Frame

AnyView = TypeVar("AnyView", bound=View[Any])


def showing(view: AnyView, frame: Frame) -> AnyView:
    """The view itself, once it has made its figures and shown the frame."""
    view.figures()
    view.update(frame)
    return view
