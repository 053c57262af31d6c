"""Class mode: a teacher and two students, from the code on the projector to the end of the room."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.classroom import close_room, code, commit, joined, prediction, press, take
from tests.browser.conftest import Enter, open_room, watch
from tests.browser.reader import violations
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server


def counts(page: Page, name: str) -> list[str]:
    return prediction(page, name).locator(".tally .figures").all_inner_texts()


def test_a_teacher_and_two_students_from_prediction_to_the_end(enter: Enter, teacher: Page) -> None:
    first_student, second = students = [joined(enter(), teacher), enter()]
    second.goto("room")
    second.get_by_label("The code of the room").fill(f" {code(teacher).lower()} ")
    second.get_by_role("button", name="Join").click()
    expect(teacher.locator(".room-bar .people")).to_have_text("2 students")

    teacher.goto("degradation")
    press(teacher, "p-insert", "Bring the class here")
    for student in students:  # without a tap
        expect(student).to_have_url(re.compile(r"/degradation#p-insert$"))

    # What they answer is held, until the room is shown its answers, and then the result.
    for student, choice in zip(students, (0, 1), strict=True):
        prediction(student, "p-insert").get_by_role("radio").nth(choice).check()
        commit(student, "p-insert")
        expect(prediction(student, "p-insert").locator(".room-box .said")).to_contain_text("Your answer is in")
        expect(prediction(student, "p-insert").locator(".room-box .said")).to_be_focused()
        expect(prediction(student, "p-insert").locator(".because")).not_to_be_visible()
    expect(prediction(teacher, "p-insert").locator(".counts")).to_have_text("2 of 2 have answered.")
    assert counts(teacher, "p-insert") == []
    expect(first_student.locator("figure#insert_identity")).to_have_attribute("data-hidden", "")

    press(teacher, "p-insert", "Show the answers")
    for page in (teacher, *students):
        expect(prediction(page, "p-insert").locator(".tally .figures")).to_have_text(["1", "1", "0"])
        expect(prediction(page, "p-insert").locator(".because")).not_to_be_visible()
    # The pressed button is disabled, and the keyboard goes on from there.
    expect(prediction(teacher, "p-insert").locator(".room-box .said")).to_be_focused()
    # What changes with every vote is not read aloud.
    for page in (teacher, *students):
        assert not [text for text in page.get_by_role("status").all_inner_texts() if re.search(r"\d", text)]
    # The teacher sees each option once, with its bar.
    expect(prediction(teacher, "p-insert").get_by_text("By rounding errors").locator("visible=true")).to_have_count(1)
    assert violations(teacher) == []
    assert violations(first_student) == []

    # A page that is loaded anew is where it was.
    first_student.reload()
    expect(prediction(first_student, "p-insert").get_by_role("radio").first).to_be_checked()
    expect(prediction(first_student, "p-insert").locator(".tally .figures")).to_have_text(["1", "1", "0"])

    press(teacher, "p-insert", "Show the result")
    for page in (teacher, *students):
        expect(prediction(page, "p-insert").locator(".tally .figures")).to_have_text(["1 ✓", "1", "0"])
        expect(prediction(page, "p-insert").locator(".because")).to_be_visible()
    expect(prediction(first_student, "p-insert").locator(".yours")).to_have_text(
        "You predicted it: Not at all, to the last bit."
    )
    expect(prediction(second, "p-insert").locator(".yours")).to_be_focused()  # the page was not loaded anew
    expect(prediction(teacher, "p-insert").locator(".room-box .said")).to_be_focused()
    expect(prediction(second, "p-insert").locator(".yours")).to_contain_text("You said: By rounding errors")
    first_student.locator("figure#insert_identity").scroll_into_view_if_needed()
    expect(first_student.locator("figure#insert_identity")).not_to_have_attribute("data-hidden", "")

    # The teacher's page with its state. Who does not follow is invited.
    second.get_by_label("Follow the teacher").uncheck()
    teacher.goto("degradation?degradation.depth=20&v=2#degradation")
    expect(teacher.locator("figure#degradation")).to_be_in_viewport()
    teacher.locator(".room-bar").get_by_role("button", name="Bring the class here").press("Enter")
    expect(teacher.locator("figure#degradation")).to_be_in_viewport()
    expect(teacher.locator(".room-bar .said")).to_have_text("The class is invited.")
    expect(first_student).to_have_url(re.compile(r"degradation\.depth=20.*#degradation$"))
    expect(second.get_by_label("Follow the teacher")).not_to_be_checked()
    second.get_by_role("link", name="Your teacher is at “The degradation problem”").click()
    expect(second).to_have_url(re.compile(r"degradation\.depth=20.*#degradation$"))

    first_student.get_by_role("button", name="Leave").click()
    expect(first_student.locator(".room-bar")).to_contain_text("You have left the room.")
    expect(first_student.get_by_role("button", name="OK")).to_be_focused()
    expect(teacher.locator(".room-bar .people")).to_have_text("1 student")

    close_room(teacher)
    expect(second.locator(".room-bar")).to_contain_text("The teacher has closed the room.")
    second.get_by_role("button", name="OK").click()
    expect(second.locator(".room-bar")).to_have_count(0)
    expect(prediction(second, "p-insert").locator(".yours")).to_contain_text("You said: By rounding errors")


def test_the_bar_covers_nothing_that_the_class_is_brought_to(enter: Enter, teacher: Page) -> None:
    """A message moves nothing and goes away: an old one would contradict the next invitation."""
    student = joined(enter(390), teacher)
    teacher.goto("degradation")
    high = "document.querySelector('.room-bar').offsetHeight"
    before = [page.evaluate(high) for page in (teacher, student)]
    for name in ("p-insert", "p-curve"):  # on another page, and on the same
        press(teacher, name, "Bring the class here")
        expect(student).to_have_url(re.compile(rf"/degradation#{name}$"))
        student.wait_for_function(f"""() => {{
            const {{top}} = document.getElementById('{name}').getBoundingClientRect()
            return top >= {high} && top < innerHeight / 2
        }}""")
    expect(student.locator(".room-bar .said")).to_have_text("Your teacher is at “The degradation problem”.")
    assert [page.evaluate(high) for page in (teacher, student)] == before
    for page in (teacher, student):
        expect(page.locator(".room-bar .said")).to_be_empty()


def test_the_class_is_brought_to_where_a_page_goes_and_not_to_the_answers(enter: Enter, teacher: Page) -> None:
    student = joined(enter(), teacher)
    bring = teacher.locator(".room-bar").get_by_role("button", name="Bring the class here")
    for page in ("lesson-bet", "sheet-degradation"):
        teacher.goto(page)
        bring.press("Enter")
        expect(teacher.locator(".room-bar .said")).to_contain_text("This page has the answers")
    expect(student).to_have_url(re.compile(r"/room$"))
    teacher.emulate_media(reduced_motion="no-preference")
    teacher.goto("degradation")
    teacher.evaluate("location.hash = 'q1'")
    teacher.wait_for_function("() => scrollY > 0")  # on its way
    bring.evaluate("button => button.click()")
    expect(student).to_have_url(re.compile(r"/degradation#q1$"))


def test_the_code_and_the_bar_fit_an_enlarged_page(teacher: Page) -> None:
    expect(teacher.get_by_role("button", name="Show the code of your room")).to_be_focused()  # after the dialog
    teacher.set_viewport_size({"width": 640, "height": 400})
    teacher.get_by_role("button", name="Show the code", exact=True).click()
    expect(teacher.locator("dialog.room-code .kind")).to_be_in_viewport()
    teacher.get_by_role("button", name="Back to the page").click()
    teacher.set_viewport_size({"width": 320, "height": 256})
    teacher.goto("degradation#q1")
    expect(teacher.locator("#q1")).to_be_in_viewport()
    expect(teacher.locator(".room-bar .code")).not_to_be_in_viewport()


def test_an_error_of_the_connection_is_gone_when_it_is_back(enter: Enter) -> None:
    teacher = open_room(enter, expected=("ERR_INTERNET_DISCONNECTED",))
    teacher.context.set_offline(True)
    teacher.get_by_role("button", name="Save the answers").click()
    expect(teacher.locator(".room-bar .said")).to_have_text("The server cannot be reached.")
    teacher.context.set_offline(False)
    expect(teacher.locator(".room-bar .said")).to_be_empty()


@pytest.mark.exhaustive
def test_a_room_that_could_not_be_closed_is_still_there(enter: Enter) -> None:
    teacher = open_room(enter, expected=("ERR_INTERNET_DISCONNECTED",))
    bar = teacher.locator(".room-bar")
    for offline, said in ((True, "The connection is lost"), (False, "The room is closed")):
        teacher.context.set_offline(offline)
        bar.get_by_role("button", name="Close the room").click()
        teacher.locator("dialog.room-closing").get_by_role("button", name="Close the room").click()
        expect(bar).to_contain_text(said)
    assert teacher.evaluate("sessionStorage.room ?? ''") == ""


def test_the_page_of_a_closed_room_says_so_and_takes_another_code(enter: Enter, teacher: Page) -> None:
    student = joined(enter(), teacher)
    close_room(teacher)
    expect(student.locator(".room-bar")).to_contain_text("The teacher has closed the room.")
    expect(student.locator(".desk .said")).to_contain_text("The teacher has closed the room.")
    expect(student.get_by_label("The code of the room")).to_be_visible()
    expect(teacher.locator(".desk").get_by_role("button", name="Open a room")).to_be_visible()


@pytest.mark.exhaustive
def test_every_kind_of_prediction_has_its_picture(enter: Enter, teacher: Page) -> None:
    student, other = joined(enter(1280), teacher), joined(enter(1280), teacher)
    for page in (teacher, student, other):
        page.goto("degradation")
        OnPage(page, "degradation").arrived()

    # Curves over each other.
    for page, rise in ((student, 1), (other, 3)):
        for handle in prediction(page, "p-curve").get_by_role("slider").all():
            for _ in range(rise):
                handle.press("PageUp")
        commit(page, "p-curve")
        expect(prediction(page, "p-curve").locator(".room-box .said")).to_contain_text("Your answer is in")
        # What the class has is not changed anymore.
        handle = prediction(page, "p-curve").get_by_role("slider").first
        position = handle.get_attribute("aria-valuenow")
        handle.press("PageUp")
        expect(handle).to_have_attribute("aria-valuenow", str(position))
    expect(prediction(teacher, "p-curve").locator(".counts")).to_have_text("2 of 2 have answered.")
    press(teacher, "p-curve", "Show the answers")
    expect(prediction(teacher, "p-curve").locator(".room-lines path")).to_have_count(3)
    middle = re.compile(r"In the middle: \d+% at 2, .* at 56\.$")
    expect(prediction(teacher, "p-curve").locator(".distribution")).to_have_text(middle)
    expect(prediction(teacher, "p-curve").locator("svg.revealed")).to_have_count(0)
    press(teacher, "p-curve", "Show the result")
    expect(prediction(teacher, "p-curve").locator("svg.revealed")).to_be_visible()
    expect(prediction(student, "p-curve").locator(".yours")).to_contain_text("On average you were off")

    # Places of an order.
    for page in (teacher, student, other):
        page.goto("connectivity")
    for page, top in ((student, "the one that concatenates"), (other, "the one that adds")):
        for name in (top, "the one that gates"):
            prediction(page, "p-bill").get_by_role("button", name=name).click()
        commit(page, "p-bill")
    expect(prediction(teacher, "p-bill").locator(".counts")).to_have_text("2 of 2 have answered.")
    press(teacher, "p-bill", "Show the answers")
    rows = prediction(teacher, "p-bill").locator(".places-tally tbody tr")
    expect(rows.first).to_have_text(re.compile(r"the one that adds\s*1\s*·\s*1"))

    # Yes and no, and how sure.
    for page in (teacher, student, other):
        page.goto("experiment")
    for page, choice in ((student, "Yes"), (other, "No")):
        prediction(page, "p-1202").get_by_label(choice, exact=True).check()
        commit(page, "p-1202")
    expect(prediction(teacher, "p-1202").locator(".counts")).to_have_text("2 of 2 have answered.")
    press(teacher, "p-1202", "Show the answers")
    expect(prediction(teacher, "p-1202").locator(".tally")).to_contain_text("Yes, 75% sure on average")

    # Numbers on a line, with the truth in the end.
    for page in (teacher, student, other):
        page.goto("gradient-paths")
    for page, number in ((student, "100"), (other, "30")):
        prediction(page, "p-direct").get_by_role("spinbutton").fill(number)
        commit(page, "p-direct")
    expect(prediction(teacher, "p-direct").locator(".counts")).to_have_text("2 of 2 have answered.")
    press(teacher, "p-direct", "Show the answers")
    strip = prediction(teacher, "p-direct").locator(".strip")
    expect(strip).to_have_attribute("aria-label", "2 answers, from 30% to 100%; the middle one is 65%.")
    expect(strip.locator("circle")).to_have_count(2)
    expect(strip.locator(".truth-mark")).to_have_count(0)
    press(teacher, "p-direct", "Show the result")
    expect(strip.locator("line.truth-mark")).to_have_count(1)


@pytest.mark.exhaustive
def test_ten_of_a_class_send_both_rounds_of_the_inventory_and_the_teacher_sees_counts(
    enter: Enter, teacher: Page
) -> None:
    student = joined(enter(), teacher)
    for page in (teacher, student):
        page.goto("inventory")
    expect(teacher.locator(".inventory-room .said")).to_contain_text("0 of 10 have sent both rounds.")
    part = student.locator(".inventory-room")
    send = part.get_by_role("button", name="Send my answers to the room, without a name")
    expect(part).to_be_hidden()
    take(student, right=False)
    expect(part.locator(".said")).to_contain_text("When you have answered both rounds")
    expect(send).to_be_hidden()
    take(student, right=True)
    expect(part.locator(".said")).to_contain_text("nobody can trace them to you")
    assert violations(student) == []
    expect(teacher.locator(".inventory-room .said")).to_contain_text("0 of 10")  # nothing is sent by itself
    send.click()
    expect(part.locator(".said")).to_have_text("Your answers are in the counts of the room.")
    expect(send).to_be_hidden()
    student.reload()
    expect(part.locator(".said")).to_have_text("Your answers are in the counts of the room.")
    expect(teacher.locator(".inventory-room .said")).to_contain_text("1 of 10 have sent both rounds.")

    # Nine others, by the protocol: everything right in both rounds.
    student.evaluate(
        """async code => {
            const items = [...document.querySelectorAll('template[data-form]')].flatMap(
                template => [...template.content.querySelectorAll('.item')])
            const answers = Object.fromEntries(items.map(
                item => [item.dataset.item, Number(item.querySelector('[data-right]').value)]))
            const say = async (token, body) => (await fetch(`room/${code}`,
                {method: 'POST', headers: {'X-Room': token}, body: JSON.stringify(body)})).json()
            for (let member = 0; member < 9; member += 1) {
                const {token} = await say('anybody', {do: 'join'})
                await say(token, {do: 'count', first: 'B', answers})
            }
        }""",
        code(teacher),
    )
    expect(teacher.locator(".inventory-room .said")).to_have_text("10 have sent both rounds.")
    teacher.get_by_role("button", name="Show the table").click()
    rows = teacher.locator(".inventory-room tr[data-concept]")
    expect(rows).to_have_count(12)
    for number in range(12):
        expect(rows.nth(number).locator("td")).to_have_text(["9", "10", "9", "0", "1", "0"])
    mistakes = teacher.locator(".inventory-room tr[data-misconception]").all()
    assert {row.locator("td").nth(1).inner_text() for row in mistakes} == {"0"}
    assert {row.locator("td").nth(0).inner_text() for row in mistakes} == {"0", "1"}
    expect(teacher.get_by_role("button", name="Show the table")).to_be_hidden()
    for width, scheme in ((1280, "light"), (390, "dark")):
        teacher.set_viewport_size({"width": width, "height": 844})
        teacher.emulate_media(color_scheme=scheme)
        assert violations(teacher) == []
        assert teacher.evaluate("document.documentElement.scrollWidth") <= width
    with teacher.expect_download() as saving:
        teacher.get_by_role("button", name="Save the table").click()
    assert saving.value.suggested_filename == f"room-{code(teacher)}-inventory.csv"
    lines = saving.value.path().read_text().splitlines()
    assert lines[0] == "part,name,before,after,both,only before,only after,neither"
    assert lines[1].endswith(",9,10,9,0,1,0")
    assert len(lines) == 1 + 12 + len(mistakes)
    expect(student.locator(".inventory-room table")).to_have_count(0)
    close_room(teacher)
    expect(teacher.locator(".inventory-room")).to_have_count(0)
    expect(part).to_have_count(0)


@pytest.mark.exhaustive
def test_nobody_has_to_wait_and_answers_given_at_home_stay_hidden(enter: Enter, teacher: Page) -> None:
    student = enter()
    student.goto("degradation")
    prediction(student, "p-insert").get_by_role("radio").first.check()
    commit(student, "p-insert")
    expect(prediction(student, "p-insert").locator(".because")).to_be_visible()
    joined(student, teacher)
    student.goto("degradation")
    expect(prediction(student, "p-insert").locator(".because")).not_to_be_visible()
    prediction(student, "p-insert").get_by_role("radio").nth(2).check()
    commit(student, "p-insert")
    press(student, "p-insert", "Go on alone")
    expect(prediction(student, "p-insert").locator(".because")).to_be_visible()
    student.reload()
    expect(prediction(student, "p-insert").locator(".because")).to_be_visible()


@pytest.mark.exhaustive
def test_a_prediction_fills_the_projector_and_arrows_go_on(enter: Enter, teacher: Page) -> None:
    teacher.set_viewport_size({"width": 1280, "height": 800})
    student = joined(enter(), teacher)
    student.goto("degradation")
    prediction(student, "p-insert").get_by_role("radio").first.check()
    commit(student, "p-insert")
    teacher.goto("degradation")
    press(teacher, "p-insert", "Fill the screen")
    figure = teacher.locator("figure#insert_identity.presented")
    expect(teacher).to_have_url(re.compile("present=insert_identity"))
    assert figure.evaluate("figure => figure.getBoundingClientRect().width") == 1280
    expect(prediction(teacher, "p-insert").get_by_role("button", name="Show the answers")).to_be_visible()
    expect(teacher.locator(".room-bar .code")).to_be_visible()
    # The answers and the buttons are on the screen with the question, and then the figure with its result.
    press(teacher, "p-insert", "Show the answers")
    expect(prediction(teacher, "p-insert").locator(".tally")).to_be_visible()
    fits = "() => document.querySelector('figure.presented').scrollHeight <= innerHeight"
    teacher.wait_for_function(fits)
    press(teacher, "p-insert", "Show the result")
    expect(figure).not_to_have_attribute("data-hidden", "")
    teacher.wait_for_function(fits)
    teacher.evaluate("document.activeElement.blur()")
    teacher.keyboard.press("ArrowRight")
    expect(figure).to_have_count(0)
    expect(teacher.locator("figure.presented")).to_be_visible()
    teacher.keyboard.press("Escape")
    expect(teacher).not_to_have_url(re.compile("present"))


def test_a_wrong_code_and_a_room_that_is_gone_are_said(enter: Enter, teacher: Page) -> None:
    page = enter(320, expected=("404 (Not Found)",))
    page.goto("room")
    page.get_by_label("The code of the room").fill("HELLO")
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".desk .said")).to_contain_text("A code has six characters")
    for typed in ("CDFGH", "AB0123", "CDFGHO"):
        page.goto(f"room/{typed}")
        expect(page.locator(".room-bar")).to_contain_text("A code has six characters")
    page.goto("room/CCCCCC")
    expect(page.locator(".room-bar")).to_contain_text("This room has ended, or there never was one with this code.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("button", name="OK").click()
    expect(page.locator(".room-bar")).to_have_count(0)


@pytest.mark.exhaustive
def test_a_restarted_server_has_no_rooms_and_says_so(browser: Browser, own_server: Server) -> None:
    own_server.start()
    context = browser.new_context(base_url=own_server.url)
    page = context.new_page()
    page.goto("teach")
    page.get_by_role("button", name="Open a room").click()
    expect(page.locator("dialog.room-code")).to_be_visible()
    own_server.stop()
    expect(page.locator(".room-bar .said")).to_have_text("The connection is lost; this page tries again.")
    own_server.start()
    expect(page.locator(".room-bar")).to_contain_text("This room has ended")
    context.close()


@pytest.mark.exhaustive
def test_the_teacher_saves_the_answers(teacher: Page) -> None:
    with teacher.expect_download() as saving:
        teacher.get_by_role("button", name="Save the answers").click()
    assert saving.value.suggested_filename == f"room-{code(teacher)}.csv"
    assert saving.value.path().read_text().splitlines() == ["page,prediction,type,answer,sure"]
    expect(teacher.locator(".room-bar .said")).to_have_text("The answers are saved as a table.")


@pytest.mark.parametrize("path", ["teach", "room", "sheet-degradation"])
@pytest.mark.parametrize(("width", "scheme"), first(1, [(320, "light"), (390, "dark"), (1280, "light")]))
def test_pages_for_a_class_fit_and_are_accessible(
    browser: Browser, server: Server, path: str, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, base_url=server.url)
    page = context.new_page()
    faults = watch(page, server.url)
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    assert faults.left() == []
    context.close()


def test_paper_has_the_questions_and_the_answers_on_sheets_of_their_own(page: Page) -> None:
    page.goto("sheet-degradation")
    page.evaluate("window.print = () => { window.printed = document.documentElement.dataset.sheet }")
    page.get_by_role("button", name="Questions only").click()
    assert page.evaluate("window.printed") == "questions"
    page.emulate_media(media="print")
    expect(page.locator(".paper.questions")).to_be_visible()
    expect(page.locator(".paper.answers")).not_to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".paper.answers")).to_be_visible()
    assert page.locator(".paper.answers").evaluate("sheet => getComputedStyle(sheet).breakBefore") == "page"
    expect(page.locator(".sheet-controls")).not_to_be_visible()
