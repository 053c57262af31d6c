"""The directive that places a simulation in a page, and the roles that tie numbers in the text to it.

The markup is `templates/directives/simulation.html`. The page's scripts rely on:

- `figure.simulation#ID`, with `data-simulation` (the name) and `data-initial` (parameters set by the page, as JSON
  texts); the title is `.title`, the reserved box `.stage` with `data-state`, and in it `.stage-message`;
- `data-kernels`, where the compiled engines are, if the page can train the figure by itself;
- `data-covered`, the id of the prediction that is asked in the figure (`section.predict`, around the stage), and
  `data-hidden` until that is answered;
- `.progress` (hidden) with `progress`, `.count`, `.status`; `.live`, the describing sentence, and `.spoken`, the same
  for screen readers; `ul.notes`, and `.diverged`, hidden while empty;
- `[data-disclosure=network|data|seeds|cannot_show]`, the strip of what was computed;
- `button[data-do=share|reset|download|png|svg|present]` in `.actions`, of downloads with `data-format`, its name;
- `.next-link a`, a link to where the parameters lead; missing where they lead nowhere;
- `.listing code`, a file equivalent to the parameters, with `button[data-do=copy]`; missing without one;
- `details.table .rows`, `details.source a`, the address of the code, `details.command code`; `details.embedding div`,
  the code for other sites, with `data-embed` on the figure, the address of the page that holds only this figure, and
  `data-embed-height`, about its height there in pixels;
- `data-former`, what older links to it mean (`renames.py`); `data-parameters`, its parameters, if it is alone;
- `output[data-value="ID.result"]` in the text, and `.knob[data-knob="ID.parameter"]` with `data-value` and either
  `data-low`, `data-high`, `data-step` or `data-options` (pairs of value and label).
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import param
from markupsafe import Markup

from app.live.downloads import FORMATS
from app.pages.data.renames import RENAMES
from app.pages.data.result_names import result_names
from app.pages.document.figure_placement import FigurePlacement
from app.pages.document.page_context import PageContext
from app.pages.document.worksheet import FigureStill
from app.pages.files import assets, stills
from app.pages.files.sources import LISTING
from app.pages.text import located_yaml
from app.pages.text.listing import highlight
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill
from sims import registry
from sims.contract.parameters import allowed, control_names, examine, in_words, to_text, write
from sims.contract.simulation import Simulation, Training
from sims.contract.spelled import TextParameter
from sims.kept import browser_kernels

RESERVED = stills.sizes({390: stills.StillSize(1220, 150), 1280: stills.StillSize(680, 60)})
"""Space reserved for a figure without a still"""

KNOB_STEPS = 100
"""Number of steps of a continuous knob from its lowest to its highest value."""


def simulation(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The figure for a simulation. Raises ValueError or KeyError for unknown names and values.

    With `covered`, the id of a prediction above it, that is asked in the figure, whose results stay hidden until the
    reader has answered. A `title` replaces that of the simulation. With `full_width`, it carries its page: it is wider
    than the text, and its picture is higher. With `at_start`, it opens before the first step of its training.
    """
    kind = registry.find(argument)
    options = ("caption", "id", "title", "covered", "full_width", "at_start", *control_names(kind))
    data = located_yaml.fields(located_yaml.load(body, body.line) or {}, (), options)
    covered = str(data.get("covered", ""))
    if covered and covered not in context.predictions:
        known = ", ".join(context.predictions)
        raise ValueError(f"covered: expected a prediction above, among {known}, not {covered!r}")
    if covered in context.asked_in_figures:
        raise ValueError(f"covered: {covered!r} is asked in another figure already")
    full_width, at_start = (_yes_or_no(data, name) for name in ("full_width", "at_start"))
    if at_start and (not issubclass(kind, Training) or assets.trains_in_browser(argument)):
        raise ValueError("at_start: expected a training, and one that no browser computes")
    settings = {name: _value(kind, name, data[name]) for name in data if name in control_names(kind)}
    instance = kind(**settings)
    anchor = context.take_id(str(data.get("id", argument)))
    context.simulations[anchor] = instance
    texts = {name: to_text(value) for name, value in settings.items()}
    place = FigurePlacement(anchor, argument, texts, at_start)
    picture = place.key()
    context.places[picture] = place
    caption, title = data.get("caption"), str(data.get("title", kind.title()))
    earlier = RENAMES.of_figure(argument, anchor)
    still = stills.still(context.library.glossary_file.parent / "stills", context.slug, anchor)
    image = still.images.get("light") if still else None
    context.worksheet.append(FigureStill(anchor, title, image.wide if image else "", covered))
    figure = partial(
        fill,
        "directives/simulation",
        id=anchor,
        name=argument,
        title=title,
        about=kind.about(),
        initial=json.dumps(texts),
        picture=f"shelf/{picture}",
        kernels=f"kernels/{browser_kernels.key()}/" if assets.trains_in_browser(argument) else "",
        former=json.dumps(earlier) if earlier else "",
        embed_height=stills.fitting(still, stills.FRAME),
        embed=context.library.embeds.get((context.slug, anchor), ""),
        parameters=" ".join(control_names(kind)),
        stills=still.images if still else {},
        unanswered=still.unanswered if still else {},
        training=issubclass(kind, Training),
        full_width=full_width,
        formats=FORMATS,
        caption=context.blocks(caption, body.line) if caption else "",
        disclosure=instance.disclosure(),
        listing=highlight(instance.listing()),
        repeats=kind.listing_repeats,
        configurable=kind.configuration is not Simulation.configuration,
        folded=issubclass(kind, Training),
        next_link=instance.next_link(),
        code=f"{LISTING}{argument}",
        file=f"{kind.__module__.replace('.', '/')}.py",
        command=command(argument, instance),
    )
    context.alone[anchor] = figure(
        alone=True, level=1, covered="", question=None, sizes=still.embed if still else RESERVED
    )
    if covered:
        context.asked_in_figures.add(covered)
    question = context.predictions.get(covered)
    return figure(
        alone=False,
        level=3 if context.sections else 2,
        covered=covered,
        question=question,
        sizes=still.page if still else RESERVED,
    )


