"""`/open`: a session of the application for a picture that the page has already."""

import json
from typing import Any

from bokeh.server.views.session_handler import SessionHandler

from app.server.headers import safe

APPLICATION = "/app"

REFUSED = "refused"
"""The variable of a document's template that says why there is no session"""


class OpenHandler(SessionHandler):
    """Answers with a token for the websocket as JSON, or with the reason why there is none."""

    def __init__(self, tornado_app: Any, *args: Any, **more: Any) -> None:
        context = tornado_app._applications[APPLICATION]
        super().__init__(tornado_app, *args, application_context=context, bokeh_websocket_path="", **more)

    def set_default_headers(self) -> None:
        safe(self)

    async def get(self) -> None:
        session: Any = await self.get_session()  # type: ignore[misc]
        told = session.document.template_variables
        answer = {"token": session.token, REFUSED: told.get(REFUSED, "")}
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(answer))
