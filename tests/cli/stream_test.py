#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""solve --stream, as a program that talks to it sees it.

    PROGRAM=build/release/tessera [MPIRUN=mpirun] [EXAMPLES=examples] tests/cli/stream_test.py
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

PROGRAM = os.environ["PROGRAM"]
MPIRUN = os.environ.get("MPIRUN")
EXAMPLES = os.environ.get("EXAMPLES")
SCHEMA = Path(__file__).parents[2] / "docs/schemas/result.schema.json"
# No heuristic without tables proves the optimum of this one within a lifetime.
HARD = "0 9 5 7 4 3 2 1 20 23 24 8 11 6 15 22 10 21 12 13 14 16 19 17 18"
EASY = "1 2 3/4 0 6/7 5 8"
TWO_WAYS = "0 3/2 1"
LAUNCHER = [MPIRUN, "-np", "2"] if MPIRUN else []


class Session:
    """A running solve --stream; it is killed after a minute, so that no test waits forever."""

    def __init__(self, *options, file="-"):
        self.process = subprocess.Popen(
            [*LAUNCHER, PROGRAM, "solve", "--file", file, "--stream", "--threads", "2", *options], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=1)
        self.alarm = threading.Timer(120, self.process.kill)
        self.alarm.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.alarm.cancel()
        self.process.kill()
        self.process.communicate()

    def send(self, line):
        self.process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")

    def row(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, line):
        self.send(line)
        return self.row()

    def end(self):
        """The rows left and the exit code."""
        out, self.errors = self.process.communicate()
        return [json.loads(line) for line in out.splitlines()], self.process.returncode


def finish(text, *options):
    """Rows, exit code and messages of a session with this input."""
    with Session(*options) as session:
        session.process.stdin.write(text)
        rows, code = session.end()
        return rows, code, session.errors


