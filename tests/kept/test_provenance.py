"""The version of a result changes with what can move a number, and with nothing else."""

import re
import shutil
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

import pytest

from sims.kept import provenance
from sims.kept.provenance import REST, Provenance, version
from sims.paths import ROOT
from tests.tiers import first

TRAINED = ("sims.simulations.depth.degradation", "training_error")
FAILED = ("sims.simulations.depth.failures", "training_error")
ALGEBRA = ("sims.numbers.worked_examples.worked", "batch_norm_gain")
EXAMPLES = (
    TRAINED,
    FAILED,
    ALGEBRA,
    ("sims.simulations.loss_surfaces.landscape", "Landscape"),
    ("sims.numbers.networks.race", "finishers"),
)
DEPEND_ON_ENGINE = set(EXAMPLES) - {ALGEBRA}

Definition = tuple[str, str]


class Copy:
    """A copy of `sims` that a test may change."""

    def __init__(self, root: Path) -> None:
        self.sims = root / "sims"
        shutil.copytree(ROOT / "sims", self.sims, ignore=shutil.ignore_patterns("__pycache__"))

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.sims / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file}: {text.count(old)} times {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    @cached_property
    def changed(self) -> Provenance:
        """The versions of the copy, which a test reads after its changes."""
        return Provenance(self.sims.parent)

    def stale(self, *texts: str) -> set[Definition]:
        """The examples whose versions differ from those of the code that is running, with these texts as arguments."""
        all_texts = frozenset(texts)
        return {
            example
            for example in EXAMPLES
            if self.changed.version(example, texts=all_texts) != version(*example, texts=all_texts)
        }


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_what_is_named_is_reached_through_packages_and_methods() -> None:
    reached = provenance.here().reached(*TRAINED)
    assert {
        ("sims.simulations.depth.degradation", "Degradation", "advance"),
        ("sims.engines.perceptrons.engine", "advance", ""),
        ("sims.engines.perceptrons.kernels.backward", "backward", ""),
        ("sims.engines.kernels.activations", REST, ""),
        ("sims.data.datasets", "Source", ""),
    } <= reached
    modules = {module for module, _name, _member in reached}
    assert not [module for module in modules if module.startswith(("sims.kept", "sims.registry", "sims.pytorch"))]
    assert ("sims.simulations.depth.degradation", "Degradation", "describe") not in reached
    assert {module for module, _name, _member in provenance.here().reached(*ALGEBRA)} == {
        "sims.numbers.worked_examples.worked"
    }


def test_a_version_is_short_and_stable(copy: Copy) -> None:
    assert len(version(*TRAINED)) == 12
    assert copy.stale() == set()
    with pytest.raises(KeyError, match="defines no nothing"):
        version("sims.simulations.depth.degradation", "nothing")


PRESENTATION = {
    "the label of a quantity": ("contract/bands.py", "{label}, median of the seeds", "{label}, the median"),
    "the label of a curve": ("instruments/training/curves.py", '"training loss"', '"loss in training"'),
    "what happened to a run that overflowed": (
        "instruments/training/divergence.py",
        "of the {label} network (",
        "of this {label} network (",
    ),
    "advice to readers": ("instruments/training/divergence.py", "Each step of", "Every step of"),
    "the label of a shared slider": (
        "contract/usual_parameters.py",
        'bounds=(0, 9_999), label="',
        'bounds=(0, 9_999), label="Not ',
    ),
    "the label of another, passed by position": (
        "contract/usual_parameters.py",
        '_choice(OPTIMIZERS, values, default, "',
        '_choice(OPTIMIZERS, values, default, "Not ',
    ),
    "the label of a slider of one simulation": (
        "simulations/depth/degradation.py",
        'label="Depth"',
        'label="How deep"',
    ),
    "where a slider is": (
        "contract/usual_parameters.py",
        'doc="steps of a run", precedence=1',
        'doc="steps of a run", precedence=2',
    ),
    "a new way to export": (
        "contract/frame.py",
        "    def json(self, about",
        "    def tsv(self) -> str:\n        return self.csv()\n\n    def json(self, about",
    ),
    "a new hook of all simulations": (
        "contract/simulation.py",
        "    def next_link(self)",
        "    def badge(self) -> str:\n        return self.title()\n\n    def next_link(self)",
    ),
    "words of a simulation": (
        "simulations/depth/degradation.py",
        "def disclosure(self) -> Disclosure:\n",
        "def disclosure(self) -> Disclosure:\n        1 + 1\n",
    ),
    "the words of an exception": (
        "engines/language/architecture.py",
        "only an additive skip has a norm after its sum",
        "a norm after the sum needs an additive skip",
    ),
    "a sentence about data": (
        "data/datasets.py",
        "{points} points on two interleaved spiral arms of",
        "{points} points, in two interleaved arms of",
    ),
    "a docstring": ("simulations/depth/degradation.py", '"""Degradation: ', '"""Another docstring: '),
    "an annotation": (
        "engines/state.py",
        "(seeds: int, layers: int, positions: int)",
        "(seeds, layers, positions: object)",
    ),
    "the names of local variables": (
        "engines/segment.py",
        """    last, interval = state.step + steps, state.recipe.record_every
    while state.step < last:
        state = advance(state, min(interval - state.step % interval, last - state.step))
""",
        """    end, period = state.step + steps, state.recipe.record_every
    while state.step < end:
        state = advance(state, min(period - state.step % period, end - state.step))
""",
    ),
}


@pytest.mark.parametrize("change", first(5, PRESENTATION))
def test_what_only_people_see_makes_nothing_stale(copy: Copy, change: str) -> None:
    copy.edit(*PRESENTATION[change])
    assert copy.stale() == set()


def test_comments_and_layout_make_nothing_stale(copy: Copy) -> None:
    for path in copy.sims.rglob("*.py"):
        path.write_text(f"# A comment.\n\n{path.read_text(encoding='utf-8')}\n\n# The end.\n", encoding="utf-8")
    assert copy.stale() == set()


def test_a_moved_file_makes_nothing_stale(copy: Copy) -> None:
    (copy.sims / "engines/segment.py").rename(copy.sims / "engines/segments.py")
    for path in copy.sims.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("sims.engines.segment import", "sims.engines.segments import")
        path.write_text(
            text.replace("from sims.engines import segment\n", "from sims.engines import segments as segment\n"),
            encoding="utf-8",
        )
    assert not (copy.sims / "engines/segment.py").exists()
    assert copy.stale() == set()


def test_a_renamed_function_makes_nothing_stale(copy: Copy) -> None:
    for file in ("engines/state.py", "engines/segment.py"):
        path = copy.sims / file
        text = path.read_text(encoding="utf-8")
        assert "blank" in text
        path.write_text(re.sub(r"\bblank\b", "empty_record", text), encoding="utf-8")
    assert copy.stale() == set()


MOVING = {
    "a constant": (
        ("instruments/gradients/gradient_ratio.py", "LEVEL = (0.1, 10.0)", "LEVEL = (0.2, 10.0)"),
        {FAILED, ("sims.numbers.networks.race", "finishers")},
    ),
    "an operator": (
        ("instruments/gradients/gradient_ratio.py", '"fading" if ratio < LEVEL[0]', '"fading" if ratio <= LEVEL[0]'),
        {("sims.numbers.networks.race", "finishers")},
    ),
    "an entry of a table": (("engines/segment.py", '"adam": ADAM', '"adam": MOMENTUM'), DEPEND_ON_ENGINE),
    "a default": (
        ("simulations/depth/degradation.py", "depth = param.Integer(20,", "depth = param.Integer(22,"),
        {TRAINED},
    ),
    "a kernel": (
        (
            "engines/kernels/losses.py",
            "def _cross_entropy(outputs: Array, labels: Array, differentiates: bool) -> float:\n",
            "def _cross_entropy(outputs: Array, labels: Array, differentiates: bool) -> float:\n    outputs += 0\n",
        ),
        DEPEND_ON_ENGINE,
    ),
    "what only a decorator files": (
        (
            "engines/kernels/activations.py",
            "def _tanh(x: Any) -> Callable[[Any], Any]:\n",
            "def _tanh(x: Any) -> Callable[[Any], Any]:\n    assert x\n",
        ),
        DEPEND_ON_ENGINE,
    ),
    "how a run goes on": (
        ("comparisons/contender.py", "dispatch.advance(self.run, steps)", "dispatch.advance(self.run, steps + 0)"),
        {("sims.numbers.networks.race", "finishers")},
    ),
}


@pytest.mark.parametrize("change", MOVING)
def test_what_can_move_a_number_makes_stale_exactly_what_depends_on_it(copy: Copy, change: str) -> None:
    edit, dependents = MOVING[change]
    copy.edit(*edit)
    assert copy.stale() == dependents


OPTIMIZER = (
    ("engines/recipe.py", "Optimizer = Literal[", 'Optimizer = Literal["imagined", '),
    ("engines/kernels/optimizers.py", "SGD, ", "IMAGINED = 99\nSGD, "),
    (
        "engines/kernels/optimizers.py",
        "    if optimizer == SGD:\n",
        "    if optimizer == IMAGINED:\n        first += 1\n    elif optimizer == SGD:\n",
    ),
    (
        "engines/segment.py",
        "from sims.engines.kernels.optimizers import ",
        "from sims.engines.kernels.optimizers import IMAGINED, ",
    ),
    ("engines/segment.py", "OPTIMIZERS = {", 'OPTIMIZERS = {"imagined": IMAGINED, '),
    ("engines/segment.py", "MOMENTS = {", 'MOMENTS = {"imagined": (0, 1), '),
    ("contract/usual_parameters.py", "OPTIMIZERS = {", 'OPTIMIZERS = {"imagined": "Imagined", '),
)
DATASET = (
    ("data/datasets.py", "def own(points", "def stripes() -> Dataset:\n    return xor(noise=0.0)\n\n\ndef own(points"),
    ("data/datasets.py", '    "own": own,\n', '    "own": own,\n    "stripes": stripes,\n'),
)


def test_a_new_optimizer_makes_only_numbers_stale_that_use_it(copy: Copy) -> None:
    for edit in OPTIMIZER:
        copy.edit(*edit)
    assert copy.stale() == set()
    assert copy.stale("imagined") == DEPEND_ON_ENGINE


def test_a_new_dataset_makes_only_numbers_stale_that_use_it(copy: Copy) -> None:
    for edit in DATASET:
        copy.edit(*edit)
    assert copy.stale() == set()
    assert TRAINED in copy.stale("stripes")


def test_a_change_of_one_optimizer_makes_only_its_results_stale(copy: Copy) -> None:
    moment = "moment = dtype({}) * first[i] + gradient[i]"
    copy.edit("engines/kernels/optimizers.py", moment.format(0.9), moment.format(0.8))
    assert copy.stale() == set()
    assert copy.stale("momentum") == DEPEND_ON_ENGINE


def test_compiled_code_counts_for_every_choice(copy: Copy) -> None:
    """A kernel that is compiled once can be called with any optimizer."""
    kernel = ("sims.engines.perceptrons.kernels.steps", "run")
    for edit in OPTIMIZER:
        copy.edit(*edit)
    assert copy.changed.version(kernel, everything=True) != version(*kernel, everything=True)


def test_data_belongs_to_what_names_it(copy: Copy) -> None:
    files = copy.sims / "data" / "files"
    with (files / "published.toml").open("a") as file:
        file.write("# more\n")
    assert copy.stale() == set()
    del copy.changed
    with (files / "digits.npz").open("ab") as file:
        file.write(b"more")
    assert TRAINED in copy.stale("digits")
    assert TRAINED not in copy.stale("teacher")
    assert ALGEBRA not in copy.stale("digits")


def test_what_was_added_from_elsewhere_has_a_version_too() -> None:
    assert len(version(__name__, "Copy")) == 12


# Small trees, where every rule can be seen.

Trees = Callable[..., str]


@pytest.fixture
def tree(tmp_path: Path) -> Trees:
    """The version of `result` in the module `sims.main`, given as text, with other modules beside it; `texts` are the
    arguments of `result`, if they are known."""

    def code_version(main: str, words: bool = False, texts: Iterable[str] | None = None, **modules: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        (folder / "sims").mkdir(parents=True)
        for name, text in {"__init__": "", "main": main, **modules}.items():
            (folder / "sims" / f"{name}.py").write_text(text, encoding="utf-8")
        all_texts = None if texts is None else frozenset(texts)
        return Provenance(folder, words=words).version(("sims.main", "result"), texts=all_texts)

    return code_version


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("def result(x): y = x; return y", "def result(x): z = x; return z", id="a local variable"),
        pytest.param(
            "def result(x): return [y for y in x if y]", "def result(x): return [z for z in x if z]", id="a loop"
        ),
        pytest.param(
            "def result(x):\n def inner(): return x\n return inner()",
            "def result(x):\n def nested(): return x\n return nested()",
            id="an inner function",
        ),
        pytest.param("A = 1\ndef result(): return A", "B = 1\ndef result(): return B", id="a constant"),
        pytest.param(
            "import math\ndef result(): return math.pi", "from math import pi\ndef result(): return pi", id="an import"
        ),
        pytest.param(
            "def result(x: int) -> int:\n total: int = x\n return total",
            "def result(x):\n total = x\n return total",
            id="annotations",
        ),
        pytest.param(
            "class A:\n def f(self): return 1\n def g(self): return 2\ndef result(): return A().f()",
            "class A:\n def f(self): return 1\n def g(self): return 3\ndef result(): return A().f()",
            id="a method that nothing calls",
        ),
        pytest.param(
            "if __name__ == '__main__': print(1)\ndef result(): return 1", "def result(): return 1", id="a main part"
        ),
    ],
)
def test_the_same_results_have_the_same_version(tree: Trees, one: str, other: str) -> None:
    assert tree(one) == tree(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("def result(x, y): return x - y", "def result(x, y): return y - x", id="parameters exchanged"),
        pytest.param(
            "def result():\n a, b = 1, 2\n return a - b",
            "def result():\n b, a = 1, 2\n return a - b",
            id="local variables exchanged",
        ),
        pytest.param(
            "A, B = 1, 2\ndef result(): return A", "B, A = 1, 2\ndef result(): return A", id="constants exchanged"
        ),
        pytest.param(
            "x = y = 1\ndef result():\n def f(): x = 2; return x\n return x",
            "x = y = 1\ndef result():\n def f(): x = 2; return x\n return f()",
            id="a global or a local one",
        ),
        pytest.param("def result(): return 1", "def result(): return 1.0", id="an integer or a float"),
        pytest.param("def result(): return 1", "def result(): return True", id="a number or a truth"),
        pytest.param(
            "class A:\n def __neg__(self): return 1\ndef result(): return -A()",
            "class A:\n def __neg__(self): return 2\ndef result(): return -A()",
            id="what Python itself calls",
        ),
        pytest.param(
            "from dataclasses import dataclass\n@dataclass\nclass A:\n x: int = 1\ndef result(): return A()",
            "from dataclasses import dataclass\n@dataclass\nclass A:\n x = 1\ndef result(): return A()",
            id="a field or not",
        ),
        pytest.param(
            "from torch import nn\nclass A(nn.Module):\n def forward(self, x): return x\ndef result(): return A()(1)",
            "from torch import nn\nclass A(nn.Module):\n def forward(self, x): return -x\ndef result(): return A()(1)",
            id="a method that another library calls",
        ),
        pytest.param(
            "T = {}\nT['a'] = 1\ndef result(): return T", "T = {}\nT['a'] = 2\ndef result(): return T", id="a table"
        ),
    ],
)
def test_other_results_have_another_version(tree: Trees, one: str, other: str) -> None:
    assert tree(one) != tree(other)


