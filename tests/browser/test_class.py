"""A whole lesson: a teacher's projector and a few students in browsers, the other phones by the protocol of the pages.

They go through the plan of twenty minutes, link by link, and take the concept inventory before and after. All of them
have one address, as in a school, and one of them is up to no good.
"""

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.server.classroom.room_inventory import Items, Round, items
from tests.browser.classroom import close_room, code, commit, joined, prediction, press, take
from tests.browser.conftest import Enter
from tests.browser.phones import Phone, Phones
from tests.browser.reader import unseen
from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE, Server

PLAN = [
    "degradation#a-bet-on-depth",
    "degradation#p-curve",
    "degradation?degradation.depth=56&v=2#degradation",
    "degradation#p-insert",
    "shortcut#p-branch",
    "degradation#q1",
]
"""Where the plan of twenty minutes brings the class; the test fails when it changes"""

QUICK = {"depth": "12", "width": "16", "seeds": "1", "training_steps": "200"}
"""Instead of the network of the plan: phones train it in a second"""

TRAINED_HERE = 7
"""One phone of so many asks the server for the results. The others would train by themselves, as it is busy."""

CLASS, STUDENTS = 30, 2
"""Members of the room, and those of them who have a browser"""

SCHOOL = "198.51.100.7"
NAME = "Mallory"
"""What one of them would like to be called"""

HEADERS = {"X-Forwarded-For": SCHOOL, "User-Agent": f"{NAME}’s phone".encode().decode("latin-1")}

CURVE, COPY, BRANCH = "p-curve", "p-insert", "p-branch"
POINTS = 5
BOARD = ".drawing-board"
"""Of the curve: it is in the prediction first, and then on the figure"""


class Class:
    """Everybody in a room: its teacher, students with browsers, and phones."""

    def __init__(self, teacher: Page, students: Sequence[Page], phones: Phones) -> None:
        self.teacher, self.students, self.phones = teacher, students, phones
        self.size = len(students) + len(phones.all)

    def bring(self, place: str) -> None:
        """The teacher opens a link of the plan, and everybody goes there."""
        self.teacher.goto(place)
        if "#" in place:
            expect(self.teacher.locator(f"[id='{place.rpartition('#')[2]}']")).to_be_in_viewport()
        # With a key, for which the page does not move: a click by a script makes it move.
        self.teacher.locator(".room-bar").get_by_role("button", name="Bring the class here").press("Enter")
        for student in self.students:
            expect(student).to_have_url(re.compile(f"/{re.escape(place)}$"))
            expect(student.locator("html[data-alive]")).to_be_attached()
        self.phones.gather(lambda phone: phone.until(lambda member: member.place == place))

    def answer(self, name: str, page: str, answers: Mapping[Phone, Any]) -> None:
        """The phones answer, and the teacher sees that all have, and nothing else."""

        self.phones.gather(lambda phone: phone.insist("answer", page=page, exercise=name, answer=answers[phone]))
        counts = prediction(self.teacher, name).locator(".counts")
        # A tab that was closed without a word is there for another minute.
        expect(counts).to_have_text(re.compile(rf"^{self.size} of ({self.size}|{self.size + 1}) have answered\.$"))
        expect(prediction(self.teacher, name).locator(".distribution > *")).to_have_count(0)
        self.phones.gather(lambda phone: phone.until(lambda member: question(member, name)["count"] == self.size))
        assert all(question(phone, name)["answers"] is None for phone in self.phones.all)

    def choose(self, name: str, page: str, options: int) -> list[str]:
        """Everybody chooses one of the options; returns what the teacher has to see."""
        chosen = {phone: 1 + index % options for index, phone in enumerate(self.phones.all)}
        for student in self.students:
            prediction(student, name).get_by_role("radio").nth(1).check()
            commit(student, name)
        self.answer(name, page, chosen)
        counts = Counter([*chosen.values(), *(2 for _ in self.students)])
        return [str(counts[option]) for option in range(1, options + 1)]

    def reveal(self, name: str, counts: Sequence[str], right: int) -> None:
        """The teacher shows the answers and then the result; everybody sees the same counts."""
        press(self.teacher, name, "Show the answers")
        for page in (self.teacher, *self.students):
            expect(prediction(page, name).locator(".tally .figures")).to_have_text(list(counts))
        press(self.teacher, name, "Show the result")
        marked = [f"{count} ✓" if option == right else count for option, count in enumerate(counts, 1)]
        for page in (self.teacher, *self.students):
            expect(prediction(page, name).locator(".tally .figures")).to_have_text(marked)
            expect(prediction(page, name).locator(".because")).to_be_visible()
        self.phones.gather(lambda phone: phone.until(lambda member: question(member, name)["stage"] == 2))


