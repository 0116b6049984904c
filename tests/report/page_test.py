#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the page that `tessera report` makes of real results in a headless Chromium.

  page_test.py TESSERA DATA-FOLDER [FOLDER-FOR-SCREENSHOTS]

Ends with 77, and says why, where there is no browser; TESSERA_NEEDS_BROWSER=1 makes that a failure.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from browser import BOARD, expect, start_browser  # noqa: E402

tessera = sys.argv[1]
data = sys.argv[2]

GOAL = " ".join(map(str, range(16)))


def run(*arguments):
    subprocess.run([tessera, *arguments, "--quiet"], check=True, stdout=subprocess.DEVNULL)


def make_pages(folder):
    """A page of every kind of file, one of many boards, one of hostile texts."""
    at = lambda name: os.path.join(folder, name)
    for heuristic in ("manhattan", "linear-conflict"):
        for threads in ("1", "2"):
            run("solve", "--set", "korf100:12,42,55", "--heuristic", heuristic, "--threads", threads, "--json",
                at(f"{heuristic}-{threads}.jsonl"))
    run("solve", "--set", "korf100:1", "--heuristic", "manhattan", "--kernel", "plain", "--threads", "2",
        "--trace", at("trace.json"))
    run("census", "3x3", "--deepest", "2", "--json", at("census.json"))
    run("solve", "--set", "korf100:12", "--heuristic", "manhattan", "--record", at("record"))
    run("simulate", at("record"), "--ranks", "4,16,64", "--iterations", "1", "--schedule", "static,stealing", "--json",
        at("simulation.json"))
    with open(at("games.txt"), "w") as file:
        for name, moves in (("astray", "RLUL"), ("straight", "UL")):
            file.write(json.dumps({"id": name, "board": "1 2 3/4 0 6/7 5 8", "moves": moves}) + "\n")
    run("analyse", "--file", at("games.txt"), "--json", at("games.jsonl"))
    run("optimize", "--file", at("games.txt"), "--json", at("shortened.jsonl"))
    run("report", os.path.join(data, "compare.json"), *(at(f"{h}-{t}.jsonl") for h in ("manhattan", "linear-conflict")
        for t in (1, 2)), at("simulation.json"), at("trace.json"), at("census.json"), at("games.jsonl"),
        at("shortened.jsonl"), "-o", at("all.html"))

    deals = [{"ph": "X", "name": "deal", "pid": 0, "tid": 1, "ts": begin, "dur": 10} for begin in (0, 90)]
    with open(at("idle.json"), "w") as file:
        json.dump({"traceEvents": deals}, file)
    run("report", at("manhattan-1.jsonl"), at("idle.json"), "-o", at("idle.html"))

    boards = subprocess.run([tessera, "generate", "--size", "3x3", "--count", "10000", "--seed", "5"], check=True,
                            stdout=subprocess.PIPE).stdout
    with open(at("boards.txt"), "wb") as file:
        file.write(boards)
    run("solve", "--file", at("boards.txt"), "--json", at("many.jsonl"))
    run("report", at("many.jsonl"), "-o", at("many.html"))

    evil = "</script><script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
    with open(at("manhattan-1.jsonl")) as file:
        row = json.loads(file.readline())
    row.update(id=evil, heuristic=evil, engine="__proto__", backend="constructor", schedule=evil)
    with open(os.path.join(data, "compare.json")) as file:
        comparison = json.load(file)
    comparison.update(verdicts=[evil], study=evil)
    comparison["configurations"][1].update(name=evil, engine=evil)
    with open(at("simulation.json")) as file:
        simulation = json.loads(file.readline())
    simulation.update(id=evil, heuristic=evil, schedule=evil, limit=evil)
    with open(at("hostile.jsonl"), "w") as file:
        file.write("".join(json.dumps(one) + "\n" for one in (row, {**row, "run": evil, "cpu": evil}, comparison, simulation)))
    run("report", at("hostile.jsonl"), "-o", at("hostile.html"))