class Stream(unittest.TestCase):
    def test_answers_each_line_before_the_next_one_is_sent(self):
        with Session() as session:
            for line in (EASY, "seven: 1 2 3 4 0 6 7 5 8", "[[1,2,3],[4,0,6],[7,5,8]]", "12345678_",
                         '{"id":"j","board":[1,2,3,4,0,6,7,5,8]}', '{"board":"1 2 3/4 _ 6/7 5 8","id":9}'):
                row = session.ask(line)
                self.assertEqual(row["status"], "solved", line)
                self.assertEqual(row["length"], 0 if line.startswith("123") else 2)
            self.assertEqual(session.end(), ([], 0))

    def test_numbers_boards_and_skips_blank_lines_and_comments(self):
        rows, code, _ = finish(f"# boards\n\n{EASY}\n   \n{EASY}  # the same\nx: {EASY}\n{EASY}")
        self.assertEqual([row["id"] for row in rows], ["1", "2", "x", "4"])
        self.assertEqual(code, 0)

    def test_reads_what_generate_prints(self):
        for more in ([], ["--format", "csv"], ["--format", "json"], ["--format", "slash"]):
            boards = subprocess.run([PROGRAM, "generate", "4x2", "--goal", "first", "--count", "3", *more],
                                    capture_output=True, text=True, check=True).stdout
            rows, code, _ = finish(boards)
            self.assertEqual([(row["goal"], row["size"], row["status"]) for row in rows],
                             [("first", "4x2", "solved")] * 3, more)
            self.assertEqual(code, 0)

    def test_answers_bad_lines_and_goes_on(self):
        bad = ["1 2 3 4 0 6 7 5 5", "hello", '{"id":"b","board":[1,2]}', '{"id":"k","bord":1}',
               '{"id":"h","board":"%s","heuristic":"manhatan"}' % EASY, '{"cancel":[]}', "\x01", "{", "[" * 5000,
               "7 " * 600000, '{"board":"%s","time_limit":"soon"}' % EASY, '{"board":"%s","node_limit":-1}' % EASY,
               '{"board":"%s","max_solutions":"all"}' % EASY, '{"board":"%s","node_limit":0}' % EASY,
               "a\x01b: " + EASY, '[{"board":"%s","all":true}]' % EASY, '\ufeff{"board":"%s","nonsense":1}' % EASY,
                '{"board":"%s","id":"a\\u0001b"}' % EASY,
               '{"board":"%s","id":"a\\u0001b","time_limit":"soon"}' % EASY]
        with Session() as session:
            for line in bad:
                row = session.ask(line)
                self.assertEqual(row["status"], "error", line)
                self.assertTrue(row["message"].startswith("<stdin>:"), row["message"])
                self.assertNotIn("\n", row["message"])
                self.assertTrue(row["id"].isprintable(), line)
                self.assertFalse(row["optimal"])
                self.assertEqual(session.ask(EASY)["status"], "solved")
            self.assertEqual(session.end(), ([], 2))

    def test_a_board_that_a_beam_does_not_support_is_an_error_of_its_line(self):
        with Session("--engine", "beam", "--metric", "multi", "--heuristic", "runs") as session:
            row = session.ask({"board": "10 7 4 11 13 6 12 8 2 16 3 9 1 15 17 14 0 5", "size": "9x2"})
            self.assertIn("<stdin>:1: beam search in metric multi is for sides of at most 8", row["message"])
            self.assertEqual(session.ask(EASY)["status"], "solved")
            self.assertEqual(session.end(), ([], 2))

    def test_the_first_and_the_last_field_of_a_row_may_be_empty(self):
        rows, _, _ = finish(f"id\tboard\tgoal\n\t{EASY}\t\n")
        self.assertEqual([(row["id"], row["status"]) for row in rows], [("1", "solved")])

    def test_names_the_line_of_a_bad_board(self):
        rows, _, _ = finish(f"\n{EASY}\nx: 1 2 3 4 0 6 7 5 5\n")
        self.assertEqual(rows[1]["id"], "x")
        self.assertIn("<stdin>:3: tile 5 appears twice", rows[1]["message"])
        self.assertEqual([rows[1][key] for key in ("size", "board", "goal", "solvable", "length")], [None] * 5)

    def test_a_table_that_was_overwritten_is_opened_again_after_one_failed_line(self):
        easy = "4 1 2 3 8 5 6 7 0 9 10 11 12 13 14 15"
        hard = "14 10 9 4 13 6 5 8 2 12 7 0 1 3 11 15"  # ranks share it
        for board, *options in ((easy,), (hard, "--batch", "tree"), (easy, "--engine", "astar")):
            with tempfile.TemporaryDirectory() as folder, Session(
                    "--goal", "first", "--heuristic", "pdb:5-5-5", "--pdb-dir", folder, *options) as session:
                self.assertEqual(session.ask(board)["status"], "solved")
                for table in Path(folder).iterdir():
                    with open(table, "r+b") as file:
                        file.write(b"T")  # as it is
                failed = session.ask(board)
                self.assertEqual(failed["status"], "error", options)
                self.assertIn("was overwritten", failed["message"])
                for line in (board, {"board": easy, "heuristic": "manhattan"}):
                    self.assertEqual(session.ask(line)["status"], "solved", options)
                self.assertEqual(session.end(), ([], 6))

    def test_unsolvable_boards_are_answered(self):
        rows, code, _ = finish("1 2 3/4 5 6/8 7 0\n")
        self.assertEqual((rows[0]["status"], rows[0]["solvable"], code), ("unsolvable", False, 0))

    def test_lines_have_their_own_options(self):
        with Session("--heuristic", "manhattan") as session:
            row = session.ask({"board": EASY, "heuristic": "zero", "all": True, "good_moves": True})
            self.assertEqual((row["heuristic"], row["all_moves"], row["good_moves"]), ("zero", ["UL"], {"U": 1}))
            row = session.ask({"board": "1 2 3/0 4 5/7 8 6", "metric": "multi", "heuristic": "auto"})
            self.assertEqual((row["metric"], row["length"]), ("multi", 2))
            row = session.ask({"board": TWO_WAYS, "all": True})
            self.assertEqual((row["solutions"], len(row["all_moves"])), (2, 2))
            row = session.ask({"board": TWO_WAYS, "all": True, "max_solutions": 1})
            self.assertEqual((row["solutions"], len(row["all_moves"])), (2, 1))
            row = session.ask({"board": HARD, "node_limit": 1000})
            self.assertEqual((row["status"], row["optimal"]), ("limit", False))
            row = session.ask({"board": EASY, "goal": "first", "size": "3x3"})
            self.assertEqual((row["goal"], row["status"]), ("first", "solved"))
            for limit in "200ms", "0.2":
                row = session.ask({"board": HARD, "time_limit": limit})
                self.assertEqual((row["status"], row["length"] is None or not row["optimal"]), ("limit", True))
            row = session.ask(EASY)
            self.assertEqual((row["heuristic"], row.get("all_moves")), ("manhattan", None))
            self.assertEqual(session.end(), ([], 4))

    def test_lines_in_metric_multi_are_answered_with_engines_that_store_boards(self):
        for engine in ("astar", "greedy"):
            with Session("--engine", engine) as session:
                row = session.ask({"board": "8 6 7/2 5 4/3 0 1", "metric": "multi", "heuristic": "runs"})
                self.assertEqual((row["status"], row["verified"]), ("solved", True))
                if engine == "astar":
                    self.assertEqual((row["length"], row["optimal"]), (20, True))
                self.assertEqual(session.ask(EASY)["length"], 2)
                self.assertEqual(session.end(), ([], 0))

    def test_a_board_that_runs_or_waits_can_be_cancelled(self):
        with Session("--heuristic", "manhattan") as session:
            for name in ("a", "b", "c", "d"):
                session.send({"id": name, "board": HARD})
            session.send("5: " + EASY)
            for name in ("c", "a", "nobody", "d", "b"):
                session.send({"cancel": name})
            rows = [session.row() for _ in range(5)]
            self.assertEqual([row["id"] for row in rows], ["a", "b", "c", "d", "5"])
            self.assertEqual([row["status"] for row in rows], ["interrupted"] * 4 + ["solved"])
            self.assertEqual(session.end(), ([], 4))

    def test_unordered_answers_come_as_they_are_ready(self):
        with Session("--heuristic", "manhattan", "--unordered") as session:
            session.send({"id": "hard", "board": HARD})
            for number in range(20):
                self.assertEqual(session.ask(f"{number}: {EASY}")["id"], str(number))
            session.send({"cancel": "hard"})
            self.assertEqual(session.row()["status"], "interrupted")
            self.assertEqual(session.end(), ([], 4))

    def test_a_signal_ends_the_session_with_a_row_for_each_line(self):
        if LAUNCHER:
            self.skipTest("mpirun kills its ranks")
        with Session("--heuristic", "manhattan", "--unordered") as session:
            for number in range(8):
                session.send({"id": str(number), "board": HARD})
            self.assertEqual(session.ask("no")["status"], "error")  # all others were read before
            session.process.send_signal(signal.SIGTERM)
            rows, code = session.end()
            self.assertEqual(sorted(row["id"] for row in rows), [str(number) for number in range(8)])
            self.assertEqual({row["status"] for row in rows}, {"interrupted"})
            self.assertEqual(code, 4)

    def test_a_time_limit_that_leaves_lines_unread_is_told(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(f"{HARD}\n{EASY}\n")
            file.flush()
            with Session("--time-limit", "1us", file=file.name) as session:
                self.assertEqual(session.end(), ([], 4))

    def test_small_and_large_numbers_are_times(self):
        with Session() as session:
            self.assertIn(session.ask({"board": EASY, "time_limit": 1e-5})["status"], ("solved", "limit"))
            self.assertIn("too large", session.ask({"board": EASY, "time_limit": 1e300})["message"])
            for none in (0, -1e300):
                self.assertIn("more than 0", session.ask({"board": EASY, "time_limit": none})["message"])

    def test_a_thousand_lines_are_answered_once_in_order_in_flat_memory(self):
        draw = random.Random(1)
        lines, expected = [], []
        for number in range(1, 1001):
            kind = draw.random()
            if kind < 0.05:
                lines.append(f"{number}: 1 2 3 4 5 5 7 8 0")
                expected.append("error")
            elif kind < 0.07:
                lines += [json.dumps({"id": str(number), "board": HARD}), json.dumps({"cancel": str(number)})]
                expected.append("interrupted")
            else:
                tiles = list(range(9))
                draw.shuffle(tiles)
                inversions = sum(a > b > 0 for i, a in enumerate(tiles) for b in tiles[i:])
                expected.append("solved" if inversions % 2 == 0 else "unsolvable")
                lines.append(f"{number}: {' '.join(map(str, tiles))}")
        with Session("--heuristic", "manhattan") as session:
            sender = threading.Thread(target=lambda: [session.send(line) for line in lines])
            sender.start()
            resident = {}
            for number in range(1, 1001):
                row = session.row()
                self.assertEqual((row["id"], row["status"]), (str(number), expected[number - 1]))
                if number in (200, 1000) and not LAUNCHER:
                    status = Path(f"/proc/{session.process.pid}/status").read_text()
                    resident[number] = int(status.split("VmRSS:")[1].split()[0])
            sender.join()
            self.assertEqual(session.end(), ([], 4))
        if resident:
            print(f"resident after 200 lines: {resident[200]} KiB, after 1,000: {resident[1000]} KiB")
            # The address sanitizer keeps what was freed.
            if not os.environ.get("SANITIZE"):
                self.assertLess(resident[1000] - resident[200], 4096)

    def test_a_named_pipe_serves_as_file(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "boards")
            os.mkfifo(pipe)
            with Session(file=pipe) as session:
                with open(pipe, "w", buffering=1) as boards:
                    boards.write(EASY + "\n")
                    self.assertEqual(session.row()["length"], 2)
                    boards.write(EASY + "\n")
                    self.assertEqual(session.row()["id"], "2")
                self.assertEqual(session.end(), ([], 0))

    def test_missing_tables_are_built_once(self):
        with tempfile.TemporaryDirectory() as folder:
            with Session("--pdb-dir", folder, "--heuristic", "pdb:4-4") as session:
                for _ in range(5):
                    self.assertEqual(session.ask(EASY)["heuristic"], "pdb:4-4")
                self.assertEqual(session.end(), ([], 0))
            self.assertEqual(len([name for name in os.listdir(folder) if name.endswith(".pdb")]), 2)

    def test_rows_can_be_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows")
            with Session("--json", path) as session:
                session.send(EASY)
                session.send("no board")
                out, _ = session.process.communicate()
            self.assertIn("1: 2 moves, optimal, verified: UL\n2: <stdin>:2: ", out)
            run = subprocess.run([PROGRAM, "verify", path], capture_output=True, text=True, check=False)
            self.assertEqual((run.stdout, run.returncode), ("2 results checked, 0 wrong, 1 unanswered\n", 0))
            page = os.path.join(folder, "page.html")
            subprocess.run([PROGRAM, "report", path, "-o", page], check=True)

    def test_rows_have_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no module jsonschema")
        schema = json.loads(SCHEMA.read_text())
        rows, _, _ = finish(f'{EASY}\nno\n{{"board":"{EASY}","metric":"x"}}\n1 2 3/4 5 6/8 7 0\n'
                            f'{{"board":"{HARD}","time_limit":"100ms","heuristic":"manhattan"}}\n')
        for row in rows:
            jsonschema.validate(row, schema)

    def test_rows_of_results_are_boards(self):
        rows, _, _ = finish(f"{EASY}\n")
        again, _, _ = finish(json.dumps(rows[0]) + "\n")
        self.assertEqual((again[0]["status"], again[0]["moves"]), ("solved", rows[0]["moves"]))
        unknown, _, _ = finish(f'{{"board":"{EASY}","foo":1}}\n')
        self.assertEqual(unknown[0]["status"], "error")

    def test_an_automaton_leaves_solutions_out(self):
        run = subprocess.run([PROGRAM, "solve", "--file", "-", "--stream", "--prune", "fsm:8"],
                             input=f'{{"board":"{EASY}","all":true}}\n', capture_output=True, text=True, check=False)
        self.assertIn("--all needs parent", json.loads(run.stdout)["message"])

    def test_other_outputs_have_rows_too(self):
        rows = subprocess.run([PROGRAM, "solve", "--file", "-", "--stream", "--csv", "-"], input=f"{EASY}\nno\n",
                              capture_output=True, text=True, check=False).stdout.splitlines()
        self.assertEqual([row.split(",")[0] for row in rows], ["id", "1", "2"])

    def test_a_summary_has_no_heuristic_of_a_refused_line(self):
        with tempfile.TemporaryDirectory() as folder:
            summary = pathlib.Path(folder) / "summary.json"
            subprocess.run([PROGRAM, "solve", "--file", "-", "--stream", "--summary", summary, "--quiet"],
                           input='{"board":"%s","heuristic":"manhatan"}\n' % EASY, capture_output=True, text=True,
                           check=False)
            self.assertEqual(json.loads(summary.read_text())["heuristics"], [])

    def test_options_that_a_stream_does_not_have_are_refused(self):
        for options in (["--stream"], ["--unordered"], ["--stream", "--set", "haskell"],
                        ["--file", "-", "--stream", "--checkpoint", "x"], ["--file", "-", "--stream", "--slice", "1/2"],
                        ["--file", "-", "--stream", "--format", "blocks"], ["--file", "/nowhere/x", "--stream"],
                        ["--file", "-", "--stream", "--goal", "spirall"],
                        ["--file", "-", "--stream", "--heuristic", "manhatan"]):
            run = subprocess.run([PROGRAM, "solve", *options], input="", capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (2, "", 1), run.stderr)

    @unittest.skipUnless(EXAMPLES, "needs EXAMPLES")
    def test_the_example_of_a_bot_answers(self):
        run = subprocess.run([sys.executable, os.path.join(EXAMPLES, "bot.py"), PROGRAM],
                             input=f"{EASY}\nnonsense\n", capture_output=True, text=True, check=False)
        first, second = run.stdout.splitlines()
        self.assertEqual((first, run.returncode), ("2 moves: UL", 2))
        self.assertIn("'nonsense' is not a number", second)


if __name__ == "__main__":
    unittest.main(verbosity=2)
