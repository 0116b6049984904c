# SPDX-License-Identifier: MIT
"""The Python package: its answers are the program's."""

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import tessera

PROGRAM = os.environ["TESSERA_PROGRAM"]
HARD = "15 11 8 12 14 10 9 13 2 6 1 4 3 7 5 0"  # 80 moves from goal first


def program(*arguments, text=None):
    return subprocess.run([PROGRAM, *arguments], input=text, check=True, capture_output=True, text=True).stdout


def test_solves_a_board():
    result = tessera.solve("1 2 3/4 0 6/7 5 8", threads=1)
    assert (result.status, result.length, result.moves, result.optimal) == ("solved", 2, "UL", True)
    assert result.lower_bound == result.upper_bound == 2
    assert result.nodes.expanded > 0
    assert result.board.after(result.moves) == tessera.Board.goal("3x3")


def test_agrees_with_the_program():
    boards = tessera.generate("4x4", count=8, seed=7)
    printed = program("generate", "--size", "4x4", "--count", "8", "--seed", "7").splitlines()
    assert [" ".join(map(str, board.tiles)) for board in boards] == [line.split(": ")[1] for line in printed[:8]]
    rows = program("solve", "--file", "-", "--heuristic", "manhattan", "--finish-iteration", "--json", "-", "--quiet",
                   text="\n".join(" ".join(map(str, board.tiles)) for board in boards))
    solved = tessera.solve_many(boards, "manhattan", finish_iteration=True)
    for row, result in zip(map(json.loads, rows.splitlines()), solved, strict=True):
        assert row["length"] == result.length
        assert row["nodes"] == result.to_dict()["nodes"]
        assert tessera.verify(result.board, result.moves)
        json.dumps(result.to_dict())


def test_threads_share_a_solver():
    boards = tessera.generate("3x3", count=40, seed=3)
    solver = tessera.Solver("manhattan", threads=2)
    with ThreadPoolExecutor(4) as threads:
        lengths = [result.length for result in threads.map(solver.solve, boards)]
    assert lengths == [tessera.solve(board, "manhattan").length for board in boards]


def test_a_solver_lives_through_a_fork():
    board = tessera.Board("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")  # beyond the bounds that need no threads
    solver = tessera.Solver("linear-conflict", threads=2, goal="first")
    length = solver.solve(board).length
    child = os.fork()
    if child == 0:
        try:
            answer = solver.solve(board).length
            del solver
        except BaseException:
            answer = 0
        os._exit(answer)
    for _ in range(600):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child does not end")
    assert os.waitstatus_to_exitcode(status) == length
    assert solver.solve(board).length == length