def make_large(folder):
    """A census of 109 levels, a trace of 256 threads, a comparison of 60 configurations, a hundred boards."""
    at = lambda name: os.path.join(folder, name)
    widths = [max(1, round(1e13 * math.exp(-((depth - 70) / 14) ** 2))) for depth in range(109)]
    with open(at("census-large.json"), "w") as file:
        json.dump({"schema": "tessera.census/1", "size": "4x4", "goal": "first", "metric": "single", "complete": True,
                   "radius": 108, "states": sum(widths), "widths": widths, "deepest": [], "seconds": 1e5, "ranks": 64,
                   "threads": 4, "bytes_written": 10**13, "version": "0"}, file)
    events = []
    for rank in range(64):
        events.append({"ph": "M", "pid": rank, "tid": 0, "name": "process_name", "args": {"name": f"rank {rank}"}})
        for thread in range(4):
            events.append({"ph": "M", "pid": rank, "tid": thread, "name": "thread_name", "args": {"name": f"search {thread}"}})
            for i in range(20):
                events.append({"ph": "X", "pid": rank, "tid": thread, "name": "search" if (i + rank) % 5 else "wait",
                               "ts": i * 1e5, "dur": 9e4})
    with open(at("trace-large.json"), "w") as file:
        json.dump({"traceEvents": events}, file)
    with open(os.path.join(data, "compare.json")) as file:
        comparison = json.load(file)
    like = comparison["configurations"][1]
    comparison["configurations"] = [comparison["configurations"][0]] + [
        {**like, "name": f"{engine} {heuristic}, {2 ** power} threads", "engine": engine, "heuristic": heuristic,
         "workers": 2 ** power, "threads": 2 ** power, "speedup": 0.9 * 2 ** power, "efficiency": 0.9,
         "seconds": {"median": 80 / 2 ** power, "min": 79 / 2 ** power, "max": 82 / 2 ** power}}
        for engine in ("ida", "iddfs", "iddfs-pruned") for heuristic in ("manhattan", "linear-conflict", "pdb:5-5-5", "inversion")
        for power in range(5)]
    comparison["interrupted"] = True
    comparison["command"] = "tessera compare --set haskell:5"
    comparison["finish_iteration"] = True
    comparison["machine"]["cpu_share"] = 0.5
    with open(at("compare-large.json"), "w") as file:
        json.dump(comparison, file)
    boards = subprocess.run([tessera, "generate", "--size", "3x3", "--count", "100", "--seed", "6"], check=True,
                            stdout=subprocess.PIPE).stdout
    with open(at("hundred.txt"), "wb") as file:
        file.write(boards)
    quoted = at("a \"quoted\" & <b>file.jsonl")
    run("solve", "--file", at("hundred.txt"), "--json", quoted)
    run("report", at("compare-large.json"), at("trace-large.json"), at("census-large.json"), quoted, "-o", at("large.html"))


def open_page(browser, folder, name):
    browser.open(f"file://{folder}/{name}.html")
    browser.wait("!document.querySelector('#solutions').hidden && document.querySelector('#sources').textContent !== ''")
    browser.wait("[...document.querySelectorAll('.canvas')].every((canvas) => canvas.firstChild)")


def table_of(browser, title):
    """The texts of the table beside the first plot of that title."""
    return browser.evaluate(f"""(() => {{
        const figure = [...document.querySelectorAll('figure')].find((f) => f.querySelector('h3').textContent === {json.dumps(title)});
        return [...figure.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent));
    }})()""")


def about_of(browser, title):
    return browser.evaluate(f"""[...document.querySelectorAll('figure')]
        .find((f) => f.querySelector('h3').textContent === {json.dumps(title)}).querySelector('.about').textContent""")


def titles_of(browser):
    return browser.evaluate("[...document.querySelectorAll('figure h3')].map((h) => h.textContent)")