BY_NAME = {
    "a literal": ("getattr(A(), 'gain_low')", ""),
    "a format": ("getattr(A(), f'gain_{kind}')", ""),
    "a sum": ("getattr(A(), 'gain_' + kind)", ""),
    "a template": ("getattr(A(), 'gain_{}'.format(kind))", ""),
    "a percent sign": ("getattr(A(), 'gain_%s' % kind)", ""),
    "a name from elsewhere": ("getattr(A(), NAMES[kind])", "NAMES = {'low': 'gain_low'}\n"),
    "texts that are joined": ("getattr(A(), '_'.join(['gain', kind]))", ""),
    "a name made elsewhere": ("getattr(A(), named(kind))", "def named(kind): return f'gain_{kind}'\n"),
    "of itself": ("A().read(kind)", ""),
}


@pytest.mark.parametrize("way", BY_NAME)
def test_a_method_called_by_a_name_put_together_at_run_time_is_noticed(tree: Trees, way: str) -> None:
    expression, before = BY_NAME[way]

    def text(gain: int, other: int) -> str:
        methods = [
            "def read(self, kind): return getattr(self, f'{self.what}_{kind}')()",
            "what = 'gain'",
            f"def gain_low(self): return {gain}",
            f"def other(self): return {other}",
        ]
        return "\n ".join([f"{before}class A:", *methods]) + f"\ndef result(kind): return {expression}\n"

    assert tree(text(1, 1), texts=["low"]) != tree(text(2, 1), texts=["low"])
    if way != "texts that are joined":  # could be any name
        assert tree(text(1, 1), texts=["low"]) == tree(text(1, 2), texts=["low"])