def _yes_or_no(data: Mapping[str, Any], name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise ValueError(f"{name}: expected yes or no, not {value!r}")
    return value


def _value(kind: type[Simulation], name: str, raw: Any) -> Any:
    # YAML reads the text of one number as a number.
    textual = isinstance(raw, LocatedStr) or (isinstance(kind.param[name], TextParameter) and isinstance(raw, int))
    admitted = examine(kind.param[name], str(raw) if textual else raw)
    if admitted.complaint:
        raise ValueError(f"{name}: {admitted.complaint}; it takes {allowed(kind.param[name])}")
    return admitted.value


def command(name: str, instance: Simulation) -> str:
    """The command line that computes what the page shows first."""
    words = (f"--{key.replace('_', '-')} {text}" for key, text in write(instance).items())
    return " ".join(["python -m sims", name, *words])


def _bound(context: PageContext, content: LocatedStr) -> tuple[Simulation, str, str]:
    anchor, _dot, name = content.strip().partition(".")
    if anchor not in context.simulations:
        names = ", ".join(context.simulations) or "none"
        raise ValueError(f"{content!r} belongs to no simulation of this page; there are: {names}")
    return context.simulations[anchor], anchor, name


def value(context: PageContext, content: LocatedStr) -> Markup:
    """A result of a simulation on this page, which changes while the simulation runs."""

    def render() -> Markup:
        instance, anchor, name = _bound(context, content)
        names = result_names(type(instance))
        if name not in names:
            raise ValueError(f"{content!r}: there is no result {name!r}; there are: {', '.join(names) or 'none'}")
        return Markup('<output class="value" data-value="{}.{}">…</output>').format(anchor, name)

    return context.defer(render, content.line)


def knob(context: PageContext, content: LocatedStr) -> Markup:
    """A parameter of a simulation on this page, as a number that can be dragged."""

    def render() -> Markup:
        instance, anchor, name = _bound(context, content)
        if name not in control_names(type(instance)):
            raise ValueError(f"{content!r}: there is no parameter {name!r}")
        parameter, now = instance.param[name], getattr(instance, name)
        if isinstance(parameter, TextParameter):
            raise ValueError(f"{content!r}: a text cannot be dragged")
        scale = _scale(parameter)
        options: Mapping[str, str] = dict(json.loads(scale.get("options", "[]")))
        return fill(
            "directives/knob",
            knob=f"{anchor}.{name}",
            label=parameter.label,
            value=to_text(now),
            shown=options[to_text(now)] if options else in_words(now),
            scale=scale,
        )

    return context.defer(render, content.line)


def _scale(parameter: param.Parameter) -> dict[str, str]:
    """The range of values of a knob, as data attributes."""
    if isinstance(parameter, param.Boolean):
        return {"options": json.dumps([["no", "off"], ["yes", "on"]])}
    if isinstance(parameter, param.Selector):
        names = dict(parameter.names or {in_words(choice): choice for choice in parameter.objects})
        return {"options": json.dumps([[to_text(option), label] for label, option in names.items()])}
    low, high = parameter.bounds
    step = parameter.step or (1 if isinstance(parameter, param.Integer) else (high - low) / KNOB_STEPS)
    return {"low": f"{low:g}", "high": f"{high:g}", "step": f"{step:g}"}