def read_rows(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def drawn(browser, title, selector):
    """How many such shapes are in the drawing of the first plot of that title."""
    return browser.evaluate(f"""[...document.querySelectorAll('figure')]
        .find((f) => f.querySelector('h3').textContent === {json.dumps(title)})
        .querySelectorAll({json.dumps('svg.chart ' + selector)}).length""")


def plots_show_what_the_files_hold(browser, folder):
    open_page(browser, folder, "all")
    expect("what compare said", browser.text(".verdicts li").startswith("ida manhattan, 2 threads is 4.8 % faster"))
    expect("speedups", table_of(browser, "Speedup") == [
        ["ida manhattan, serial", "1", "1.00", "100 %", "1.00"], ["threads", "2", "1.93", "96 %", "1.01"],
        ["mpi", "2", "1.84", "92 %", "1.01"]])
    expect("the reference is named", about_of(browser, "Speedup").startswith("How many times as fast as ida manhattan, serial."))
    expect("two lines and the ideal one", drawn(browser, "Speedup", "path.line") == 3)
    expect("a mark for each", drawn(browser, "Speedup", ".mark") == drawn(browser, "Efficiency", ".mark") == 4)
    expect("medians", [row[1] for row in table_of(browser, "Time")] == ["8.10 s", "4.20 s", "4.40 s", "2.90 s"])
    sections = table_of(browser, "Where the time goes")
    expect("worker seconds", sections[2][1:] == ["8.20 s", "100 ms", "200 ms", "200 ms", "100 ms", "8.80 s"])
    widths = browser.evaluate("""[...document.querySelectorAll('figure')]
        .find((f) => f.querySelector('h3').textContent === 'Where the time goes')
        .querySelector('svg').querySelectorAll('.in-search')[0].getBoundingClientRect().width""")
    well = browser.evaluate("document.querySelector('figure.whole svg .well').getBoundingClientRect().width")
    expect(f"most of the serial time is searching: {widths} of {well}", 0.97 * well < widths < 1.01 * well)
    heuristics = table_of(browser, "Heuristics")
    expect("nodes of heuristics", [row[:2] for row in heuristics] == [
        ["manhattan", "1,500,000,000"], ["linear-conflict", "190,000,000"]])

    with open(os.path.join(folder, "census.json")) as file:
        widths = json.load(file)["widths"]
    census = table_of(browser, "3x3, goal last")
    expect("a column for each depth", [row[1] for row in census] == [f"{w:,}" for w in widths])
    expect("columns", drawn(browser, "3x3, goal last", ".bar") == len(widths) == 32)
    heights = "[...document.querySelectorAll('#census svg .bar')].map((bar) => bar.height.baseVal.value)"
    linear = browser.evaluate(heights)
    expect("the widest is the highest", linear.index(max(linear)) == widths.index(max(widths)))
    browser.click("#census .check input")
    expect("logarithmic", browser.wait(f"(({heights})[2] > {linear[2]} + 20) && ({heights})")[24] == max(browser.evaluate(heights)))

    # Boards differ in h: the mean of those that reached a step above it, while they are at least half.
    steps = {}
    boards = read_rows(os.path.join(folder, "manhattan-1.jsonl"))
    for board in boards:
        for row in board["iterations"]:
            steps.setdefault(row["bound"] - board["iterations"][0]["bound"], []).append(row["generated"])
    expected = [[str(step), round(math.exp(sum(map(math.log, nodes)) / len(nodes))), str(len(nodes))]
                for step, nodes in sorted(steps.items()) if 2 * len(nodes) >= len(boards)]
    shown = [[row[1], int(row[2].replace(",", "")), row[3]] for row in table_of(browser, "Generated nodes") if "manhattan" in row[0]]
    expect(f"nodes per bound: {shown}", shown == expected and len(shown) < len(steps) + 1)
    expect("they say how", "Bounds count from h of the start" in about_of(browser, "Generated nodes"))
    cut = browser.evaluate("""[...document.querySelectorAll('#list-tools select')].filter((select) => {
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(select).font;
        return [...select.options].some((option) => pen.measureText(option.text).width + 32 > select.clientWidth); }).map((select) => select.id)""")
    expect(f"no label is cut: {cut}", cut == [])
    browser.picture("desktop")


def the_timeline(browser, folder):
    open_page(browser, folder, "all")
    rows = table_of(browser, "Workers over time")
    expect("a row for each thread", sum("search " in row[0] for row in rows) == 2)
    expect("they search", all(float(row[-1].split()[0]) > 20 for row in rows if "search " in row[0]))
    paths = drawn(browser, "Workers over time", "path.in-search")
    expect("two threads and how many search", paths == 3)
    span = "document.querySelector('#timeline-1 svg path.in-search').getBBox().width"
    browser.evaluate("document.querySelector('#timeline-1 .check input').click()")
    expect("main threads too", browser.wait("document.querySelectorAll('#timeline-1 svg rect.well').length") == 4)
    name = browser.evaluate("[...document.querySelectorAll('#timeline-1 option')].at(-1).textContent")
    expect("iterations can be looked at", name.startswith("bound "))
    before = browser.evaluate("document.querySelector('#timeline-1 svg').outerHTML.length")
    browser.choose("#timeline-1 select", browser.evaluate("[...document.querySelectorAll('#timeline-1 option')].at(-1).value"))
    browser.wait(f"document.querySelector('#timeline-1 svg').outerHTML.length !== {before}")
    expect("something is drawn", browser.evaluate(span) > 100)
    open_page(browser, folder, "idle")
    expect("who is idle does not search", browser.evaluate(span.replace("width", "height")) == 0)


# ---- runs of solve

def runs_of(browser):
    return browser.evaluate("[...document.querySelectorAll('#runs tbody')][0].innerText.split('\\n').map((row) => row.split('\\t'))")


def tiles_of(browser):
    return browser.evaluate("[...document.querySelectorAll('.overview div')].map((tile) => [tile.lastChild.textContent, tile.firstChild.textContent])")


def run_notes(browser):
    return browser.evaluate("[...document.querySelectorAll('#runs .about')].map((p) => p.textContent).join('|')")


def write_run(folder, name, rows, times, **fields):
    """A result file as of one invocation; `times` are begin and end of each board, `fields` are put into every row."""
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        for row, (begin, end) in zip(rows, times):
            row = {**row, "workers": 1, "begin_seconds": begin, "end_seconds": end, "seconds": end - begin, "cpu_share": 1,
                   "date": "2026-11-25T20:30:52Z", "revision": "38db1f4", "cpu": "a CPU", **fields}
            file.write(json.dumps(row) + "\n")
    return path


def runs_are_series(browser, folder):
    rows = read_rows(os.path.join(folder, "manhattan-2.jsonl"))
    page = os.path.join(folder, "runs.html")
    apart = [(0, 4), (4, 6), (6, 10)]
    together = [(0, 4), (0, 2), (2, 5)]

    def show(*files):
        run("report", *files, "-o", page)
        open_page(browser, folder, "runs")

    one = write_run(folder, "one.jsonl", rows, apart, run="a", threads=1, schedule="stealing")
    two = write_run(folder, "two.jsonl", rows, together, run="b", threads=2, schedule=None)
    show(one, two)
    expect(f"the wall time of a run: {runs_of(browser)}", [row[:4] for row in runs_of(browser)] == [
        ["ida manhattan, 1 thread", "3", "3", "10.0 s"], ["ida manhattan, 2 threads", "3", "3", "5.00 s"]])
    expect("speedup by wall time", [row[1:4] for row in table_of(browser, "Speedup")] == [["1", "1.00", "100 %"], ["2", "2.00", "100 %"]])
    expect(f"boards are counted once: {tiles_of(browser)}", tiles_of(browser)[0] == ["3", "boards in 2 runs, all solved, proven optimal"])
    expect("no sums over runs", len(tiles_of(browser)) == 2)

    # Boards that a batch put back have a schedule, but are of the same run.
    mixed = write_run(folder, "mixed.jsonl", [{**row, "schedule": schedule} for row, schedule in zip(rows, (None, None, "stealing"))],
                      together, run="c", threads=2)
    show(mixed)
    expect("one run", len(runs_of(browser)) == 1 and browser.evaluate("document.querySelector('#list-run-label').hidden"))
    expect("its wall time", ["5.00 s", "wall time"] in tiles_of(browser))
    older = [{key: value for key, value in row.items() if key not in ("run", "begin_seconds", "end_seconds", "workers")}
             for row in read_rows(mixed)]
    with open(os.path.join(folder, "older.jsonl"), "w") as file:
        file.write("".join(json.dumps(row) + "\n" for row in older))
    show(one, os.path.join(folder, "older.jsonl"))
    expect(f"one run in an older file: {runs_of(browser)}", [row[3] for row in runs_of(browser)] == ["10.0 s", "9.00 s (sum)"])
    expect("it says what the sum is", "may have been searched at the same time" in run_notes(browser))
    expect("no speedup of a sum", "Speedup" not in titles_of(browser))

    # Boards that not all have; of a part of a batch no wall time is known.
    short = write_run(folder, "short.jsonl", rows[:2], [(0, 3), (3, 5)], run="d", threads=1, heuristic="walking")
    show(one, two, short)
    expect(f"what is left out: {run_notes(browser)}", "2 of 3 boards are compared; 1 that not all runs solved is left out." in run_notes(browser))
    expect("what cannot be known", "No time of these boards alone is known for ida manhattan, 2 threads" in run_notes(browser))
    expect("the others", [row[:2] for row in table_of(browser, "Time")] == [["ida manhattan, 1 thread", "6.00 s"], ["ida walking, 1 thread", "5.00 s"]])
    expect("bounds of these boards", "2 of 3 boards are compared" in about_of(browser, "Generated nodes"))

    # Repetitions: the median of each number of workers.
    again = [write_run(folder, f"{i}.jsonl", rows[:1], [(0, end)], run=f"r{i}", threads=threads, schedule="stealing", workers=threads)
             for i, (end, threads) in enumerate([(8, 1), (9, 1), (12, 1), (3, 2), (2, 2), (7, 2)])]
    show(*again)
    expect("the files tell them apart", [row[0] for row in runs_of(browser)][:2] == ["ida manhattan, 1 thread (0.jsonl)", "ida manhattan, 1 thread (1.jsonl)"])
    expect("one board", tiles_of(browser)[0] == ["1", "board in 6 runs, solved, proven optimal"])
    expect("medians", [row[1:3] for row in table_of(browser, "Speedup")] == [["1", "1.00"], ["2", "3.00"]])
    many = [write_run(folder, f"{threads}.jsonl", rows[:1], [(0, end)], run=f"m{threads}", threads=threads, schedule="stealing", cpu_share=0.5)
            for end, threads in ((8, 2), (5, 4))]
    show(*many)
    expect("no reference, no speedup", "Speedup" not in titles_of(browser) and "no run has one worker" in run_notes(browser))
    expect("threads without CPUs", "had a CPU for only 50 % of their time" in run_notes(browser))

    # One invocation with two heuristics, and a resumed file: two invocations, one search.
    both = write_run(folder, "both.jsonl", [{**row, "heuristic": h} for row in rows[:2] for h in ("manhattan", "walking")],
                     [(0, 4), (4, 5), (5, 9), (9, 10)], run="e", threads=1)
    show(both)
    expect(f"a series for each heuristic: {runs_of(browser)}", [(row[0], row[3]) for row in runs_of(browser)] == [
        ("ida manhattan, 1 thread", "8.00 s"), ("ida walking, 1 thread", "2.00 s")])
    show(write_run(folder, "overlapping.jsonl", [{**row, "heuristic": h} for row in rows[:2] for h in ("manhattan", "walking")],
                   [(0, 4), (0, 2), (2, 5), (4, 6)], run="i", threads=2, schedule=None))
    expect(f"no wall time where they overlap: {runs_of(browser)}", [(row[0], row[3]) for row in runs_of(browser)] == [
        ("ida manhattan, 2 threads", "–"), ("ida walking, 2 threads", "–")])
    expect("it says why", "No time of these boards alone is known for ida manhattan, 2 threads; ida walking, 2 threads" in run_notes(browser))
    expect("nothing is a sum", "added up" not in run_notes(browser))
    with open(write_run(folder, "resumed.jsonl", rows[:2], apart, run="f", threads=1), "a") as file:
        with open(write_run(folder, "rest.jsonl", rows[2:], [(0, 7)], run="g", threads=1)) as rest:
            file.write(rest.read())
    show(os.path.join(folder, "resumed.jsonl"))
    expect(f"one series: {runs_of(browser)}", [row[:4] for row in runs_of(browser)] == [["ida manhattan, 1 thread", "3", "3", "13.0 s"]])
    # The interval of a board that was resumed is that of its last part.
    show(write_run(folder, "parts.jsonl", rows[:1], [(0, 2)], run="h", threads=1, seconds=5.0))
    expect(f"all parts of a search: {runs_of(browser)}", runs_of(browser)[0][3] == "5.00 s")


def comparisons_claim_what_is_known(browser, folder):
    """The figures at the top, and the labels of answers and luck."""
    with open(os.path.join(data, "compare.json")) as file:
        comparison = json.load(file)
    serial, threads = comparison["configurations"][:2]
    path = os.path.join(folder, "claims.json")

    def show(configurations, pairs):
        comparison.update(configurations=configurations, pairs=pairs)
        with open(path, "w") as file:
            json.dump(comparison, file)
        run("report", path, "-o", os.path.join(folder, "claims.html"))
        browser.open(f"file://{folder}/claims.html")
        browser.wait("document.querySelector('#sources').textContent !== ''")
        return browser.evaluate("document.querySelector('.overview')?.textContent ?? ''")

    pair = {"faster": threads["name"], "slower": serial["name"], "factor": 1.9, "chance": 0.01, "beyond_noise": True}
    expect("a speedup beyond the noise", "1.93" in show([serial, threads], [pair]))
    expect("none within it", show([serial, threads], [{**pair, "beyond_noise": False}]) == "")
    expect("none of heuristics", show([serial, {**serial, "heuristic": "walking", "name": "ida walking, serial"}], []) == "")
    lucky = {**threads, "speedup": 2.5, "efficiency": 1.25, "work_ratio": 0.4, "reference": serial["name"]}
    expect("none of luck", show([serial, lucky], [pair]) == "")
    expect("luck is called so", "0.400 times those of the reference: part of the difference is not speed. Where the last bound ends is luck" in about_of(browser, "Speedup"))
    greedy = {**serial, "engine": "greedy", "name": "greedy manhattan, serial", "moves": 195, "answers": "not optimal", "reference": None, "speedup": None}
    show([serial, greedy], [])
    expect("not optimal", [row[0] for row in table_of(browser, "Time")][1] == "greedy manhattan, serial (not optimal)")
    expect("no speedup of engines", "Speedup" not in titles_of(browser))
    only = {**threads, "speedup": None, "efficiency": None, "search_overhead": None}
    show([only, {**only, "workers": 4, "threads": 4, "name": "ida manhattan, 4 threads"}], [])
    expect("no speedup without a reference", "Speedup" not in titles_of(browser))
    comparison["summary"] = ["1: unsolvable"]
    show([], [])
    expect("no figures where no board is solvable", titles_of(browser) == [] and browser.evaluate(
        "document.querySelector('.verdicts').textContent") == "1: unsolvable")


def simulations(browser, folder):
    open_page(browser, folder, "all")
    expected = sorted(([row["schedule"], f"{row['ranks']:,}", row["speedup"], row["efficiency"]]
                       for row in read_rows(os.path.join(folder, "simulation.json"))), key=lambda row: (row[0], int(row[1])))
    shown = table_of(browser, "Simulated speedup")
    expect(f"a row for each: {shown}", [row[:2] for row in shown] == [row[:2] for row in expected])
    for row, (_, _, speedup, efficiency) in zip(shown, expected):
        expect(f"{row}", abs(float(row[3]) - speedup) < 0.006 and abs(float(row[4].split()[0]) / 100 - efficiency) < 0.006)
    for title in ("Simulated makespan", "Simulated speedup", "Simulated efficiency"):
        expect(f"a mark for each: {title}", drawn(browser, title, ".mark") == 6)


def games_show_their_mistakes(browser, folder):
    open_page(browser, folder, "all")
    expect("moves over the optimum", table_of(browser, "Moves over the optimum") == [["astray", "4", "2", "2", "1"], ["straight", "2", "2", "0", "0"]])
    astray = "Distance from the goal, astray"
    expect("what is left after each move, and the better way", table_of(browser, astray) == [
        ["0", "2", "–"], ["1", "3", "UL"], ["2", "2", "–"], ["3", "1", "–"], ["4", "0", "–"]])
    expect("a mark for each, and one for the mistake", drawn(browser, astray, ".mark") == 6)
    # An unknown distance may hide a mistake.
    games = read_rows(os.path.join(folder, "games.jsonl"))
    games[0].update(brackets=[[2, 2], [1, None], *games[0]["brackets"][2:]], mistakes=[])
    with open(os.path.join(folder, "unknown.jsonl"), "w") as file:
        file.writelines(json.dumps(game) + "\n" for game in games)
    run("report", os.path.join(folder, "unknown.jsonl"), "-o", os.path.join(folder, "unknown.html"))
    browser.open(f"file://{folder}/unknown.html")
    browser.wait("document.querySelector('.canvas svg') !== null")
    expect("no number of mistakes", table_of(browser, "Moves over the optimum") == [["astray", "4", "2", "2", "–"], ["straight", "2", "2", "0", "0"]])
    expect("at least none", " · at least 0 mistakes · " in about_of(browser, astray))


def a_very_long_game_is_drawn(browser, folder):
    """With more values than a call takes as arguments."""
    game = read_rows(os.path.join(folder, "games.jsonl"))[0]
    length = 130_000
    game.update(length=length, mistakes=[], brackets=[[left, left] for left in range(length, -1, -1)])
    with open(os.path.join(folder, "long.jsonl"), "w") as file:
        file.write(json.dumps(game) + "\n")
    run("report", os.path.join(folder, "long.jsonl"), "-o", os.path.join(folder, "long.html"))
    browser.open(f"file://{folder}/long.html")
    browser.wait("document.querySelector('#sources').textContent !== '' && document.querySelector('.canvas svg') !== null")
    title = "Distance from the goal"
    expect("a mark for each distance", drawn(browser, title, ".mark") == length + 1)
    expect("and a row", browser.evaluate("document.querySelectorAll('#games tbody tr').length") == length + 1)


def shortened_solutions_show_both_lengths(browser, folder):
    open_page(browser, folder, "all")
    title = "Moves before and after"
    expect("lengths", table_of(browser, title) == [["astray", "4", "2", "50 %", "yes"], ["straight", "2", "2", "0 %", "yes"]])
    expect("a bar for each, a part for what is left out", drawn(browser, title, ".bar") == 3)


def plots_are_saved(browser, folder):
    """As SVG that stands alone, with its title and legend, in the colors of paper."""
    target = os.path.join(folder, "saved")
    os.mkdir(target)
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=target)
    browser.dark(True)
    open_page(browser, folder, "all")
    for title, texts in (("Speedup", {"Speedup", "threads", "mpi", "ideal", "workers"}), ("Time", {"Time", "8.10 s"}),
                         ("Workers over time", {"searches", "search 0"}), ("3x3, goal last", {"depth"})):
        browser.evaluate(f"""[...document.querySelectorAll('figure')].find((f) => f.querySelector('h3').textContent === {json.dumps(title)})
            .querySelector('.save').click()""")
        name = os.path.join(target, re.sub("[^a-z0-9]+", "-", title.lower()) + ".svg")
        for _ in range(200):
            if os.path.exists(name):
                break
            time.sleep(0.05)
        root = xml.etree.ElementTree.parse(name).getroot()
        shown = {"".join(text.itertext()).strip() for text in root.iter("{http://www.w3.org/2000/svg}text")}
        expect(f"its texts: {shown}", texts <= shown)
        with open(name) as file:
            source = file.read()
        expect("nothing of the page", all(part not in source for part in ("var(", "class=", "color-mix", "color(srgb", "<style", "href")))
        expect("colors of paper", 'fill="#ffffff"' in source and "#17696a" in source)
        inks = {text.get("fill") for text in root.iter("{http://www.w3.org/2000/svg}text")}
        expect(f"dark texts: {inks}", inks == {"#000000", "#333333"})
        box = [float(n) for n in root.get("viewBox").split()]
        browser.open(f"file://{name}")
        outside = browser.evaluate("""[...document.querySelectorAll('text')].filter((text) => {
            const [a, b] = [text.getBoundingClientRect(), document.documentElement.getBoundingClientRect()];
            return a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 1; }).map((text) => text.textContent)""")
        expect(f"nothing leaves it: {outside}, {box}", outside == [])
        browser.picture("saved-" + os.path.basename(name).removesuffix(".svg"))
        open_page(browser, folder, "all")
    browser.dark(False)