def test_a_text_in_the_arguments_can_name_a_method(tree: Trees) -> None:
    def text(gain: int) -> str:
        return f"class A:\n def gain(self): return {gain}\ndef result(kind): return getattr(A(), kind)()\n"

    assert tree(text(1), texts=["gain"]) != tree(text(2), texts=["gain"])
    assert tree(text(1), texts=["loss"]) == tree(text(2), texts=["loss"])


RECORD = "from dataclasses import dataclass\n@dataclass\nclass A:\n value: int\n label: str\n"


@pytest.mark.parametrize(
    ("code", "is_left_out"),
    [
        ("def result(): return A(1, 'one')", True),
        ("def result(): return A(1, label=f'one {2}')", True),
        ("def made(value, label): return A(value, label + '.')\ndef result(): return made(1, 'one')", True),
        ("def result():\n words = 'one'\n return A(1, words)", True),
        ("def result():\n words, value = 'one', 1\n return A(value, words)", True),
        ("def result():\n for value, words in ((1, 'one'), (2, 'two')): yield A(value, words)", True),
        ("def result(): return A(1, 'one').label", False),
        ("def made(value, label): return len(label)\ndef result(): return made(1, 'one')", False),
        ("def result():\n words = 'one'\n return A(1, words), words", False),
        ("def result():\n for value, words in ((1, 'one'), (2, 'two')): yield A(value, words), words", False),
    ],
)
def test_words_for_readers_count_only_where_they_are_read(tree: Trees, code: str, is_left_out: bool) -> None:
    assert (tree(RECORD + code) == tree(RECORD + code.replace("'one", "'uno"))) == is_left_out