def child_of(work):
    """The exit code of a child of fork that does this work."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_stopped_solver_stays_so_through_a_fork():
    board = "8 6 7/2 5 4/3 0 1"
    solver = tessera.Solver("manhattan", threads=1)

    def is_stopped():
        return int(solver.solve(board).status == "stopped")

    def stop():
        solver.stop()
        return is_stopped()

    assert child_of(is_stopped) == 0
    assert child_of(stop) == 1
    assert not is_stopped()
    solver.stop()
    assert child_of(is_stopped) == 1


def test_threads_of_a_child_take_turns():
    board = "1 2 3/4 8 5/7 0 6"
    solver = tessera.Solver("manhattan", threads=1)
    length = solver.solve(board).length

    def all_solve():
        start = threading.Barrier(6)

        def solve(_):
            start.wait()
            return solver.solve(board).length == length

        with ThreadPoolExecutor(6) as threads:
            return int(all(threads.map(solve, range(6))))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        assert [child_of(all_solve) for _ in range(30)] == [1] * 30
    finally:
        sys.setswitchinterval(interval)


def test_the_interpreter_ends_beside_a_search():
    code = ("import tessera, threading\n"
            "searching = threading.Event()\n"
            "def search():\n"
            "    for _ in range(1000):\n"
            f"        tessera.solve('{HARD}', 'manhattan', goal='first', on_bound=lambda bound: searching.set())\n"
            "threading.Thread(target=search, daemon=True).start()\n"
            "searching.wait()\n")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_child_ends_without_the_parents_threads():
    code = ("import os, sys, tessera, threading\n"
            "searching = threading.Barrier(5)\n"
            "def search():\n"
            f"    tessera.solve('{HARD}', 'manhattan', goal='first', threads=1, on_bound=begun())\n"
            "def begun():\n"
            "    waiting = [searching]\n"
            "    return lambda bound: waiting and waiting.pop().wait()\n"
            "for _ in range(4): threading.Thread(target=search, daemon=True).start()\n"
            "searching.wait()\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    for _ in range(12):\n"
            "        other = threading.Thread(target=sum, args=([1, 2],))\n"
            "        other.start()\n"
            "        other.join()\n"
            "    sys.exit(0)\n"
            "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n")
    ended = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_generating_can_be_interrupted():
    generating = subprocess.Popen([sys.executable, "-c", "import tessera; print('begun', flush=True); "
                                   "tessera.generate('4x4', 1_000_000_000)"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
    assert generating.stdout.readline() == "begun\n"
    generating.send_signal(signal.SIGINT)
    _, errors = generating.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors


def test_estimates_are_of_ida_star():
    with pytest.raises(tessera.InputError, match="only for engine ida"):
        tessera.Solver(engine="astar").estimate("1 2 3/4 0 6/7 5 8")
    assert tessera.Solver().estimate("1 2 3/4 5 6/7 8 0") == []
    with pytest.raises(tessera.ResourceError):
        tessera.Solver("pdb:7-8", memory=1 << 20, goal="first").estimate("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")


def test_a_bad_board_is_named_after_the_results_before_it():
    solved = tessera.solve_many(["1 2 3/4 0 6/7 5 8", "1 1 1"], "manhattan", at_once=10)
    assert next(solved).length == 2
    with pytest.raises(tessera.InputError, match="^board 2: "):
        next(solved)
    solved = tessera.solve_many(["1 2 3/4 0 6/7 5 8", None], "manhattan", at_once=10)
    assert next(solved).length == 2
    with pytest.raises(TypeError, match="^board 2: "):
        next(solved)
    small, large = "1 2 3/4 0 6/7 5 8", tessera.Board.goal(4)  # the goal is not one of 4x4
    solved = tessera.solve_many([small] * 5 + [large, small], "manhattan", goal="1 2 3/4 5 6/7 8 0", at_once=4)
    assert [next(solved).length for _ in range(5)] == [2] * 5
    with pytest.raises(tessera.InputError, match="^board 6: "):
        next(solved)


def test_boards_in_any_form():
    board = tessera.Board("1 2 3/4 0 6/7 5 8")
    assert board == tessera.Board([1, 2, 3, 4, 0, 6, 7, 5, 8]) == tessera.Board([[1, 2, 3], [4, 0, 6], [7, 5, 8]])
    assert board == tessera.Board.from_text("[[1,2,3],[4,_,6],[7,5,8]]")
    for form in ([1, 2, 3, 4, "_", 6, 7, 5, 8], [1, 2, 3, 4, None, 6, 7, 5, 8], [[1, 2, 3], [4, "", 6], [7, 5, 8]],
                 [1, 2, 3, 4, 9, 6, 7, 5, 8], ["123", "4_6", "758"], ["1 2 3", "4 0 6", "7 5 8"], list("123406758")):
        assert board == tessera.Board(form), form
    assert tessera.Board("1 2 3 4 5 0", size="3x2").rows == [[1, 2, 3], [4, 5, 0]]
    assert tessera.Board([[1, 2, 3], [4, 5, 0]], size="3x2").rows == [[1, 2, 3], [4, 5, 0]]
    assert tessera.Board.read("1 2 3 4 0 6 7 5 8\n1 2 3 4 5 6 7 0 8\n")[0] == board
    assert len({board, tessera.Board(board)}) == 1
    assert tessera.Board([[1, 2, 3, 0]]) == tessera.Board([1, 2, 3, 0]) == tessera.Board("[[1,2,3,0]]")
    assert tessera.Board([[1, 2, 3, 4, 5, 0]], size="3x2") == tessera.Board("1 2 3/4 5 0")
    assert not tessera.Board("1 2 3/4 5 6/8 7 0").solvable()
    assert tessera.solve("1 2 3/4 5 6/8 7 0").status == "unsolvable"


def test_numpy():
    numpy = pytest.importorskip("numpy")
    tiles = numpy.array([[1, 2, 3], [4, 0, 6], [7, 5, 8]])
    board = tessera.Board(tiles)
    assert (numpy.array(board) == tiles).all()
    assert tessera.solve(tiles).length == 2


def test_tables_are_read_by_row():
    class Table:  # as those of pandas
        def __iter__(self):
            return iter(range(4))  # the names of columns

        def to_numpy(self):
            return [[3, 2], [1, 0]]

    assert tessera.Board(Table()) == tessera.Board("3 2/1 0")
    assert tessera.solve("3 2/1 0", goal=Table()).length == 0


def test_tables_are_in_the_folder_of_a_path(tmp_path):
    assert tessera.solve("0 3/2 1", "pdb:3", tables=tmp_path).length == 6
    assert list(tmp_path.glob("*.pdb"))
    with pytest.raises(TypeError, match="^tables: expected a path, not 5$"):
        tessera.Solver(tables=5)


def test_errors_are_exceptions_with_the_programs_messages():
    with pytest.raises(tessera.InputError, match="manhatten.*manhattan"):
        tessera.solve("1 2 3/4 0 6/7 5 8", heuristic="manhatten")
    with pytest.raises(ValueError, match="twice"):
        tessera.Board("1 1 3/4 0 6/7 5 8")
    with pytest.raises(tessera.Error):
        tessera.Board("1 2 3/4 0 6/7 5 8").after("LLL")
    with pytest.raises(tessera.InputError):
        tessera.census("9x9")


def test_bounds_are_reported():
    bounds = []
    result = tessera.solve("8 6 7 2 5 4 3 0 1", "manhattan", on_bound=bounds.append, finish_iteration=True)
    assert [bound["bound"] for bound in bounds] == [row["bound"] for row in result.iterations]
    assert sum(bound["expanded"] for bound in bounds) == result.nodes.expanded

    def fail(_):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        tessera.solve("8 6 7 2 5 4 3 0 1", "manhattan", on_bound=fail)


def test_limits_leave_a_bracket():
    result = tessera.solve(HARD, "manhattan", goal="first", node_limit=1000)
    assert result.status == "limit" and not result.optimal
    assert result.lower_bound > 0 and result.length is None


def test_the_interpreter_runs_while_a_search_does():
    solver = tessera.Solver("zero", goal="first", threads=1)
    results = []
    thread = threading.Thread(target=lambda: results.append(solver.solve(HARD)))
    thread.start()
    solver.stop()  # this thread has the lock although the other searches
    thread.join(30)
    assert results[0].status == "stopped"


def interrupted(code, started):
    """The errors of a program that gets Ctrl-C after its first line."""
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline().startswith(started)
    running.send_signal(signal.SIGINT)
    return running.communicate(timeout=30)[1]


def test_ctrl_c_stops_a_search():
    code = ("import tessera;"
            f"tessera.solve('{HARD}', 'zero', goal='first', on_bound=lambda bound: print(bound, flush=True))")
    assert "KeyboardInterrupt" in interrupted(code, "{")


def test_analyses_a_game():
    game = tessera.analyse("1 2 3/4 0 6/7 5 8", "RLUL", heuristic="manhattan")
    assert game["distances"] == [2, 3, 2, 1, 0]
    assert game["mistakes"] == [{"move": 1, "before": 2, "after": 3, "better": "UL"}]
    assert tessera.analyse("1 2 3/4 5 6/7 8 0", "DU")["mistakes"][0]["better"] is None
    assert (game["length"], game["optimal_length"]) == (4, 2)


def test_optimizes_moves_as_the_program_does():
    board = "5 1 2 4/9 6 3 8/13 10 7 12/14 0 11 15"
    moves = "RLDURLDU" + tessera.solve(board).moves
    found = tessera.optimize(board, moves, threads=1)
    row = json.loads(program("optimize", board, "--moves", moves, "--threads", "1", "--json", "-", "--quiet"))
    assert {name: found[name] for name in found if name != "seconds"} == {name: row[name] for name in found
                                                                          if name != "seconds"}
    assert found["length"] == found["lengths"]["single"] == len(moves) - 8 and found["optimal"]
    assert tessera.verify(board, found["moves"])
    assert tessera.optimize(board, "rldu")["moves"] == ""  # need not end at the goal
    with pytest.raises(tessera.InputError, match="move"):
        tessera.optimize(board, "LLLLLL")
    with pytest.raises(TypeError, match="goal"):  # options that would change nothing
        tessera.optimize(board, "rldu", goal="first")


@pytest.mark.parametrize("search", [
    "tessera.solve(board, engine='beam')",
    "tessera.optimize(board, moves, node_limit=10**12)",
    "tessera.solve_many([hard] * 4, 'zero', goal='first').__next__()",
    "tessera.analyse(hard, 'RL' * 200_000, 'zero', goal='first')",  # one board is searched
])
def test_ctrl_c_stops_every_search(search):
    board = tessera.boards("deepcubea48:1")[0].board
    moves = tessera.solve(board, engine="greedy").moves
    # After a second of CPU time, which nothing but a search takes, the handler says so.
    code = ("import signal, tessera; signal.signal(signal.SIGPROF, lambda *_: print('searches', flush=True));"
            f"hard, board, moves = {HARD, str(board), moves}; signal.setitimer(signal.ITIMER_PROF, 1); {search}")
    assert "KeyboardInterrupt" in interrupted(code, "searches")


def test_boards_of_the_built_in_sets():
    assert "korf100" in tessera.sets()
    boards = tessera.boards("korf100")
    assert [(entry.id, entry.goal) for entry in boards] == [(str(i), "first") for i in range(1, 101)]
    assert sum(entry.length for entry in boards) == 5305
    for id, board, goal, length in tessera.boards("korf100:12,42"):
        assert tessera.solve(board, goal=goal).length == length
    assert tessera.boards("deepcubea24:1")[0].length is None
    assert tessera.boards("hardest15:1", metric="multi")[0].length == 43
    with pytest.raises(tessera.InputError, match="korf100"):
        tessera.boards("korf10")


class Missing:  # as pandas.NA
    def __eq__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self):
        return "<NA>"


@pytest.mark.parametrize("call, message", [
    (lambda: tessera.generate(4, count=-1), "count: expected a number from 1 to 1000000000, not -1"),
    (lambda: tessera.generate(4, seed=-1), "seed: expected a number from 0"),
    (lambda: tessera.generate(4, scramble=-3), "scramble: expected"),
    (lambda: tessera.generate(4.0), "invalid size 4.0"),
    (lambda: tessera.generate((4, "a")), "invalid size"),
    (lambda: tessera.generate((float("inf"), 3)), "invalid size"),
    (lambda: tessera.Board.goal((3.7, 3.2)), "invalid size"),
    (lambda: tessera.census(3, threads=-1), "threads: expected a number from 0 to 4096, not -1"),
    (lambda: tessera.solve("0 1/2 3", node_limit=2**70), "node_limit: expected"),
    (lambda: tessera.solve([1.5, 2, 3, 0]), "1.5 is not a tile"),
    (lambda: tessera.solve([1, Missing(), 3, 2]), "<NA> is not a tile, expected a whole number; 0 is the blank"),
    (lambda: tessera.solve(["a", "b", "c", "0"]), "'a' is not a number"),
    (lambda: tessera.Board([[1, 2], [3]]), "the rows of the board have different lengths"),
    (lambda: tessera.Board(["1 2", "3"]), "row 2 has 1 tile"),
    (lambda: tessera.Board([[1, 2, 3], [4, 5, 0]], size="2x3"), "board is 3x2, expected 2x3"),
    (lambda: tessera.Board(tessera.Board("1 2 3/4 5 0"), size=(2, 3)), "board is 3x2, expected 2x3"),
    (lambda: tessera.Board([{1, 2}, {3, 0}]), "{1, 2} is not a tile"),
    (lambda: tessera.Board([]), "no tiles"),
    (lambda: tessera.format_moves("R", "count"), "notation: expected letters or counts, not 'count'"),
    (lambda: tessera.optimize("0 1/2 3", "U", window=-1), "window: expected"),
    (lambda: tessera.solve("1 2 3\udc80"), "'3?' is not a number"),
    (lambda: tessera.solve("0 1/2 3", "\udc80"), "heuristic: '\\udc80' is not valid Unicode"),
    (lambda: tessera.solve("0 1/2 3", tables="\udc80"), "tables: '\\udc80' is not valid Unicode"),
    (lambda: tessera.solve("0 1/2 3", goal="\udc80"), "goal: '\\udc80' is not valid Unicode"),
    (lambda: tessera.solve("0 1/2 3", tables="a\0b"), "tables: 'a\\x00b' has a NUL character"),
    (lambda: tessera.solve("0 1/2 3", "zero\0"), "heuristic: 'zero\\x00' has a NUL character"),
    (lambda: tessera.solve("0 1/2 3", time_limit=10**400), "time_limit: expected a smaller number"),
])
def test_bad_values_are_refused_in_one_line(call, message):
    with pytest.raises(tessera.InputError) as refused:
        call()
    assert str(refused.value).startswith(message) and "\n" not in str(refused.value)


@pytest.mark.parametrize("call, message", [
    (lambda: tessera.generate(4, count="x"), "count: expected a whole number, not 'x'"),
    (lambda: tessera.solve("0 1/2 3", 3), "heuristic: expected text, not 3"),
    (lambda: tessera.solve("0 1/2 3", time_limit="2s"), "time_limit: expected a number, not '2s'"),
    (lambda: tessera.solve("0 1/2 3", threads=1.5), "threads: expected a whole number, not 1.5"),
    (lambda: tessera.solve("0 1/2 3", all="yes"), "all: expected True or False, not 'yes'"),
    (lambda: tessera.Solver(finish_iteration="no"), "finish_iteration: expected True or False, not 'no'"),
    (lambda: tessera.solve("0 1/2 3", on_bound=3), "on_bound: expected a function, not 3"),
    (lambda: tessera.solve("0 1/2 3", goal=5), "goal: expected a Board, text, tiles or rows, not 5"),
    (lambda: tessera.solve("0 1/2 3", goal={1, 0}), "goal: expected a Board, text, tiles or rows, not {0, 1}"),
    (lambda: tessera.Board({1: 2, 3: 0}), "board: expected a Board, text, tiles or rows, not {1: 2, 3: 0}"),
    (lambda: tessera.Board.read(5), "text: expected text, not 5"),
    (lambda: tessera.solve(5), "board: expected a Board, text, tiles or rows, not 5"),
    (lambda: next(tessera.solve_many("0 1/2 3")), "boards: expected a list"),
    (lambda: tessera.analyse("0 1/2 3", None), "moves: expected text, not None"),
    (lambda: tessera.verify("0 1/2 3", 7), "moves: expected text, not 7"),
    (lambda: tessera.Board.from_text(5), "text: expected text, not 5"),
])
def test_arguments_of_another_type_are_named_in_one_line(call, message):
    with pytest.raises(TypeError) as refused:
        call()
    assert str(refused.value).startswith(message) and "\n" not in str(refused.value)


def test_whole_numbers_of_numpy_are_taken():
    numpy = pytest.importorskip("numpy")
    assert len(tessera.generate(numpy.int64(4), count=numpy.int64(2), seed=numpy.uint8(7))) == 2
    assert tessera.solve("0 3/2 1", time_limit=numpy.float32(5), all=numpy.bool_(True)).solutions == 2


def test_lists_all_optimal_solutions():
    result = tessera.solve("0 3/2 1", all=True)
    assert (result.solutions, len(result.all_moves), sum(result.good_moves.values())) == (2, 2, 2)
    assert all(tessera.verify("0 3/2 1", moves) and len(moves) == result.length for moves in result.all_moves)
    first = tessera.solve("0 3/2 1", all=True, max_solutions=1)
    assert (first.solutions, first.all_moves, first.good_moves) == (2, result.all_moves[:1], result.good_moves)
    counted = tessera.solve("0 3/2 1", all=True, max_solutions=0)
    assert (counted.solutions, counted.all_moves) == (2, None)
    assert tessera.solve("0 3/2 1").all_moves is None
    cut = tessera.solve("8 6 7/2 5 4/3 0 1", "manhattan", all=True, threads=1, node_limit=1000)
    assert (cut.status, cut.solutions, cut.all_moves) == ("limit", None, None)
    assert tessera.solve("1 2 3/4 5 6/8 7 0", all=True).solutions == 0


def test_boards_and_results_are_sent_to_other_processes():
    result = tessera.solve("1 2 3/4 0 6/7 5 8")
    for board in (result.board, tessera.Board("5 1 2/4 3 0")):
        assert pickle.loads(pickle.dumps(board)) == copy.deepcopy(board) == board
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()


@pytest.mark.parametrize("goal", [
    "3 2/1 0", tessera.Board("3 2/1 0"), [3, 2, 1, 0], [[3, 2], [1, None]], ["32", "1_"], ["3 2", "1 0"],
])
def test_a_goal_is_a_name_or_a_board(goal):
    board = tessera.generate(2, goal=goal, seed=3)[0]
    moves = tessera.solve(board, goal=goal).moves
    assert board.after(moves) == tessera.Board("3 2/1 0")
    assert tessera.verify(board, moves, goal) and board.solvable(goal)
    assert list(tessera.solve_many([board], goal=goal))[0].moves == moves
    assert tessera.analyse(board, moves, goal=goal)["mistakes"] == []
    assert tessera.census(2, goal=goal)["widths"] == tessera.census(2)["widths"]


def test_the_board_gives_the_size_of_a_goal_without_rows():
    assert tessera.solve("1 2 3/4 5 0", goal=[1, 2, 3, 4, 0, 5]).moves == "R"
    assert tessera.solve("1 2 3/4 5 0", goal=["1", 2, 3, 4, None, 5]).moves == "R"
    assert tessera.Board("1 2 3/4 5 0").solvable(goal=[1, 2, 3, 5, 4, 0]) is False


def test_lengths_in_both_metrics():
    assert tessera.solve("1 2 3/4 5 6/0 7 8").lengths == {"single": 2, "multi": 1}
    assert tessera.solve("1 2 3/4 5 6/8 7 0").lengths is None


def test_random_boards_of_a_size():
    assert tessera.generate(4, seed=7) == tessera.generate("4x4", seed=7) == tessera.generate((4, 4), seed=7)
    assert tessera.generate(4, seed=None) != tessera.generate(4, seed=None)


def test_census_and_estimate():
    census = tessera.census("3x2")
    assert (census["states"], census["radius"], census["widths"][:5]) == (360, 21, [1, 2, 3, 5, 6])
    assert tessera.census("3x2", goal="cell:5")["widths"] == census["widths"]
    estimate = tessera.estimate("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "manhattan", goal="first")
    assert estimate[0]["bound"] == 41
    assert all(bound["low"] <= bound["expanded"] <= bound["high"] for bound in estimate)


def test_census_of_a_row():
    assert tessera.census("1x4")["widths"] == tessera.census((4, 1))["widths"] == [1, 1, 1, 1]


def test_census_beyond_the_memory():
    with pytest.raises(tessera.ResourceError, match="census 4x4: needs 1.27 TiB, .* are free"):
        tessera.census("4x4")


def test_moves():
    assert tessera.parse_moves("r3 U2") == "RRRUU"
    assert tessera.format_moves("RRRUU", "counts") == "R3 U2"
    assert tessera.parse_moves("L", moves_of="blank") == "R"
