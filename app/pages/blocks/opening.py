"""Two lines of text that type themselves: what two language models wrote at the recorded moments of a kept run.

    :::{opening} language
    A sentence of Markdown above them.
    :::

The texts come from the simulation's run with its own settings; the page's script shows them one moment after another.
"""

import json

from markupsafe import Markup

from app.pages.document.page_context import PageContext
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill
from sims import registry
from sims.kept import results

NETWORKS = {"with": ("residual", "with plus signs"), "without": ("plain", "without")}
"""Kind of a model → what decides its color, and its name"""


def opening(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """The two lines, filled with the last moment for readers without scripts. Raises ValueError where a simulation has
    no texts."""
    simulation = registry.find(argument)
    if "moment" not in simulation.param:
        raise ValueError(f"{argument} writes no texts")
    frame = results.kept(simulation()) or results.finished(simulation())
    read = [simulation(moment=moment).reread(frame).results for moment in range(simulation.param.moment.default + 1)]
    moments = [
        {"step": reading["read_at"], **{kind: " ".join(str(reading[f"{kind}_text"]).split()) for kind in NETWORKS}}
        for reading in read
    ]
    return fill(
        "directives/opening",
        words=context.blocks(body, body.line),
        networks=NETWORKS,
        prompt=simulation.param.prompt.default.strip(),
        moments=json.dumps(moments),
        last=moments[-1],
    )
