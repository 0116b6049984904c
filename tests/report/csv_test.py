#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""solve --csv as Python's csv module, and with it pandas, reads it: the same values as --json.

  csv_test.py TESSERA
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

TESSERA = sys.argv[1]
IDS = ["plain", "a, b", 'a "quoted" one', ",", '"', "", "a;b\\c", "-1", "été", " blanks "]
SOLVABLE = [1, 2, 3, 4, 0, 6, 7, 5, 8]
UNSOLVABLE = [1, 2, 3, 4, 5, 6, 8, 7, 0]
HEURISTICS = ["manhattan", "max(walking,misplaced)"]


def solve(folder, boards):
    def path(name):
        return os.path.join(folder, name)

    with open(path("boards"), "w", encoding="utf-8") as file:
        for row in boards:
            file.write(json.dumps(row) + "\n")
    command = [TESSERA, "solve", "--file", path("boards"), "--heuristics", ",".join(HEURISTICS)]
    subprocess.run(command + ["--quiet", "--csv", path("csv"), "--json", path("json")], check=True, stdout=subprocess.PIPE)
    with open(path("csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    with open(path("json"), encoding="utf-8") as file:
        return rows, [json.loads(line) for line in file]


def same(text, value):
    """Whether a field of CSV is that value of JSON."""
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, (int, float)):
        return float(text) == value
    if isinstance(value, list):
        return text == " ".join(map(str, value))
    return text == value


def main():
    boards = [{"id": name, "board": SOLVABLE} for name in IDS]
    boards.append({"id": "unsolvable, it is", "board": UNSOLVABLE})
    with tempfile.TemporaryDirectory() as folder:
        rows, results = solve(folder, boards)
    assert len(rows) == len(results) == len(HEURISTICS) * len(boards), (len(rows), len(results))
    pairs = {(row["id"], row["heuristic"]) for row in rows}
    assert len(pairs) == len(rows), "one row per board and heuristic"
    for row, result in zip(rows, results):
        assert None not in row and None not in row.values(), f"too many or too few fields: {row}"
        result.update(result["nodes"])
        lengths = result["lengths"] or {"single": None, "multi": None}
        result.update({f"lengths_{metric}": length for metric, length in lengths.items()})
        for column, text in row.items():
            assert same(text, result[column]), f"{column}: {text!r} is not {result[column]!r}"
    assert {row["status"] for row in rows} == {"solved", "unsolvable"}


if __name__ == "__main__":
    main()
