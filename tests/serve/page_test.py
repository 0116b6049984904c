#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays on the page of `tessera serve` in a headless Chromium.

  page_test.py TESSERA [FOLDER-FOR-SCREENSHOTS]

Ends with 77, and says why, where there is no browser; TESSERA_NEEDS_BROWSER=1 makes that a failure.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from browser import BOARD, expect, start_browser  # noqa: E402

tessera = sys.argv[1]

SOLVED = " ".join(map(str, list(range(1, 16)) + [0]))


def paste(browser, text):
    browser.click("#paste")
    browser.evaluate(f"document.querySelector('#paste-text').value = {json.dumps(text)}")
    browser.click("#paste-ok")


def play_to_the_end(browser, address):
    browser.open(address)
    browser.wait("document.querySelectorAll('#heuristic option').length > 3")
    expect("the page begins solved", browser.evaluate(BOARD) == SOLVED)
    browser.choose("#scramble-moves", "40")
    browser.click("#scramble")
    browser.wait(f"{BOARD} !== '{SOLVED}' && !document.querySelector('#solve').disabled")
    browser.click("#solve")
    title = browser.wait("!document.querySelector('#answer').hidden && document.querySelector('#answer-title').textContent", 60)
    length = int(re.fullmatch(r"(\d+) moves?", title)[1])
    expect("a scramble of 40 moves takes at most 40", 0 < length <= 40)
    letters = browser.text("#letters")
    expect("as many letters as moves", len(letters) == length and set(letters) <= set("UDLR"))
    expect("proven and replayed", browser.text("#answer-about").startswith("Optimal, verified."))
    bounds = browser.evaluate("[...document.querySelectorAll('#rows th')].map((th) => Number(th.textContent))")
    expect("a row a bound", bounds[-1] == length and bounds == sorted(set(bounds)))
    browser.click("#forth")
    browser.picture("solution")
    browser.evaluate("document.querySelector('#speed').value = 5")
    browser.click("#run")
    browser.wait(f"{BOARD} === '{SOLVED}'", 60)
    browser.wait("document.querySelector('#moves-word').textContent.includes('solved')")
    expect("the moves are counted", browser.text("#moves") == str(length))
    expect("a screen reader hears of it", browser.evaluate(
        "document.querySelector('#board').getAttribute('aria-label')") == "Board, 4 by 4, solved")
    browser.picture("solved")
    # Back one, and by hand to the goal again.
    browser.click("#back")
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press({"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}[letters[-1]])
    expect("an arrow key slides a tile", browser.evaluate(BOARD) == SOLVED)


def far_from_the_goal(browser, address):
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")  # one of the two farthest
    browser.wait("document.querySelectorAll('#heuristic option').length > 3")
    browser.click("#distance")
    browser.wait("document.querySelector('#distance-answer').textContent === '31 moves to go'")
    browser.click("#board .tile[data-cell='8']")  # in line with the blank
    expect("a press slides a tile", browser.evaluate(BOARD) == "8 6 7 2 5 4 3 1 0")
    expect("the answer was the other board's", browser.text("#distance-answer") == "")
    browser.wait("location.hash === '#3x3/8.6.7.2.5.4.3.1.0/last'")


def unsolvable(browser, address):
    browser.open(address)
    paste(browser, "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 15 0")
    browser.wait("document.querySelector('#paste-error').textContent.includes('15')")
    browser.evaluate("document.querySelector('#paste-text').value = '1 2 3 4\\n5 6 7 8\\n9 10 11 12\\n13 15 14 0'")
    browser.click("#paste-ok")
    browser.wait("!document.querySelector('#paste-dialog').open")
    notice = browser.wait("!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent")
    expect("shown immediately, with the reason", notice.startswith("Unsolvable. ") and "odd number of swaps (1)" in notice
           and "choose the goal first or snake." in notice)
    expect("there is nothing to solve", browser.evaluate("document.querySelector('#solve').disabled"))
    browser.picture("unsolvable")
    # The board stays while another goal is chosen, as advised.
    browser.choose("#goal", "first")
    browser.wait("!document.querySelector('#solve').disabled && document.querySelector('#notice').hidden")
    kept = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"
    expect("the board to solve", browser.evaluate(BOARD) == kept)
    # Goals on the way to another one, as with the arrow keys, do not lose it, whether checked or not.
    for goal in "snake", "first", "last":
        browser.choose("#goal", goal)
    expect("the board stays", browser.evaluate(BOARD) == kept)
    browser.wait("!document.querySelector('#notice').hidden")  # it moves what is below
    scramble = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"
    paste(browser, scramble)
    browser.wait(f"{BOARD} === '{scramble}' && document.querySelector('#notice').hidden")
    browser.choose("#goal", "first")
    expect("a solvable board does not", browser.evaluate(BOARD) == "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
    browser.choose("#goal", "last")
    paste(browser, "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 15 14 0")
    browser.wait("document.querySelector('#solve').disabled")
    # Swapping two tiles by hand makes it solvable.
    browser.click("#edit")
    browser.click("#board .tile[data-cell='13']")
    browser.click("#board .tile[data-cell='14']")
    browser.wait("!document.querySelector('#solve').disabled && document.querySelector('#notice').hidden")
    expect("the two are swapped", browser.evaluate(BOARD) == SOLVED)


def stop_a_long_search(browser, address):
    tiles = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"
    browser.open(f"{address}#5x5/{tiles.replace(' ', '.')}/first")
    browser.wait("[...document.querySelectorAll('#heuristic option')].some((o) => o.value === 'pdb:6-6-6-6')")
    browser.choose("#heuristic", "manhattan")
    browser.click("#follow")
    browser.wait("document.querySelectorAll('#rows tr').length > 3")
    browser.wait("/[MBK]$/.test(document.querySelector('#rate').textContent)")
    bracket = browser.wait("!document.querySelector('#bracket').hidden && document.querySelector('#bracket').textContent")
    expect("what is known is shown", re.fullmatch(r"At most \d+ moves, at least \d+", bracket))
    browser.picture("searching")
    browser.click("#stop")
    title = browser.wait("!document.querySelector('#answer').hidden && document.querySelector('#answer-title').textContent", 5)
    upper, lower = map(int, re.fullmatch(r"At most (\d+) moves, at least (\d+)", title).groups())
    expect("the solution found may be played", browser.evaluate("!document.querySelector('#player').hidden")
           and len(browser.text("#letters")) == upper > lower)
    browser.click("#forth")
    browser.wait(f"document.querySelector('#answer-title').textContent === 'At most {upper - 1} moves to go'")
    browser.click("#follow")
    browser.resize(320, 800, mobile=True)
    shown = browser.evaluate('''(() => {
        const place = document.querySelector('#place');
        place.value = place.max - 1;
        place.dispatchEvent(new Event('input'));
        const [box, next] = ['#letters', '#letters .next'].map((part) => document.querySelector(part).getBoundingClientRect());
        return [box.top, next.top, next.bottom, box.bottom]; })()''')
    expect(f"the next letter of a long solution is seen: {shown}", shown[0] <= shown[1] and shown[2] <= shown[3] + 1)
    browser.resize(1280, 900)
    expect("it may be asked again", browser.evaluate("!document.querySelector('#solve').hidden"))


LONG = "14.5.9.2.18.8.23.19.12.17.15.0.10.20.4.6.11.21.1.7.24.3.16.22.13"
# With a solution of a beam search, where there was time for one.
STOPPED = "/^(No answer yet|At most .* moves, at least .*)$/.test(document.querySelector('#answer-title').textContent)"
READY = "document.querySelectorAll('#heuristic option').length > 3"


def open_long(browser, address):
    """A board that takes Manhattan distance long; the paths of the searches asked for go to `asked`."""
    browser.open(f"{address}#5x5/{LONG}/first")
    browser.wait(READY)
    browser.choose("#heuristic", "manhattan")


def slow_down(browser, milliseconds, slow="/api/solve"):
    """The server hears of such a request late; the names in its answers are kept in `asked`. `pending` is 0 when no
    request waits for its answer and the page has had each."""
    browser.evaluate(f"""(() => {{
        const fast = window.fetch;
        window.asked = [];
        window.pending = 0;
        window.fetch = async (path, options) => {{
            ++window.pending;
            try {{
                if (path === '{slow}') await new Promise((resolve) => setTimeout(resolve, {milliseconds}));
                const answer = await fast(path, options);
                if (path === '{slow}') window.asked.push((await answer.clone().json()).id);
                return answer;
            }} finally {{
                setTimeout(() => --window.pending, 50);
            }}
        }};
    }})()""")


def summary(address, search):
    with urllib.request.urlopen(f"{address}api/solve/{search}?wait=10") as answer:
        return json.load(answer)


def answers_of_other_boards_are_not_shown(browser, address):
    open_long(browser, address)
    slow_down(browser, 500)
    browser.click("#solve")
    browser.click("#scramble")  # before the server has heard of the search
    search = browser.wait("asked[0]")
    expect("the search of the other board ends", summary(address, search)["result"]["status"] == "interrupted")
    browser.wait("pending === 0")
    expect("and nothing is shown of it", browser.evaluate(
        "document.querySelector('#answer').hidden && document.querySelector('#search').hidden && !document.querySelector('#solve').hidden"))
    # A board that is solved in a moment, and moved in that moment.
    browser.open("about:blank")
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    slow_down(browser, 500)
    browser.click("#solve")
    browser.click("#distance")
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press("ArrowDown")
    browser.wait("asked.length === 2 && pending === 0")
    browser.wait("document.querySelector('#answer-title').textContent === 'Stopped'")  # the board has changed
    expect("no distance of it", browser.text("#distance-answer") == "")
    expect("solve may be pressed", browser.evaluate("!document.querySelector('#solve').hidden"))
    # A scramble that comes when the size is another.
    slow_down(browser, 1000, "/api/scramble")
    browser.click("#scramble")
    browser.choose("#width", "5")
    browser.wait("asked.length === 1 && pending === 0")
    expect("of another size", len(browser.evaluate(BOARD).split()) == 15)
    expect("solved as it was", browser.evaluate(BOARD) == " ".join(map(str, list(range(1, 15)) + [0])))
    # And one that comes when another board of that size was pasted.
    browser.click("#scramble")
    paste(browser, "R D")
    browser.wait("asked.length === 2 && pending === 0")
    expect("as pasted", browser.evaluate(BOARD) == "1 2 3 4 5 6 7 8 0 10 11 12 13 9 14")


def a_stop_is_never_lost(browser, address):
    open_long(browser, address)
    slow_down(browser, 700)
    browser.click("#solve")
    browser.click("#stop")
    browser.wait(STOPPED, 5)
    expect("it has ended", summary(address, browser.evaluate("asked[0]"))["result"]["status"] == "interrupted")
    # A time limit is said.
    browser.evaluate("document.querySelector('#time-limit').append(new Option('a moment', '300ms'))")
    browser.choose("#time-limit", "300ms")
    browser.click("#solve")
    browser.wait("/^The time limit was reached. (It takes at least |This solution is verified)/.test(document.querySelector('#answer-about').textContent)", 10)


def who_leaves_ends_the_search(browser, address):
    open_long(browser, address)
    slow_down(browser, 0)
    browser.click("#solve")
    browser.wait("document.querySelectorAll('#rows tr').length > 3")
    search = browser.evaluate("asked[0]")
    browser.open("about:blank")
    expect("it has ended", summary(address, search)["result"]["status"] == "interrupted")


def more_tabs_than_connections(browser, address):
    """A browser opens six connections to a server: tabs that nobody looks at hold none."""
    first, tabs = browser.session, []
    try:
        for _ in range(8):
            tabs.append(browser.new_tab())
            open_long(browser, address)
            slow_down(browser, 0)
            browser.click("#solve")
            browser.wait("asked.length === 1", 10)
        browser.session = tabs[0][1]
        expect("the first is not seen", browser.evaluate("document.hidden"))
        search = browser.evaluate("asked[0]")
        with urllib.request.urlopen(urllib.request.Request(f"{address}api/solve/{search}", method="DELETE")):
            pass
        browser.wait(STOPPED, 10)
        rows = browser.evaluate("[...document.querySelectorAll('#rows tr')].map((row) => [row.className, row.firstChild.textContent])")
        bounds = summary(address, search)["result"]["iterations"]
        expect(f"all its bounds are shown: {rows}", rows == [["" if one["complete"] else "cut", str(one["bound"])] for one in bounds])
        browser.call("Page.bringToFront")
        browser.session = tabs[7][1]
        browser.call("Page.bringToFront")
        browser.click("#stop")
        browser.wait(STOPPED, 10)
    finally:
        for target, session in tabs:
            browser.session = session
            browser.open("about:blank")
            browser.close_tab(target)
        browser.session = first
        browser.call("Page.bringToFront")


def heuristics_of_another_size_are_not_offered(browser, address):
    browser.open(address)
    browser.wait(READY)
    browser.choose("#heuristic", "manhattan")
    browser.evaluate("""(() => {
        const fast = window.fetch;
        const asked = new Promise((resolve) => { window.answer = resolve; });
        window.fetch = async (path, options) => {
            window.path = path;
            if (path === '/api/heuristics?size=5x4&goal=last&metric=single&time_limit=1m') await asked;
            return fast(path, options);
        };
    })()""")
    browser.choose("#width", "5")
    expect("auto until they are listed", browser.evaluate(
        "[...document.querySelectorAll('#heuristic option')].map((option) => option.value).join()") == "auto")
    browser.evaluate("window.answer()")
    browser.wait(READY)
    browser.choose("#time-limit", "10s")  # for which auto may stand for another
    expect("the choice stays", browser.evaluate("document.querySelector('#heuristic').value") == "manhattan")
    browser.wait("path === '/api/heuristics?size=5x4&goal=last&metric=single&time_limit=10s'")


def enter_on_a_choice_starts_no_search(browser, address):
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    for choice in (".metric input[value=single]", "#follow", "#heuristic"):
        browser.evaluate(f"document.querySelector('{choice}').focus()")
        browser.press("Enter")
        browser.press("Escape")  # an opened list
        expect(f"none after Enter on {choice}", browser.evaluate("document.querySelector('#search').hidden"))


def boards_of_all_formats_are_pasted(browser, address):
    browser.open(address)
    browser.wait(READY)
    for text, address_of in (
            ("1 2 3 4 5 6 7 0 8", "#3x3/1.2.3.4.5.6.7.0.8/last"),
            ("0,1,2,3,4,5,6,7,8\n", "#3x3/0.1.2.3.4.5.6.7.8/last"),
            ("# a set\nfirst: 1 2 3 0\nsecond: 1 0 3 2", "#2x2/1.2.3.0/last"),
            ("# school\n3\n1 2 3\n4 5 6\n7 0 8\n# another\n3\n1 2 3\n4 5 6\n7 8 0\n", "#3x3/1.2.3.4.5.6.7.0.8/last"),
            ("3 2\n1 2 3\n4 0 5\n", "#3x2/1.2.3.4.0.5/last"),
            ("1 2 3/4 _ 6/7 5 8", "#3x3/1.2.3.4.0.6.7.5.8/last"),
            (" ".join(map(str, range(1, 64))) + " 0", "#8x8/" + ".".join(map(str, range(1, 64))) + ".0/last"),
            ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15", "#4x4/1.2.3.4.5.6.7.8.9.10.11.12.13.14.0.15/last"),
            ('{"id": "a", "size": "2x3", "board": [1, 2, 3, 4, 0, 5]}', "#2x3/1.2.3.4.0.5/last"),
            ('{"size": "3x3", "board": [0, 2, 1, 3, 4, 5, 6, 7, 8], "goal": "first"}', "#3x3/0.2.1.3.4.5.6.7.8/first"),
            ("0 2 1\n3 4 5\n6 7 8", "#3x3/0.2.1.3.4.5.6.7.8/first"),  # keeps the goal
            ('{"size": "3x3", "board": [0, 2, 1, 3, 4, 5, 6, 7, 8], "goal": "last"}', "#3x3/0.2.1.3.4.5.6.7.8/last"),
            ('{"size": "3x3", "board": [0, 2, 1, 3, 4, 5, 6, 7, 8], "goal": "first"}', "#3x3/0.2.1.3.4.5.6.7.8/first"),
            ("id,size,goal,board\na,3x3,last,1 2 3 4 5 6 7 0 8", "#3x3/1.2.3.4.5.6.7.0.8/last"),
            ('{"size": "3x3", "board": [0, 2, 1, 3, 4, 5, 6, 7, 8], "goal": "first"}', "#3x3/0.2.1.3.4.5.6.7.8/first"),
            ("# size 3x3, goal last\n1 2 3 4 5 6 7 0 8", "#3x3/1.2.3.4.5.6.7.0.8/last"),
            ('{"size": "2x2", "board": [1, 2, 0, 3], "goal": "3 2 1 0"}', "#2x2/1.2.0.3/3.2.1.0")):
        paste(browser, text)
        browser.wait(f"!document.querySelector('#paste-dialog').open || document.querySelector('#paste-error').textContent")
        expect(f"{text!r} is taken: {browser.text('#paste-error')}", not browser.evaluate("document.querySelector('#paste-dialog').open"))
        browser.wait(f"location.hash === '{address_of}'", 3)
        several = "true" if "second" in text or "another" in text else "false"
        browser.wait(f"document.querySelector('#notice').textContent.endsWith('2 boards, of which this is the first.') === {several}")
    browser.click("#paste")
    for wrong, complaint in (("", "no board"), ("1 2 3", "3"), ("<b>1</b>", "<b>"), (" ".join(map(str, range(81))), "64")):
        browser.evaluate(f"document.querySelector('#paste-text').value = {json.dumps(wrong)}")
        browser.click("#paste-ok")
        browser.wait(f"document.querySelector('#paste-error').textContent.includes({json.dumps(complaint)})")


def a_scramble_is_pasted(browser, address):
    browser.open(address + "#3x3/1.2.3.4.5.6.7.8.0/last")
    browser.wait(READY)
    paste(browser, "D2 r")
    browser.wait("location.hash === '#3x3/1.2.3.4.5.6.7.8.0/last' || location.hash === '#3x3/1.0.2.4.5.3.7.8.6/last'")
    expect("moves from the goal", browser.evaluate(BOARD) == "1 0 2 4 5 3 7 8 6")
    paste(browser, "R3")
    browser.wait("document.querySelector('#paste-error').textContent.startsWith('Move 3 of the scramble, R, is impossible')")
    for wrong, complaint in ("R100", "Move 3 of"), ("R0", "'R0' is not"):
        browser.evaluate(f"document.querySelector('#paste-text').value = '{wrong}'")
        browser.click("#paste-ok")
        browser.wait(f"document.querySelector('#paste-error').textContent.includes({json.dumps(complaint)})")
    browser.evaluate("document.querySelector('#paste-dialog').close()")


def games_are_timed(browser, address):
    """Solved three moves from the goal, again and again; what the solution's player solves does not count."""
    browser.open(address + "#3x3/1.2.3.4.5.6.7.8.0/last")
    browser.wait(READY)
    browser.evaluate("sessionStorage.removeItem('games')")
    browser.evaluate("document.querySelector('#board').focus()")

    def solve(presses):
        paste(browser, "R D R")
        browser.wait(f"{BOARD} === '1 2 3 0 4 6 7 5 8'")
        browser.evaluate("document.querySelector('#board').focus()")
        for key in presses:
            browser.press("Arrow" + key)
        browser.wait("document.querySelector('#moves-word').textContent.includes('solved')")

    for game in range(5):
        solve(["Left", "Up", "Left"])
        browser.wait(f"document.querySelector('#session-title').textContent.startsWith('Session, {game + 1} game')")
    expect("time stands", re.fullmatch(r"\d+\.\d\d", browser.text("#clock")))
    times = browser.evaluate("JSON.parse(sessionStorage.getItem('games')).map((game) => game.seconds)")
    expect("the mean of the middle three", abs(float(browser.text("#session-average-5")) - sum(sorted(times)[1:4]) / 3) < 0.0051)
    expect("the least", abs(float(browser.text("#session-best")) - min(times)) < 0.0051)
    expect("five are not twelve", browser.text("#session-average-12") == "–")
    expect("moves and board of each", browser.evaluate(
        "[...document.querySelectorAll('#session-rows tr')].every((row) => row.children[2].textContent === '3' && row.children[3].textContent === '1 2 3 0 4 6 7 5 8')"))
    paste(browser, "R D R")
    browser.wait("!document.querySelector('#solve').disabled")
    browser.click("#solve")
    browser.wait("!document.querySelector('#player').hidden && !document.querySelector('#answer').hidden", 10)
    browser.click("#to-end")
    browser.wait("document.querySelector('#moves-word').textContent.includes('solved')")
    expect("it was shown, not played", browser.text("#session-title") == "Session, 5 games")
    paste(browser, "R D R")
    browser.wait("!document.querySelector('#solve').disabled")
    browser.click("#solve")
    browser.wait("!document.querySelector('#player').hidden && !document.querySelector('#answer').hidden", 10)
    browser.evaluate("document.querySelector('#board').focus()")
    for key in ("Left", "Up", "Left"):
        browser.press("Arrow" + key)
    browser.wait("document.querySelector('#moves-word').textContent.includes('solved')")
    expect("nor is a solution that was read", browser.text("#session-title") == "Session, 5 games")
    browser.evaluate("document.querySelector('#session details').open = true")
    browser.picture("session")
    browser.click("#session-rows button")
    expect("a board is played again", browser.evaluate(BOARD) == "1 2 3 0 4 6 7 5 8")
    browser.evaluate("document.querySelector('#board').focus()")
    for game in (6, 7):
        for key in ("Left", "Up", "Left"):
            browser.press("Arrow" + key)
        browser.wait(f"document.querySelector('#session-title').textContent === 'Session, {game} games'")
        browser.click("#restart")
    paste(browser, "R R")
    browser.wait(f"{BOARD} === '1 2 3 4 5 6 0 7 8'")
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    browser.wait("document.querySelector('#session-title').textContent === 'Session, 8 games'")
    moves = "document.querySelector('#session-rows tr').children[2].textContent"
    expect("two tiles slid", browser.evaluate(moves) == "2")
    browser.evaluate("document.querySelector('.metric input[value=multi]').click()")
    expect("a run is one move", browser.evaluate(moves) == "1")
    browser.evaluate("document.querySelector('.metric input[value=single]').click()")
    # Times that tell the figures apart; the order in which they were reached is not their own.
    browser.evaluate("""(() => {
        const game = JSON.parse(sessionStorage.getItem('games'))[0];
        const times = [5, 70.5, 11, 12, 13, 14, 15, 99, 1, 20, 30, 50];
        sessionStorage.setItem('games', JSON.stringify(times.map((seconds) => ({ ...game, seconds }))));
    })()""")
    browser.open("about:blank")
    browser.open(address + "#3x3/1.2.3.4.5.6.7.8.0/last")
    browser.wait("document.querySelector('#session-title')?.textContent === 'Session, 12 games'")
    browser.click("#goal-picture")
    browser.click("#editing-done")
    expect("a goal only looked at keeps its games", browser.evaluate(
        "document.querySelector('#goal').value === 'last' && !document.querySelector('#session').hidden"))
    figures = {name: browser.text(f"#session-{name}") for name in ("mean", "best", "average-5", "average-12")}
    expect(f"without the best and the worst: {figures}",
           figures == {"mean": "28.38", "best": "1.00", "average-5": "33.33", "average-12": "24.05"})
    browser.evaluate("document.querySelector('#session details').open = true")
    browser.click("#session-clear")
    browser.wait("document.querySelector('#session').hidden")
    expect("the board has the focus", browser.evaluate("document.activeElement.id") == "board")


def a_run_is_undone_as_one_move(browser, address):
    browser.open(address + "#3x3/1.2.3.4.5.6.7.8.0/last")
    browser.wait(READY)
    browser.click("#board .tile[data-cell='6']")
    expect("two tiles slid", browser.evaluate(BOARD) == "1 2 3 4 5 6 0 7 8")
    browser.click("#undo")
    expect("a tile is a move", browser.evaluate(BOARD) == "1 2 3 4 5 6 7 0 8")
    browser.evaluate("document.querySelector('.metric input[value=multi]').click()")
    browser.click("#board .tile[data-cell='1']")
    browser.click("#board .tile[data-cell='2']")
    browser.click("#board .tile[data-cell='8']")
    expect("runs", browser.evaluate(BOARD) == "1 3 6 4 2 8 7 5 0" and browser.text("#moves") == "4")
    browser.click("#undo")
    expect("the run is back", browser.evaluate(BOARD) == "1 3 0 4 2 6 7 5 8" and browser.text("#moves") == "3")
    expect("and announced", browser.text("#say") == "2 tiles down, 3 moves")


def letters_slide_tiles_and_control_z_undoes(browser, address):
    browser.open(address + "#3x3/1.2.3.4.0.5.6.7.8/last")
    browser.wait(READY)
    for key, board in (("W", "1 2 3 4 7 5 6 0 8"), ("D", "1 2 3 4 7 5 0 6 8"), ("S", "1 2 3 0 7 5 4 6 8"), ("A", "1 2 3 7 0 5 4 6 8")):
        browser.press("Key" + key)
        expect(f"{key} slides a tile", browser.evaluate(BOARD) == board)

    def control_z():
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="z", code="KeyZ", modifiers=2)

    control_z()
    expect("the last move is taken back", browser.evaluate(BOARD) == "1 2 3 0 7 5 4 6 8")
    browser.click("#edit")
    control_z()
    expect("but not while editing", browser.evaluate(BOARD) == "1 2 3 0 7 5 4 6 8")


def swipes_slide_tiles(browser, address):
    browser.resize(390, 844, mobile=True)
    browser.open(address + "#3x3/1.2.3.4.0.5.6.7.8/last")
    browser.wait(READY)
    browser.evaluate("document.querySelector('#board').scrollIntoView({ block: 'center' })")
    browser.wait("document.getAnimations().length === 0")
    scrolled = browser.evaluate("scrollY")

    def swipe(cell, dx, dy):
        x, y = browser.evaluate(f"""(() => {{
            const box = document.querySelector("#board .tile[data-cell='{cell}']").getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for share in (0.5, 1):
            browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + share * dx, "y": y + share * dy}])
        browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    for cell, dx, dy, board in ((4, 0, -60, "1 2 3 4 7 5 6 0 8"), (6, 60, 9, "1 2 3 4 7 5 0 6 8"),
                                (8, 9, 60, "1 2 3 0 7 5 4 6 8"), (0, -60, 0, "1 2 3 7 0 5 4 6 8")):
        swipe(cell, dx, dy)
        browser.wait(f"{BOARD} === '{board}'", 5)
    expect("each was one move", browser.text("#moves") == "4")
    expect("and the page stands", browser.evaluate("scrollY") == scrolled)
    browser.resize(1280, 900)


def the_game_is_analysed(browser, address):
    """Once it is solved, or on request: distances, each mistake with the better way, moves over the optimum."""
    browser.open(address + "#3x3/1.2.3.0.4.6.7.5.8/last")
    browser.wait(READY)
    browser.wait("!document.querySelector('#solve').disabled")
    expect("no game yet", browser.evaluate("document.querySelector('#analyse').disabled && document.querySelector('#game').hidden"))
    browser.evaluate("document.querySelector('#board').focus()")
    for key in ("Up", "Down", "Left", "Up", "Left"):
        browser.press("Arrow" + key)
    title = "document.querySelector('#game-title').textContent"
    browser.wait(f"{title} === '5 moves, 2 over the optimum'")
    rows = "[...document.querySelectorAll('{} tr')].map((row) => [...row.children].map((cell) => cell.textContent))"
    expect("the mistake", browser.evaluate(rows.format("#game-rows")) == [["1", "3, then 4", "LUL"]])
    expect("all distances", [row[:2] for row in browser.evaluate(rows.format("#game-plot tbody"))] == [
        ["0", "3"], ["1", "4"], ["2", "3"], ["3", "2"], ["4", "1"], ["5", "0"]])
    browser.wait("document.querySelectorAll('#game-plot svg .mark').length >= 7")  # drawn in a later frame
    browser.picture("game")
    browser.click("#game-rows button")
    expect("the board before the mistake", browser.evaluate(BOARD) == "1 2 3 0 4 6 7 5 8")
    expect("and the better way", browser.text("#letters") == "LUL")
    browser.click("#to-end")
    expect("which is played", browser.evaluate(BOARD) == "1 2 3 4 5 6 7 8 0")
    # It stays also where the rest is solved while one plays.
    browser.click("#follow")
    browser.click("#game-rows button")
    time.sleep(0.5)  # nothing is to happen: a search would begin after 150 ms
    expect("the better way stays", browser.text("#letters") == "LUL" and browser.evaluate("document.querySelector('#search').hidden"))
    browser.click("#follow")
    paste(browser, "R D R")
    browser.wait(f"{BOARD} === '1 2 3 0 4 6 7 5 8'")
    expect("another board, another game", browser.evaluate("document.querySelector('#game').hidden"))
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press("ArrowLeft")
    browser.click("#analyse")
    browser.wait(f"{title} === '1 move, 2 to go'")
    expect("given up without a mistake", browser.text("#game-about") == "No mistakes.")
    # Mistakes are known only where both distances are.
    for mistakes, about in (([], "No mistake is known."),
                            ([{"move": 2, "before": 1, "after": 2, "better": None}], "At least 1 mistake. Press a better continuation to see it.")):
        row = {"size": "3x3", "metric": "single", "length": 2, "optimal_length": None, "solves": False,
               "brackets": [[0, 2], [1, 1], [2, 2]], "mistakes": mistakes}
        browser.evaluate(f"import('/analysis.js').then(({{ Analysis }}) => Object.create(Analysis.prototype).show({json.dumps(row)}))")
        expect(f"an unknown distance: {mistakes}", browser.text("#game-about") == "2 of 3 distances are known. " + about)


def the_way_is_followed(browser, address):
    """With `follow` the solution is that of the board as it stands, and the moves made still count."""
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.click("#follow")
    title = "document.querySelector('#answer-title').textContent"
    browser.wait(f"{title} === '31 moves to go'", 10)
    keys = {"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}
    browser.evaluate("document.querySelector('#board').focus()")
    first = browser.text("#letters")[0]
    browser.press(keys[first])
    browser.wait(f"{title} === '30 moves to go'", 10)
    away = next(letter for letter in "UDLR" if letter == {"U": "D", "D": "U", "L": "R", "R": "L"}[first])
    browser.press(keys[away])
    browser.press(keys[next(letter for letter in "LRD" if letter != first)])  # off the way
    browser.wait(f"/^(30|31) moves to go$/.test({title}) && document.querySelector('#letters').textContent.length === 30", 10)
    expect("moves count on", browser.text("#moves") == "3")
    browser.click("#follow")


def the_way_is_found_again(browser, address):
    """After a move off it that is taken back, the solution goes on from there."""
    browser.open(address + "#3x3/1.2.3.4.0.6.7.5.8/last")
    browser.wait(READY)
    browser.click("#solve")
    browser.wait("document.querySelector('#answer-title').textContent === '2 moves'", 10)
    aside = "document.querySelector('#player').classList.contains('aside')"
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press("ArrowUp")
    expect("on the way", not browser.evaluate(aside))
    browser.press("ArrowRight")
    expect("off it", browser.evaluate(aside))
    browser.click("#undo")
    expect("on it again", not browser.evaluate(aside) and browser.evaluate("document.querySelector('#place').value") == "1")
    browser.click("#forth")
    expect("the next move is played", browser.evaluate(BOARD) == "1 2 3 4 5 6 7 8 0")


def editing_and_playing_exclude_each_other(browser, address):
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.click("#solve")
    browser.wait("document.querySelector('#answer-title').textContent === '31 moves'", 10)
    label = "document.querySelector('#board').getAttribute('aria-label')"
    browser.evaluate("document.querySelector('#speed').value = 1")
    browser.click("#run")
    browser.click("#goal-picture")
    expect("the goal is edited", browser.evaluate(label) == "Goal, 3 by 3, being edited")
    expect("the solution pauses", browser.evaluate("document.querySelector('#run').getAttribute('aria-label')") == "Play")
    browser.click("#to-end")
    expect("a place in the solution is shown", browser.evaluate(label) == "Board, 3 by 3, solved")
    expect("the goal is not edited any more", browser.evaluate("document.querySelector('#editing').hidden"))
    # The board that is there after an edit is solved, too.
    browser.open("about:blank")
    browser.open(address + "#3x2/1.2.3.4.5.0/last")
    browser.wait(READY)
    browser.click("#follow")
    browser.wait("document.querySelector('#answer-title').textContent === 'Solved already'", 10)
    browser.click("#edit")
    for pair, notice in (((0, 1), "!document.querySelector('#notice').hidden"), ((3, 4), "document.querySelector('#notice').hidden")):
        for cell in pair:
            browser.click(f"#board .tile[data-cell='{cell}']")
        browser.wait(notice)  # it is checked
    browser.click("#editing-done")
    browser.wait("/^[0-9]+ moves to go$/.test(document.querySelector('#answer-title').textContent)", 10)
    browser.click("#follow")


def an_edit_of_the_goal_begins_a_game(browser, address):
    browser.open(address + "#3x3/1.2.3.0.4.6.7.5.8/last")
    browser.wait(READY)
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press("ArrowLeft")
    expect("a game", browser.text("#moves") == "1" and browser.text("#clock") != "")
    browser.click("#goal-picture")
    goal = "document.querySelector('#goal').value"
    for pair, name in (((6, 7), "drawn"), ((6, 7), "last")):
        for cell in pair:
            browser.click(f"#board .tile[data-cell='{cell}']")
        expect(f"the goal is {name}", browser.evaluate(goal) == name)
    expect("it is edited on", browser.evaluate("document.querySelector('#board').getAttribute('aria-label')") == "Goal, 3 by 3, being edited")
    browser.click("#editing-done")
    expect("the moves are those of the new game", browser.evaluate(BOARD) == "1 2 3 4 0 6 7 5 8" and browser.text("#moves") == "0"
           and browser.text("#clock") == "")


def good_moves_are_marked(browser, address):
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.click("#good")
    browser.wait("document.querySelector('#distance-answer').textContent.startsWith('31 moves to go, ')")
    marked = "[...document.querySelectorAll('#board .tile.good')].map((tile) => Number(tile.dataset.cell)).sort().join()"
    with urllib.request.urlopen(urllib.request.Request(
            address + "api/solve", json.dumps({"board": "8 6 7 2 5 4 3 0 1", "good_moves": True}).encode(),
            {"Content-Type": "application/json"})) as answer:
        search = json.load(answer)["id"]
    result = summary(address, search)["result"]
    cells = {"L": 8, "R": 6, "D": 4}
    expect("the tiles with which solutions begin", browser.evaluate(marked) == ",".join(sorted(str(cells[m]) for m in result["good_moves"])))
    expect("each solution begins with one", sum(result["good_moves"].values()) == result["solutions"])
    browser.click("#board .tile.good")
    browser.wait("document.querySelector('#distance-answer').textContent === ''")
    expect("marks are of the board before", browser.evaluate(marked) == "")


def what_is_found_in_ten_seconds(browser, address):
    """Bounds where there is no answer, and they stay until the board changes."""
    open_long(browser, address)
    browser.evaluate("""(() => {
        const fast = window.fetch;
        window.fetch = (path, options) => fast(path, path === '/api/solve'
            ? { ...options, body: options.body.replace('"10s"', '"300ms"') } : options);
    })()""")
    answer = "document.querySelector('#distance-answer').textContent"
    for button in "#distance", "#good":
        browser.click(button)
        browser.wait(f"/^at least [0-9]+ moves; not found in 10 s$/.test({answer})")
    browser.choose("#time-limit", "10s")
    browser.click("#solve")
    browser.wait(f"!document.querySelector('#answer').hidden && {STOPPED}", 20)
    expect("of the same board", browser.evaluate(answer).startswith("at least"))
    browser.click("#board .tile[data-cell='6']")
    browser.wait(f"{answer} === ''")


def an_address_without_a_board(browser, address):
    for wrong in "#4x4/1.2.3/last", "#10x2/1.2.3/last", "#2x2/1.2.3./last":
        browser.open("about:blank")
        browser.open(address + wrong)
        browser.wait("document.querySelector('#notice').textContent === 'The address holds no board.'")
        browser.wait(READY)
        expect("a new page instead", browser.evaluate(BOARD) == SOLVED)


def another_metric_is_followed(browser, address):
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.click("#follow")
    title = "!document.querySelector('#answer').hidden && document.querySelector('#answer-title').textContent"
    browser.wait(f"({title}) === '31 moves to go'")
    browser.evaluate("document.querySelector('input[name=metric][value=multi]').click()")
    browser.wait(f"/^(1|2)[0-9] moves to go$/.test({title})")
    browser.click("#follow")


def why_no_answer_came(browser, address):
    """Of a search that makes room, and of one whose table takes longer."""
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.evaluate("""(() => {
        window.EventSource = class {
            static CLOSED = 2;
            constructor() { setTimeout(() => { this.readyState = 2; this.onerror(); }, 0); }
            addEventListener() {}
            close() {}
        };
        const fast = window.fetch;
        window.row = { status: 'limit', nodes: { expanded: 0, generated: 0 }, iterations: [], lower_bound: 30, upper_bound: null,
                       seconds: 0, setup_seconds: 9.5 };
        window.yielded = false;
        window.fetch = async (path, options) => (/^\\/api\\/solve\\/[^/]+$/.test(path)
            ? new Response(JSON.stringify({ id: '1', state: 'ended', result: window.row, error: null, yielded: window.yielded }))
            : fast(path, options));
    })()""")
    about = "document.querySelector('#answer-about').textContent"
    browser.click("#solve")
    browser.wait(f"{about} === 'The time limit was reached. It takes at least 30 moves. The table was not finished after 9.50 s.'")
    browser.evaluate("Object.assign(window.row, { seconds: 60, nodes: { expanded: 5, generated: 9 } }), window.yielded = true, 0")
    browser.click("#solve")
    browser.wait(f"{about}.startsWith('Another search was waiting, so this one was stopped. It takes at least 30 moves. 9 nodes in ')")


def goals_have_names(browser, address):
    for size, goal, tiles in (("3x3", "spiral", "1 2 3 8 0 4 7 6 5"), ("4x3", "spiral", "1 2 3 4 10 11 0 5 9 8 7 6"),
                              ("3x3", "snake", "1 2 3 6 5 4 7 8 0"), ("3x2", "columns", "1 3 5 2 4 0"),
                              ("3x3", "first", "0 1 2 3 4 5 6 7 8")):
        browser.open(f"{address}#{size}/{tiles.replace(' ', '.')}/last")
        browser.wait(READY)
        browser.choose("#goal", goal)
        expect(f"{goal} of {size}: {browser.evaluate(BOARD)}", browser.evaluate(BOARD) == tiles)
        browser.wait(f"location.hash === '#{size}/{tiles.replace(' ', '.')}/{goal}'")
        # The server has the same.
        with urllib.request.urlopen(urllib.request.Request(
                f"{address}api/check", json.dumps({"board": tiles, "size": size, "goal": goal}).encode(),
                {"Content-Type": "application/json"})) as answer:
            expect(f"goal of {goal}", json.load(answer)["goal_board"] == list(map(int, tiles.split())))
        browser.open("about:blank")
    # From the address, as from a link.
    browser.open(f"{address}#3x3/1.2.3.8.4.0.7.6.5/spiral")
    browser.wait(READY)
    browser.click("#solve")
    browser.wait("document.querySelector('#answer-title').textContent === '1 move'", 10)


def a_goal_drawn_by_keyboard_is_shared(browser, address):
    browser.open(address + "#3x2/1.2.3.4.5.0/last")
    browser.wait(READY)
    browser.tab_to("#goal-picture")
    browser.press("Enter")
    expect("the goal is drawn on the board", browser.evaluate("document.querySelector('#board').getAttribute('aria-label')") == "Goal, 3 by 2, being edited")
    expect("the focus is there", browser.evaluate("document.activeElement.id") == "board")
    browser.press("ArrowRight")
    expect("a screen reader hears where", browser.text("#say") == "tile 2, row 1, column 2")
    browser.press("Enter")
    expect("the selected tile is announced", browser.text("#say") == "tile 2 selected")
    browser.press("ArrowDown")
    browser.press(" ")
    expect("the swap is announced", browser.text("#say") == "tile 2 and tile 5 swapped")
    browser.press("Escape")
    expect("the focus stays", browser.evaluate("document.activeElement.id") == "board")
    browser.wait("location.hash === '#3x2/1.2.3.4.5.0/1.5.3.4.2.0'")
    browser.wait("!document.querySelector('#notice').hidden")
    expect("one swap makes it unsolvable", browser.text("#notice").startswith("Unsolvable. "))
    # Who opens the address sees the same.
    link = browser.evaluate("location.href")
    browser.open("about:blank")
    browser.open(link.replace("1.2.3.4.5.0/", "1.5.3.4.0.2/"))
    browser.wait(READY)
    expect("goal", browser.evaluate("document.querySelector('#goal').value") == "drawn")
    browser.tab_to("#solve")
    browser.press("Enter")
    browser.wait("document.querySelector('#answer-title').textContent === '1 move'", 10)
    browser.tab_to("#run")
    browser.press(" ")
    browser.wait("document.querySelector('#moves-word').textContent === 'move, solved'", 10)
    for wrong in ("#3x2/1.2.3.4.5.5/last", "#9x9/1/last", "#3x2/1.2.3.4.5.0/up", "#%00<script>", "#3x2/1.2..4.5.0/last"):
        browser.open(address + wrong)
        browser.open("about:blank")
        browser.open(address + wrong)
        browser.wait(READY)
        expect(f"{wrong} is not a board", browser.evaluate(BOARD) == SOLVED)


def all_is_reached_and_read(browser, address):
    """Focus is seen wherever it is, texts have contrast, screens from 320 px on hold the page."""
    board = "#4x4/5.1.2.4.9.6.3.8.13.10.7.11.14.0.15.12/last"
    for dark in (False, True):
        browser.dark(dark)
        for width in (1280, 375, 320):
            browser.resize(width, 800, mobile=width < 500)
            browser.open(address + board)
            browser.wait(READY)
            browser.evaluate("document.querySelector('#solve').click()")
            browser.wait("!document.querySelector('#answer').hidden", 30)
            browser.click("#forth", touch=width < 500)
            wide = browser.evaluate("document.documentElement.scrollWidth")
            expect(f"{width} px are enough: {wide}", wide <= width)
            cut = browser.evaluate("""[...document.querySelectorAll('button, label, p, h1, h2')].filter((e) =>
                e.offsetParent && !e.closest('.hidden, .motto') && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.id || e.textContent)""")
            expect(f"nothing is cut off at {width} px: {cut}", cut == [])
            faint = browser.faint_texts()
            expect(f"contrast, dark {dark}, {width} px: {faint}", faint == [])
            browser.evaluate("document.querySelector('.metric input[value=multi]').checked = true")
            tops = browser.evaluate("[...document.querySelectorAll('.metric label')].map((label) => Math.round(label.getBoundingClientRect().top))")
            expect(f"both metrics stand in one line at {width} px: {tops}", tops[0] == tops[1])
            browser.evaluate("document.querySelector('.metric input[value=single]').checked = true")
            browser.picture(f"{'dark' if dark else 'light'}-{width}")
    browser.resize(1280, 900)
    stops = browser.tab_stops()
    expect(f"all is reached: {stops}", {"share", "theme", "width", "goal-picture", "board", "scramble", "edit", "paste",
                                        "heuristic", "solve", "run", "place", "copy"} <= {stop[0] for stop in stops})
    expect(f"and seen: {stops}", [stop for stop in stops if not stop[1]] == [])
    browser.dark(False)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    moving = browser.evaluate("""[...document.querySelectorAll('*')].filter((e) => ['', '::after'].some((part) => {
        const style = getComputedStyle(e, part);
        return style.animationName !== 'none' || style.transitionDuration.split(',').some((time) => parseFloat(time) > 0);
    })).map((e) => e.className)""")
    expect(f"nothing moves by itself: {moving}", moving == [])
    browser.dark(False)


def on_a_phone_in_the_dark(browser, address):
    browser.resize(390, 844, mobile=True)
    browser.dark(True)
    browser.open(address + "#4x4/5.1.2.4.9.6.3.8.13.10.7.11.14.0.15.12/last")
    browser.wait("document.querySelectorAll('#heuristic option').length > 3")
    browser.click("#solve", touch=True)
    browser.wait("!document.querySelector('#answer').hidden", 30)
    expect("nothing is wider than the screen", browser.evaluate("document.documentElement.scrollWidth") <= 390)
    browser.evaluate("scrollTo(0, 0)")
    before = browser.evaluate(BOARD)
    browser.click("#board .tile[data-cell='12']", touch=True)
    browser.wait(f"{BOARD} !== '{before}'")
    browser.picture("phone")
    small = browser.evaluate("""[...document.querySelectorAll('button, select')]
        .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 36).map((e) => e.id)""")
    expect(f"all can be hit with a finger: {small}", small == [])
    browser.dark(False)
    browser.resize(1280, 900)


def everything_has_a_name(browser, address):
    browser.open(address)
    browser.wait("document.querySelectorAll('#heuristic option').length > 3")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "combobox", "slider", "radio", "textbox", "application"}
    nameless = [n["role"]["value"] for n in nodes
                if n.get("role", {}).get("value") in roles and not n["ignored"]
                and not n.get("name", {}).get("value")]
    expect(f"every control has a name: {nameless}", nameless == [])
    named = {n["name"]["value"] for n in nodes if n.get("name") and not n["ignored"]}
    expect("tiles say where they are", "tile 12, row 3, column 4, can slide" in named)


def numbers_are_rounded_once(browser, address):
    browser.open(address)
    shown = browser.evaluate("""import('/text.js').then(({ seconds, clock }) => [
        ...[0.0009994, 0.00123, 0.99949, 0.9996, 1, 99.94, 99.96, 3599.6].map(seconds), ...[9.874, 59.994, 59.997].map(clock)])""")
    expect(f"no 1000 ms, no 60 seconds: {shown}", shown == [
        "999 µs", "1.2 ms", "999 ms", "1.00 s", "1.00 s", "99.9 s", "1 min 40 s", "1 h 0 min", "9.87", "59.99", "1:00.00"])


def the_focus_is_never_lost(browser, address):
    """Where the button that has it is disabled, and where the board shrinks under the cursor."""
    browser.open(address + "#3x3/1.2.3.4.5.6.7.8.0/last")
    browser.wait(READY)
    browser.evaluate("document.querySelector('#board').focus()")
    browser.press("ArrowRight")
    expect("what slid is announced", browser.text("#say") == "tile 8 right, 1 move")
    browser.tab_to("#undo")
    browser.press("Enter")
    expect("and what slid back", browser.text("#say") == "tile 8 left, 0 moves")
    expect("nothing to undo", browser.evaluate("document.querySelector('#undo').disabled"))
    expect("the board has the focus", browser.evaluate("document.activeElement.id") == "board")
    browser.click("#edit")
    for key in ("Down", "Down", "Right", "Right"):
        browser.press("Arrow" + key)
    expect("the last cell", browser.text("#say") == "blank, row 3, column 3")
    browser.choose("#width", "2")
    browser.choose("#height", "2")
    browser.click("#edit")
    browser.press("ArrowRight")
    expect("a cell that there is", browser.text("#say") == "tile 2, row 1, column 2")
    # Solve and Stop replace each other; a search that begins while one plays takes no focus.
    browser.open("about:blank")
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.evaluate('''addEventListener('focusin', ({ target }) => (window.focused ??= []).push(target.id))''')
    browser.tab_to("#solve")
    browser.press("Enter")
    browser.wait("document.querySelector('#answer-title').textContent === '31 moves'", 10)
    expect("Stop had the focus", browser.evaluate("focused.slice(-3).join()") == "solve,stop,solve")
    browser.click("#follow")
    browser.wait("document.querySelector('#answer-title').textContent === '31 moves to go'", 10)
    browser.evaluate("document.activeElement.blur()")
    off = next(letter for letter in "LRD" if letter != browser.text("#letters")[0])
    browser.press({"L": "ArrowLeft", "R": "ArrowRight", "D": "ArrowDown"}[off])
    browser.wait("document.querySelector('#letters').textContent.length === 30", 10)
    expect("nothing has the focus", browser.evaluate("document.activeElement === document.body"))


def a_server_that_is_silent_for_a_while(browser, address):
    """Its search goes on, and its answer arrives."""
    browser.open(address + "#3x3/8.6.7.2.5.4.3.0.1/last")
    browser.wait(READY)
    browser.evaluate("""(() => {
        window.EventSource = class {
            static CLOSED = 2;
            constructor() { setTimeout(() => { this.readyState = 2; this.onerror(); }, 0); }
            addEventListener() {}
            close() {}
        };
        const fast = window.fetch;
        window.silent = 2;
        window.fetch = async (path, options) => {
            if (/^\\/api\\/solve\\/[^/]+$/.test(path) && window.silent-- > 0) throw new TypeError('no network');
            return fast(path, options);
        };
    })()""")
    browser.click("#solve")
    browser.wait("document.querySelector('#search-title').textContent === 'The server does not answer, trying again'", 10)
    browser.wait("document.querySelector('#answer-title').textContent === '31 moves'", 20)


def a_server_that_returns(browser, address):
    """Then the page checks the board that it could not check."""
    browser.open(address + "#3x3/1.2.3.4.5.6.7.8.0/last")
    browser.wait(READY)
    browser.evaluate("""(() => {
        window.fast = window.fetch;
        window.fetch = async () => { throw new TypeError('no network'); };
    })()""")
    notice = "document.querySelector('#notice')"
    browser.choose("#goal", "first")
    browser.wait(f"{notice}.textContent.startsWith('The server does not answer')")
    browser.evaluate("window.fetch = window.fast, 0")
    browser.wait(f"{notice}.hidden", 10)
    browser.wait("document.querySelector('#heuristic-about').textContent.includes('table')")


def serve(*options):
    return subprocess.Popen([tessera, "serve", "--port", "0", "--threads", "2", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def the_token_is_used_and_leaves_the_address(browser):
    server = serve("--token", "auto")
    try:
        address = server.stdout.readline().strip()
        browser.open(address + "#3x3/1.2.3.4.5.6.7.0.8/last")
        browser.wait(READY)
        expect("it leaves the address", browser.evaluate("location.search") == "")
        browser.click("#solve")
        browser.wait("document.querySelector('#answer-title').textContent === '1 move'", 10)
        address = browser.evaluate("location.href")
        browser.open("about:blank")
        browser.open(address)
        browser.wait(READY)
        browser.open("about:blank")
    finally:
        server.kill()
        server.wait()


def without_storage(browser):
    """A browser that denies it, and a token, which is then known until the page is left."""
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source="""
        for (const area of ['localStorage', 'sessionStorage'])
            Object.defineProperty(window, area, { get() { throw new DOMException('denied', 'SecurityError'); } });""")["identifier"]
    server = serve("--token", "auto")
    try:
        browser.open(server.stdout.readline().strip() + "#3x3/1.2.3.4.5.6.7.0.8/last")
        browser.wait(READY)
        browser.click("#theme")
        browser.click("#solve")
        browser.wait("document.querySelector('#answer-title').textContent === '1 move'", 10)
        expect(f"the console is clean without storage: {browser.complaints}", browser.complaints == [])
        browser.open("about:blank")
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        server.kill()
        server.wait()


def main():
    browser = start_browser(*sys.argv[2:])
    server = serve()
    try:
        address = server.stdout.readline().strip()
        for part in (play_to_the_end, far_from_the_goal, unsolvable, stop_a_long_search,
                     answers_of_other_boards_are_not_shown, a_stop_is_never_lost, who_leaves_ends_the_search,
                     heuristics_of_another_size_are_not_offered, enter_on_a_choice_starts_no_search, boards_of_all_formats_are_pasted, a_scramble_is_pasted, games_are_timed,
                     a_run_is_undone_as_one_move, letters_slide_tiles_and_control_z_undoes, swipes_slide_tiles, the_game_is_analysed, the_way_is_followed, the_way_is_found_again,
                     editing_and_playing_exclude_each_other, an_edit_of_the_goal_begins_a_game, good_moves_are_marked, goals_have_names, a_goal_drawn_by_keyboard_is_shared,
                     what_is_found_in_ten_seconds, an_address_without_a_board, another_metric_is_followed, why_no_answer_came,
                     numbers_are_rounded_once, the_focus_is_never_lost, a_server_that_is_silent_for_a_while, a_server_that_returns, more_tabs_than_connections, all_is_reached_and_read, on_a_phone_in_the_dark, everything_has_a_name):
            start = time.monotonic()
            part(browser, address)
            browser.open("about:blank")
            expect(f"the console is clean after {part.__name__}: {browser.complaints}", browser.complaints == [])
            print(f"{part.__name__}: {time.monotonic() - start:.1f} s")
        the_token_is_used_and_leaves_the_address(browser)
        without_storage(browser)
        server.send_signal(signal.SIGINT)
        expect("Ctrl-C ends it", server.wait(5) == 0)
    finally:
        browser.close()
        server.kill()
        server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