def draw(page: Page) -> None:
    """Draw a curve with keys: again, if the board was moving onto its figure meanwhile."""
    ready = prediction(page, CURVE).get_by_role("button", name="This is my prediction")
    for _attempt in range(3):
        if ready.is_disabled():
            for handle in page.locator(BOARD).get_by_role("slider").all():
                handle.press("PageUp")
    ready.click()


def question(phone: Phone, name: str) -> dict[str, Any]:
    return dict(phone.news.get("questions", {}).get(name, {"count": 0, "stage": 0, "answers": None}))


async def misbehave(phone: Phone) -> None:
    """One member tries everything that a member must not do; all of it is refused."""
    at = {"page": "degradation", "exercise": COPY}
    attempts: list[tuple[str, dict[str, Any]]] = [
        ("show", {**at, "stage": "result"}),
        ("close", {}),
        ("table", {}),
        ("call", {"place": "arena"}),
        *[("answer", {**at, "answer": answer}) for answer in (0, 4, NAME, [1], {"name": NAME}, 1e400, None)],
        ("answer", {"page": "degradation", "exercise": NAME, "answer": 1}),
        ("answer", {"page": ["degradation"]}),
        ("count", {"first": "A", "answers": {"name": NAME}}),
        (NAME, {}),
    ]
    for do, more in attempts:
        assert (await phone.say(do, **more))[0] in (400, 403), (do, more)
    assert (await phone.say("answer", "a guess", **at, answer=1))[0] == 404
    assert (await phone.fetch(f"/room/{phone.code}/answers.csv", phone.tokens[-1])).code == 403
    # More requests than a phone may send: the others have the same address, and theirs are served.
    flood = [(await phone.say("answer", **at, answer=0))[0] for _ in range(60)]
    assert set(flood) == {400, 429}


def table_of(rounds: Sequence[tuple[Round, Round]]) -> dict[str, list[str]]:
    """What the table has to say of each concept and misconception: the right ones before, after, in both rounds, only
    before, only after, and in neither; who chose a misconception before, and after."""
    table: dict[str, list[str]] = {}
    for concept in rounds[0][0]:
        right = Counter((before[concept] == "", after[concept] == "") for before, after in rounds)
        both, only_before, only_after = right[True, True], right[True, False], right[False, True]
        counts = (both + only_before, both + only_after, both, only_before, only_after, right[False, False])
        table[concept] = [str(count) for count in counts]
    chosen = [Counter(name for member in rounds for name in {*member[turn].values()} if name) for turn in (0, 1)]
    for name in chosen[0] | chosen[1]:
        table[name] = [str(chosen[0][name]), str(chosen[1][name])]
    return table


@pytest.mark.exhaustive
def test_a_class_of_thirty_goes_through_the_lesson_of_twenty_minutes(
    server: Server, enter: Enter, teacher: Page
) -> None:
    teacher.goto("lesson-bet")
    links = teacher.locator("#lesson-20 a.opens")
    assert [link.get_attribute("href") for link in links.all()] == PLAN
    pages = [joined(enter(extra_http_headers={"X-Forwarded-For": SCHOOL}), teacher) for _ in range(STUDENTS)]
    for page in (teacher, *pages):
        page.set_default_timeout(PATIENCE)
    with Phones(server.url, code(teacher), CLASS - STUDENTS, HEADERS) as crowd:
        lesson(Class(teacher, pages, crowd))