def test_a_local_variable_called_sentence_counts_if_something_reads_it(tree: Trees) -> None:
    assert tree("def result():\n sentence = 'one'\n return sentence") != tree(
        "def result():\n sentence = 'two'\n return sentence"
    )


def test_members_with_the_names_of_those_that_present_count_in_other_classes(tree: Trees) -> None:
    assert tree("class A:\n def title(self): return 1\ndef result(): return A().title()") != tree(
        "class A:\n def title(self): return 2\ndef result(): return A().title()"
    )


USES_ALL, USES_ONE, USES_NONE = "all entries", "the entry that is looked up", "no entry"

TABLES = {
    "iterated": ("[TABLE[key] for key in TABLE]", USES_ALL),
    "passed on": ("dict(TABLE)", USES_ALL),
    "its values": ("TABLE.values()", USES_ALL),
    "a key": ("TABLE['low']", USES_ONE),
    "a key, if it is there": ("TABLE.get('low', 0)", USES_ONE),
    "a key from elsewhere": ("TABLE[NAME]", USES_ONE),
    "a composed key": ("TABLE[f'{kind}ow']", USES_ONE),
    "a key as a keyword": ("[TABLE[key] for key in dict(low=1)]", USES_ONE),
    "a key as the name of a parameter": ("(lambda low: [TABLE[key] for key in locals()])(1)", USES_ONE),
    "an unknown key": ("TABLE[kind]", USES_NONE),
    "whether it has a key": ("kind in TABLE", USES_NONE),
}