def play_to_the_end(browser, folder):
    open_page(browser, folder, "all")
    start = browser.evaluate(BOARD)
    length = int(browser.text("#answer-title").split()[0])
    expect("it begins with the board", start != GOAL)
    browser.evaluate("document.querySelector('#speed').value = 5")
    browser.click("#board")
    expect("focus on the board", browser.evaluate("document.activeElement.id") == "board")
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.press("ArrowLeft")
    expect("arrows step", browser.evaluate("document.querySelector('#place').value") == "1")
    browser.press(" ")
    browser.wait(f"{BOARD} === '{GOAL}'", 60)
    label = browser.evaluate("document.querySelector('#board').getAttribute('aria-label')")
    expect(f"a screen reader hears of it: {label}", f"after {length} moves, solved: blank 1 2 3; 4 5" in label)
    browser.press("Home")
    expect("back to the start", browser.evaluate(BOARD) == start)
    browser.press("End")
    expect("to the end", browser.evaluate(BOARD) == GOAL)
    browser.click("#to-start")
    browser.press("Tab")
    expect("focus is seen", browser.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid")


def a_list_of_many(browser, folder):
    start = time.monotonic()
    open_page(browser, folder, "many")
    print(f"  10,000 boards open in {time.monotonic() - start:.2f} s")
    expect("fast", time.monotonic() - start < 5)
    size = os.path.getsize(os.path.join(folder, "many.html"))
    expect(f"a third of what solve wrote: {size}", size < os.path.getsize(os.path.join(folder, "many.jsonl")) / 3)
    expect("pages", browser.text("#list-place") == "1–20 of 10,000")
    browser.click("#list-forth")
    expect("the next", browser.text("#list-place") == "21–40 of 10,000" and browser.text("#list-rows th button") == "21")
    browser.evaluate("document.querySelector('#list-filter').value = '100'")
    browser.evaluate("document.querySelector('#list-filter').dispatchEvent(new Event('input', { bubbles: true }))")
    browser.evaluate("document.querySelector('#list-forth').focus()")
    browser.press("Enter")
    expect("the last page", browser.text("#list-place") == "21–21 of 21" and browser.evaluate("document.querySelector('#list-forth').disabled"))
    expect("the focus is not lost", browser.evaluate("document.activeElement.contains(document.querySelector('#list-rows'))")
           and browser.evaluate("document.activeElement !== document.body"))
    browser.evaluate("document.querySelector('#list-filter').value = '9999'")
    browser.evaluate("document.querySelector('#list-filter').dispatchEvent(new Event('input', { bubbles: true }))")
    expect("found", browser.text("#list-place") == "1–1 of 1")
    browser.click("#list-rows button")
    expect("chosen", browser.text("#answer-about").startswith("Board 9999, 3x3. Optimal, verified."))
    with open(os.path.join(folder, "many.jsonl")) as file:
        row = json.loads(file.readlines()[9998])
    expect("its tiles", browser.evaluate(BOARD) == " ".join(map(str, row["board"])))
    expect("its moves", browser.text("#letters") == row["moves"])
    browser.evaluate("document.querySelector('#list-filter').value = ''")
    browser.choose("#list-order", "length")
    browser.evaluate("document.querySelector('#list-order').dispatchEvent(new Event('input', { bubbles: true }))")
    lengths = browser.evaluate("[...document.querySelectorAll('#list-rows td:nth-child(2)')].map((td) => Number(td.textContent))")
    expect("the longest first", lengths == sorted(lengths, reverse=True) and lengths[0] >= 28)


def hostile_texts(browser, folder):
    open_page(browser, folder, "hostile")
    expect("nothing of them ran", browser.evaluate("document.title") == "tessera report")
    expect("nothing of them is markup", browser.evaluate("document.querySelectorAll('main img, main script, main b').length") == 0)
    expect("they are shown", browser.text("#list-rows button").startswith("</script><script>"))
    expect("and as plots", browser.text(".verdicts li").startswith("</script><script>"))
    expect("not wider", browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def on_a_phone_in_the_dark(browser, folder):
    browser.resize(320, 780, mobile=True)
    browser.dark(True)
    for page in ("hostile", "all"):
        open_page(browser, folder, page)
        browser.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        expect(f"{page} is not wider than the screen", browser.evaluate("document.documentElement.scrollWidth") == 320)
    light = browser.evaluate("""getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)""")
    expect("dark ground", max(light) < 60)
    browser.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = false; })")
    before = browser.evaluate(BOARD)
    browser.click("#forth", touch=True)
    browser.wait(f"{BOARD} !== '{before}'")
    small = browser.evaluate("""[...document.querySelectorAll('button, select, .check, nav a')]
        .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 36).map((e) => e.id || e.textContent)""")
    expect(f"all can be hit with a finger: {small}", small == [])
    browser.picture("phone")
    browser.dark(False)
    browser.resize(1280, 900)