def lesson(everybody: Class) -> None:
    teacher, students, phones = everybody.teacher, everybody.students, everybody.phones
    expect(teacher.locator(".room-bar .people")).to_have_text(f"{everybody.size} students")
    bad, leaver = phones.all[:2]

    # Before: the first round of the inventory, which stays on the phones.
    everybody.bring("inventory")
    for student in students:
        take(student, right=False)
    known = items(leaver.html)

    # Minute 0: the bet. Minute 3: everybody draws.
    everybody.bring(PLAN[0])
    everybody.bring(PLAN[1])
    for student in students:
        draw(student)
    phones.do(misbehave(bad))
    drawn = {
        phone: [round(0.01 * index + 0.1 * point, 6) for point in range(POINTS)]
        for index, phone in enumerate(phones.all)
    }
    everybody.answer(CURVE, "degradation", drawn)
    press(teacher, CURVE, "Show the answers")
    for page in (teacher, *students):
        expect(page.locator(BOARD).locator(".room-lines path")).to_have_count(everybody.size + 1)
    press(teacher, CURVE, "Show the result")
    for page in (teacher, *students):
        expect(prediction(page, CURVE).locator(".because")).to_be_visible()

    # Minute 7: all browsers press Train at the same time. They get the same numbers, and so does who comes later.
    query = "&".join(f"degradation.{name}={value}" for name, value in QUICK.items())
    query = unseen(query, "degradation")
    everybody.bring(f"degradation?{query}&v=2#degradation")
    figures = [OnPage(page, "degradation") for page in (teacher, *students)]
    for figure in figures:
        figure.ready().button("Train").click()
    settings = dict(setting.removeprefix("degradation.").split("=") for setting in query.split("&"))
    for figure in figures:
        figure.wait_for_status("finished")
    trained = [phones.do(phone.train("degradation", settings)) for phone in phones.all[::TRAINED_HERE]]
    said = {figure.figure.locator(".live").inner_text() for figure in figures}
    assert len(said) == 1
    assert len({json.dumps(state["results"], sort_keys=True) for state in trained}) == 1

    # Minute 11: a choice. A phone and a browser have left and come back; they find the class where it is.
    everybody.bring(PLAN[3])
    phones.do(come_back(leaver, PLAN[3]))
    back = students[-1]
    back.evaluate("sessionStorage.clear()")
    back.goto("about:blank")
    back.goto(f"room/{code(teacher)}")
    expect(back).to_have_url(re.compile(f"/{PLAN[3]}$"))
    copied = everybody.choose(COPY, "degradation", 3)
    phones.do(bad.insist("answer", page="degradation", exercise=COPY, answer=3))  # once more, which counts for nothing
    everybody.reveal(COPY, copied, right=1)

    # Minute 15: another page, another choice. Minute 18: the last question is for everybody alone.
    everybody.bring(PLAN[4])
    branched = everybody.choose(BRANCH, "shortcut", 3)
    everybody.reveal(BRANCH, branched, right=2)
    everybody.bring(PLAN[5])
    for student in students:
        quiz = student.locator(".quiz#q1")
        quiz.locator(".right input").check()
        expect(quiz.locator(".right .because")).to_be_visible()

    print_exit_ticket(teacher)
    take_inventory_again(everybody, known)
    with teacher.expect_download() as saving:
        teacher.get_by_role("button", name="Save the table").click()
    inventory_file = saving.value.path().read_text()

    # The file of the answers has all of them, and the page of nobody says whose they are.
    with teacher.expect_download() as saving:
        teacher.get_by_role("button", name="Save the answers").click()
    answers_file = saving.value.path().read_text()
    saved = list(csv.DictReader(answers_file.splitlines()))
    assert Counter(row["prediction"] for row in saved) == dict.fromkeys((CURVE, COPY, BRANCH), everybody.size)
    curves = [[float(value) for value in row["answer"].split()] for row in saved if row["prediction"] == CURVE]
    assert all(curve in curves for curve in drawn.values())
    for name, counts in ((COPY, copied), (BRANCH, branched)):
        chosen = Counter(row["answer"] for row in saved if row["prediction"] == name)
        assert [str(chosen[str(option)]) for option in (1, 2, 3)] == counts
    tokens = [token for phone in phones.all for token in phone.tokens]
    tokens += [json.loads(page.evaluate("sessionStorage.room"))["token"] for page in students]
    seen = [page.content() for page in (teacher, *students)] + [text for phone in phones.all for text in phone.received]
    for text in (inventory_file, answers_file, *seen):
        assert not any(word in text for word in (*tokens, SCHOOL, NAME))

    close_room(teacher)
    for student in students:
        expect(student.locator(".room-bar")).to_contain_text("The teacher has closed the room.")
    phones.gather(lambda phone: phone.until(lambda member: member.ended == "The teacher has closed the room."))


