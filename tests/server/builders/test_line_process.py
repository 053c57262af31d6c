"""A process is started when it is first asked, answers line by line, and is replaced where it has ended."""

import asyncio

from app.server.builders.line_process import LineProcess


def test_it_answers_again_after_it_was_ended() -> None:
    async def story() -> list[str]:
        process = LineProcess("tests.server.echo", lambda: "")
        assert process._process is None
        answers = [await process.ask("one"), await process.ask("two")]
        first = process._process
        await process.end()
        answers.append(await process.ask("three"))
        second = process._process
        assert first
        assert second
        assert second.pid != first.pid
        second.kill()
        await second.wait()
        answers.append(await process.ask("four"))
        await process.end()
        return answers

    assert asyncio.run(story()) == ["one\n", "two\n", "three\n", "four\n"]


def test_one_that_read_other_code_does_not_answer() -> None:
    code = ["old"]

    async def story() -> list[int]:
        process = LineProcess("tests.server.echo", lambda: code[0])
        pids = []
        for now in ("old", "old", "new"):
            code[0] = now
            assert await process.ask(now) == f"{now}\n"
            assert process._process
            pids.append(process._process.pid)
        await process.end()
        return pids

    first, second, third = asyncio.run(story())
    assert first == second != third
