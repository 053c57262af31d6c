"""One simulation, alone in the browser: `panel serve app/one.py --args degradation --depth 20`.

Options of the server, such as `--port 5007`, come before `--args`: Panel hands to this file whatever follows it.

Takes the same options as `python -m sims`. Meant for one's own machine: it does not apply the limits of the site.
"""

import sys
from pathlib import Path

# As in `app_hooks.py`: `panel serve` finds no package beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import panel as pn
from bokeh.io import curdoc

from app.standalone.cli_args import parse_simulation
from app.standalone.figure import Figure

try:
    simulation = parse_simulation(sys.argv[1:])
except ValueError as error:
    pn.pane.Str(str(error)).servable(title="Nothing is shown")
else:
    Figure(simulation, curdoc()).column.servable(title=simulation.title())