def on_paper(browser, folder):
    open_page(browser, folder, "all")
    pdf = browser.call("Page.printToPDF", printBackground=True)["data"]
    expect("it prints", len(pdf) > 10000)
    expect("tables are closed again", browser.evaluate("document.querySelectorAll('figure details[open]').length") == 0)
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect("all tables are open", browser.evaluate("document.querySelectorAll('details:not([open])').length") == 0)
    buttons = browser.evaluate("[...document.querySelectorAll('button')].filter((b) => b.offsetParent && !b.closest('td, th')).map((b) => b.textContent)")
    expect(f"no buttons: {buttons}", buttons == [])
    browser.call("Emulation.setEmulatedMedia", media="")


def texts_apart(browser, selector):
    """Whether no two texts of a drawing lie over each other, and none leaves it."""
    return browser.evaluate(f"""[...document.querySelectorAll({json.dumps(selector)})].flatMap((svg) => {{
        const outer = svg.getBoundingClientRect();
        const boxes = [...svg.querySelectorAll('text')].map((text) => [text.firstChild?.textContent, text.getBoundingClientRect()]);
        const wrong = boxes.filter(([, box]) => box.left < outer.left - 2 || box.right > outer.right + 2).map(([text]) => `${{text}} leaves`);
        boxes.forEach(([a, x], i) => boxes.slice(i + 1).forEach(([b, y]) => {{
            if (x.left + 1 < y.right && y.left + 1 < x.right && x.top + 4 < y.bottom && y.top + 4 < x.bottom) wrong.push(`${{a}} over ${{b}}`);
        }}));
        return wrong;
    }})""")


