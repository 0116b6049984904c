#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A bot that answers boards. It keeps one tessera running, whose tables are loaded only once.

    echo '1 2 3/4 0 6/7 5 8' | examples/bot.py [PROGRAM]
"""
import json
import subprocess
import sys


class Tessera:
    def __init__(self, program="tessera"):
        self.process = subprocess.Popen([program, "solve", "--file", "-", "--stream", "--quiet"], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def solve(self, board, **options):
        """The row of a board (schema tessera.result/1); options as in docs/formats.md."""
        self.process.stdin.write(json.dumps({"board": board, **options}) + "\n")
        return json.loads(self.process.stdout.readline())

    def close(self):
        """Ends the session; its exit code is 0 if every board was answered."""
        self.process.stdin.close()
        return self.process.wait()


def reply(row):
    if row["status"] == "solved":
        return f"{row['length']} moves: {row['moves']}"
    return row.get("message", row["status"])


if __name__ == "__main__":
    tessera = Tessera(*sys.argv[1:])
    for message in sys.stdin:
        print(reply(tessera.solve(message.strip(), time_limit="10s")), flush=True)
    sys.exit(tessera.close())
