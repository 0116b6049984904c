#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays on the page of `tessera serve` in a headless Chromium.

  page_test.py TESSERA [FOLDER-FOR-SCREENSHOTS]

Ends with 77, and says why, where there is no browser; TESSERA_NEEDS_BROWSER=1 makes that a failure.
"""

import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from browser import expect, start_browser  # noqa: E402

tessera = sys.argv[1]
pictures = sys.argv[2] if len(sys.argv) > 2 else None

TILES = "[...document.querySelectorAll('#board .tile')]"
BOARD = f"{TILES}.sort((a, b) => a.dataset.cell - b.dataset.cell).map((t) => t.textContent || '0').join(' ')"
SOLVED = " ".join(map(str, list(range(1, 16)) + [0]))


def picture(browser, name):
    if pictures:
        time.sleep(0.3)  # tiles come to rest
        browser.screenshot(os.path.join(pictures, name + ".png"))


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
    picture(browser, "solution")
    browser.evaluate("document.querySelector('#speed').value = 5")
    browser.click("#run")
    browser.wait(f"{BOARD} === '{SOLVED}'", 60)
    browser.wait("document.querySelector('#moves-word').textContent.includes('solved')")
    expect("the moves are counted", browser.text("#moves") == str(length))
    expect("a screen reader hears of it", browser.evaluate(
        "document.querySelector('#board').getAttribute('aria-label')") == "Board, 4 by 4, solved")
    picture(browser, "solved")
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
    browser.click("#paste")
    browser.evaluate("document.querySelector('#paste-text').value = '1 2 3 4\\n5 6 7 8\\n9 10 11 12\\n13 15 15 0'")
    browser.click("#paste-ok")
    browser.wait("document.querySelector('#paste-error').textContent.includes('15')")
    browser.evaluate("document.querySelector('#paste-text').value = '1 2 3 4\\n5 6 7 8\\n9 10 11 12\\n13 15 14 0'")
    browser.click("#paste-ok")
    browser.wait("!document.querySelector('#paste-dialog').open")
    notice = browser.wait("!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent")
    expect("said at once with the reason", notice.startswith("Unsolvable. ") and "odd number of swaps (1)" in notice)
    expect("there is nothing to solve", browser.evaluate("document.querySelector('#solve').disabled"))
    picture(browser, "unsolvable")
    # Two tiles swapped by hand mend it.
    browser.click("#edit")
    browser.click("#board .tile[data-cell='13']")
    browser.click("#board .tile[data-cell='14']")
    browser.wait("!document.querySelector('#solve').disabled && document.querySelector('#notice').hidden")
    expect("the two have changed places", browser.evaluate(BOARD) == SOLVED)


def stop_a_long_search(browser, address):
    tiles = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"
    browser.open(f"{address}#5x5/{tiles.replace(' ', '.')}/first")
    browser.wait("[...document.querySelectorAll('#heuristic option')].some((o) => o.value === 'pdb:6-6-6-6')")
    browser.choose("#heuristic", "manhattan")
    browser.click("#solve")
    browser.wait("document.querySelectorAll('#rows tr').length > 3")
    browser.wait("/[MBK]$/.test(document.querySelector('#rate').textContent)")
    picture(browser, "searching")
    browser.click("#stop")
    browser.wait("document.querySelector('#answer-title').textContent === 'No answer yet'", 5)
    expect("it may be asked again", browser.evaluate("!document.querySelector('#solve').hidden"))


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
    picture(browser, "phone")
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


def main():
    browser = start_browser()
    server = subprocess.Popen([tessera, "serve", "--port", "0", "--threads", "2"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = server.stdout.readline().strip()
        for part in (play_to_the_end, far_from_the_goal, unsolvable, stop_a_long_search,
                     on_a_phone_in_the_dark, everything_has_a_name):
            start = time.monotonic()
            part(browser, address)
            browser.open("about:blank")
            expect(f"the console is clean after {part.__name__}: {browser.complaints}", browser.complaints == [])
            print(f"{part.__name__}: {time.monotonic() - start:.1f} s")
        server.send_signal(signal.SIGINT)
        expect("Ctrl-C ends it", server.wait(5) == 0)
    finally:
        browser.close()
        server.kill()
        server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