def large_files(browser, folder):
    make_large(folder)
    for width in (1280, 320):
        browser.resize(width, 900, mobile=width < 500)
        start = time.monotonic()
        open_page(browser, folder, "large")
        expect(f"it opens quickly: {time.monotonic() - start:.2f} s", time.monotonic() - start < 3)
        about = browser.text("#census .about")
        expect(f"long times are read easily: {about}", "27 h 46 min" in about)
        expect("109 columns", drawn(browser, "4x4, goal first", ".bar") == 109)
        expect("a bar for each configuration", drawn(browser, "Time", ".bar") == 61)
        expect("a row for each thread", drawn(browser, "Workers over time", "rect.well") >= 256)
        wrong = texts_apart(browser, "svg.chart")
        expect(f"texts lie apart at {width} px: {wrong}", wrong == [])
        expect("not wider", browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        browser.picture(f"large-{width}")
    browser.resize(1280, 900)
    comparison = browser.text("#comparison-1")
    expect("an interrupted comparison", "interrupted before all of" in comparison)
    expect("its command line", "tessera compare --set haskell:5" in comparison)
    expect("no luck of the last bound", "Where the last bound ends is luck" not in comparison)
    expect("threads without CPUs", "a CPU for only 50 % of their time" in comparison)
    expect("the file's name", '"quoted" & <b>file.jsonl' in browser.text("#sources"))
    start = time.monotonic()
    for wanted in ("9", "99", ""):
        browser.evaluate(f"document.querySelector('#list-filter').value = '{wanted}'; "
                         "document.querySelector('#list-filter').dispatchEvent(new Event('input', {bubbles: true}))")
    expect("finding is quick", time.monotonic() - start < 1)
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    rows = browser.evaluate("[...document.querySelectorAll('#list-rows tr')].map((row) => row.lastChild.textContent)")
    browser.call("Emulation.setEmulatedMedia", media="print")
    heights = browser.evaluate("[...document.querySelectorAll('svg.chart')].map((svg) => svg.getBoundingClientRect().height)")
    expect(f"no drawing is higher than a page: {heights}", max(heights) < 22.1 / 2.54 * 96)
    expect("they are of all configurations", drawn(browser, "Time", ".bar") == 61)
    browser.call("Emulation.setEmulatedMedia", media="")
    expect(f"all boards are printed: {len(rows)}", len(rows) == 100 and all(set(row) <= set("UDLR") for row in rows) and any(rows))
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    expect("and a page of them again", browser.evaluate("document.querySelectorAll('#list-rows tr').length") == 20)


def links_lead_to_their_sections(browser, folder):
    open_page(browser, folder, "all")
    for link in browser.evaluate("[...document.querySelectorAll('#contents a')].map((a) => a.getAttribute('href'))"):
        browser.click(f"#contents a[href='{link}']")
        top = browser.wait(f"location.hash === '{link}' && [document.querySelector('{link} h2').getBoundingClientRect().top]")[0]
        below = browser.evaluate("document.querySelector('#contents').getBoundingClientRect().bottom")
        end = browser.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        expect(f"{link} is seen below the contents: {top}, {below}", below <= top < 300 or (end and top >= below))
    stops = browser.tab_stops(120)
    expect(f"focus is seen everywhere: {stops}", [stop for stop in stops if not stop[1]] == [])
    expect(f"all is reached: {stops}", {"board", "run", "list-filter", "list-order"} <= {stop[0] for stop in stops})


def texts_have_contrast(browser, folder):
    for dark in (False, True):
        browser.dark(dark)
        open_page(browser, folder, "all")
        browser.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        faint = browser.faint_texts()
        expect(f"contrast, dark {dark}: {faint}", faint == [])
    open_page(browser, folder, "all")
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    ink = browser.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    expect(f"paper is white, ink black: {ink}", ink == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])
    faint = browser.faint_texts()
    expect(f"contrast on paper: {faint}", faint == [])
    wide = browser.evaluate("Math.max(...[...document.querySelectorAll('svg.chart')].map((svg) => svg.viewBox.baseVal.width))")
    expect(f"plots are as wide as paper: {wide}", wide == 680)
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
    browser.dark(False)