@pytest.mark.parametrize("way", TABLES)
def test_entries_of_a_table_count_if_they_are_looked_up(tree: Trees, way: str) -> None:
    expression, uses = TABLES[way]

    def code_version(low: int, other: int, *texts: str) -> str:
        table = f"NAME = 'low'\nTABLE = {{'low': {low}, 'other': {other}}}\n"
        return tree(f"{table}def result(kind): return {expression}\n", texts=texts)

    assert (code_version(1, 1) != code_version(2, 1)) == (uses in (USES_ALL, USES_ONE))
    assert (code_version(1, 1) != code_version(1, 2)) == (uses == USES_ALL)
    if uses == USES_NONE:
        assert code_version(1, 1, "low") != code_version(2, 1, "low")


BRANCHES = """LOW, HIGH, OTHER = 0, 1, 2
LEVELS = {{"low": LOW, "high": HIGH}}
def chosen(level):
    if level == LOW:
        return {low}
    elif level == HIGH:
        return {high}
    if level == OTHER:
        return {other}
    return {rest}
def result(level): return chosen({level})
"""


def test_a_branch_counts_if_its_constant_is_mentioned(tree: Trees) -> None:
    values = {"low": 1, "high": 1, "other": 1, "rest": 1}

    def stale(level: str, *texts: str) -> set[str]:
        before = tree(BRANCHES.format(level=level, **values), texts=texts)
        return {
            name for name in values if tree(BRANCHES.format(level=level, **{**values, name: 2}), texts=texts) != before
        }

    always = {"other", "rest"}  # no table names OTHER, so a level of 2 may come from anywhere
    assert stale("LEVELS[level]") == always
    assert stale("LEVELS[level]", "low") == always | {"low"}
    assert stale("LEVELS['high']") == always | {"high"}
    assert stale("HIGH") == always | {"high"}
    assert stale("max(LEVELS.values())") == always | {"low", "high"}