def print_exit_ticket(teacher: Page) -> None:
    """On paper are its questions and nothing else."""
    teacher.goto("lesson-bet#ticket-bet")
    teacher.evaluate("window.print = () => { window.printed = document.documentElement.dataset.sheet }")
    teacher.get_by_role("button", name="Print the exit ticket").click()
    assert teacher.evaluate("window.printed") == "hand-out"
    teacher.emulate_media(media="print")
    expect(teacher.locator("#ticket-bet li")).to_have_count(3)
    expect(teacher.locator("#ticket-bet")).to_be_visible()
    for other in (".key", ".room-bar", "#lesson-20"):
        expect(teacher.locator(other).first).to_be_hidden()
    teacher.emulate_media(media="screen")


def take_inventory_again(everybody: Class, known: Items) -> None:
    """The second round, and both are sent to the room: its table has what was sent."""
    teacher, students, phones = everybody.teacher, everybody.students, everybody.phones
    everybody.bring("inventory")
    for student in students:
        take(student, right=True)
        student.get_by_role("button", name="Send my answers to the room, without a name").click()
    sent = [stored_rounds(student) for student in students]
    for index, phone in enumerate(phones.all):
        numbered = enumerate(known.items(), index)
        chosen = {f"{form}-{concept}": turn % (len(options) + 1) for turn, ((form, concept), options) in numbered}
        sent.append(("AB"[index % 2], chosen))
        phones.do(phone.insist("count", first=sent[-1][0], answers=chosen))
    part = teacher.locator(".inventory-room")
    expect(part.locator(".said").first).to_have_text(f"{everybody.size} have sent both rounds.")
    part.get_by_role("button", name="Show the table").click()
    expect(part.locator("td").first).to_be_visible()
    shown = {
        str(row.get_attribute("data-concept") or row.get_attribute("data-misconception")): row.locator("td")
        for row in part.locator("tr[data-concept], tr[data-misconception]").all()
    }
    expected = table_of([rounds_of(known, first, chosen) for first, chosen in sent])
    assert expected.keys() <= shown.keys()
    for name, cells in shown.items():
        assert cells.all_inner_texts() == expected.get(name, ["0", "0"])


async def come_back(phone: Phone, place: str) -> None:
    await phone.hang_up()
    await phone.say("leave")
    await phone.join()
    await phone.until(lambda member: member.place == place)


def stored_rounds(page: Page) -> tuple[str, dict[str, int]]:
    """The form that came first in this browser, and the option chosen for each item."""
    kept = json.loads(page.evaluate("localStorage.answers"))["concepts"]
    return kept["first"], {name: option for name, option in kept.items() if re.fullmatch("[AB]-(?!done).*", name)}


def rounds_of(known: Items, first: str, answers: Mapping[str, int]) -> tuple[Round, Round]:
    """Concept → the misconception chosen before, and after: empty for the right option, None for "I do not know"."""
    chosen = {
        form: {
            concept: ([None, *known[form, concept]])[answers[f"{form}-{concept}"]]
            for letter, concept in known
            if letter == form
        }
        for form in "AB"
    }
    return chosen[first], chosen["B" if first == "A" else "A"]