def everything_has_a_name(browser, folder):
    open_page(browser, folder, "all")
    nodes = [n for n in browser.call("Accessibility.getFullAXTree")["nodes"] if not n["ignored"]]
    roles = {"button", "combobox", "slider", "searchbox", "checkbox", "application", "image", "table", "region", "link"}
    nameless = [n["role"]["value"] for n in nodes
                if n.get("role", {}).get("value") in roles and not n.get("name", {}).get("value")]
    expect(f"every control and plot has a name: {nameless}", nameless == [])
    named = [n["name"]["value"] for n in nodes if n.get("name") and n["role"]["value"] == "image"]
    expect("plots say what they show", any(n.startswith("Speedup. The best is 1.93 with 2 workers.") for n in named))


def main():
    browser = start_browser(*sys.argv[3:])
    folder = tempfile.mkdtemp(prefix="tessera-report-")
    try:
        start = time.monotonic()
        make_pages(folder)
        print(f"make_pages: {time.monotonic() - start:.1f} s")
        for part in (plots_show_what_the_files_hold, runs_are_series, comparisons_claim_what_is_known, simulations,
                     games_show_their_mistakes, a_very_long_game_is_drawn,
                     shortened_solutions_show_both_lengths,
                     plots_are_saved, the_timeline, play_to_the_end, a_list_of_many, hostile_texts,
                     on_a_phone_in_the_dark, on_paper, large_files, links_lead_to_their_sections,
                     texts_have_contrast, everything_has_a_name):
            start = time.monotonic()
            part(browser, folder)
            browser.open("about:blank")
            expect(f"the console is clean after {part.__name__}: {browser.complaints}", browser.complaints == [])
            print(f"{part.__name__}: {time.monotonic() - start:.1f} s")
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