def test_options_of_a_parameter_count_unless_the_arguments_are_known(tree: Trees) -> None:
    text = """import param
class Simulation(param.Parameterized):
    depth = param.Selector(default={}, objects={})
    def compute(self): return self.depth
result = Simulation
"""
    fewer, more, deeper = text.format(1, [1, 2]), text.format(1, [1, 2, 3]), text.format(2, [1, 2])
    assert tree(fewer) != tree(more)
    assert tree(fewer, texts=[]) == tree(more, texts=[])
    assert tree(fewer, texts=[]) != tree(deeper, texts=[])


def test_a_twin_with_other_references_is_another(tree: Trees) -> None:
    """Both modules are reached either way, and the two functions read the same: only what they refer to differs."""
    modules = {
        "one": "LEVEL = 1\ndef level(): return LEVEL\n",
        "other": "LEVEL = 2\ndef level(): return LEVEL\n",
    }
    text = "from sims import one, other\ndef first(): return {}.level()\ndef second(): return {}.level()\n"
    text += "def result(): return first() - second()\n"
    assert tree(text.format("one", "other"), **modules) != tree(text.format("other", "one"), **modules)


@pytest.mark.parametrize("name", ["level", "moved"])
def test_a_module_that_is_passed_on_counts_with_what_is_read_from_it(tree: Trees, name: str) -> None:
    """`moved` is a name that the module imports from another one."""
    main = f"from sims import one\ndef read(module): return module.{name}()\ndef result(): return read(one)\n"

    def code_version(level: int, moved: int, other: int) -> str:
        one = f"from sims.two import moved\ndef level(): return {level}\ndef other(): return {other}\n"
        return tree(main, one=one, two=f"def moved(): return {moved}\n")

    assert (code_version(1, 1, 1) != code_version(2, 1, 1)) == (name == "level")
    assert (code_version(1, 1, 1) != code_version(1, 2, 1)) == (name == "moved")
    assert code_version(1, 1, 1) == code_version(1, 1, 2)


def test_a_name_that_a_module_imports_when_it_is_used_is_followed(tree: Trees) -> None:
    main = "from sims.late import level\ndef result(): return level()\n"
    imports = " from sims.one import level\n"
    late = f"if TYPE_CHECKING:\n{imports}def __getattr__(name):\n{imports} return level\n"
    first, second = (tree(main, late=late, one=f"def level(): return {value}\n") for value in (1, 2))
    assert first != second


DECLARED = """import param
def choice(default, label, doc): return param.Selector(default=default, objects={{"{option}": 1}}, label=label, doc=doc)
class Simulation(param.Parameterized):
    depth = param.Integer({default}, label="{label}", doc="how deep")
    norm = choice({default}, "{label}", doc="which norm")
    def compute(self): return self.depth
    def describe(self): return "{label}"
result = Simulation
"""


def test_labels_count_for_pictures_and_not_for_numbers(tree: Trees) -> None:
    plain, labeled, deeper = (
        DECLARED.format(default=default, label=label, option=label)
        for default, label in ((1, "Depth"), (1, "How deep"), (2, "Depth"))
    )
    assert tree(plain) == tree(labeled)
    assert tree(plain) != tree(deeper)
    assert tree(plain, words=True) != tree(labeled, words=True)


def test_a_keyword_called_label_counts_where_no_parameter_is_declared(tree: Trees) -> None:
    text = "def loss(x, label): return x - label\ndef result(x): return loss(x, label={})\n"
    assert tree(text.format(1)) != tree(text.format(2))
