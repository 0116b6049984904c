# SPDX-License-Identifier: MIT
"""An optimal solver of sliding-tile puzzles.

>>> import tessera
>>> tessera.solve("1 2 3/4 0 6/7 5 8").moves
'UL'

Boards are given as `Board`, as text in any form that the command line reads, as rows, as a flat list of tiles, or
as a numpy array or pandas table of shape (height, width); 0, None or "_" is the blank, or the largest number if there
is none of these. Moves are letters U, D, L and R, the direction in which a tile moves.
"""

from __future__ import annotations

import atexit
import functools
import inspect
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex, TypeVar, Union

from . import _tessera

__version__: str = _tessera.__version__
__all__ = [
    "Board", "Error", "InputError", "Nodes", "ResourceError", "Result", "SetBoard", "Solver", "analyse", "boards",
    "census", "estimate", "format_moves", "generate", "optimize", "parse_moves", "sets", "solve", "solve_many", "verify",
]


class Error(Exception):
    """What the program would report in one line."""


class InputError(Error, ValueError):
    """A bad board, an unknown name, or options that exclude one another."""


class ResourceError(Error, MemoryError):
    """Not enough memory or disk."""


atexit.register(_tessera.end_all)

_beginning = threading.RLock()  # one thread begins a solver anew


def _renew_lock() -> None:
    global _beginning
    _beginning = threading.RLock()


os.register_at_fork(after_in_child=_renew_lock)  # another thread of the parent may have held it

_tessera.set_errors(lambda kind, message: {1: InputError, 2: ResourceError}.get(kind, Error)(message))

_Function = TypeVar("_Function", bound=Callable[..., Any])
_KINDS: dict[str, tuple[str, Any]] = {
    "int": ("a whole number", SupportsIndex), "float": ("a number", SupportsFloat), "str": ("text", str),
    "os.PathLike[str]": ("a path", (str, os.PathLike)),
    "bool": ("True or False", (SupportsIndex, SupportsFloat, type(None)))}  # also numpy's, and numbers, as pybind11
_RANGES = {"threads": (0, 4096), "count": (1, 10**9), "at_once": (1, 10**9), "scramble": (0, 10**6),
           "window": (0, 10**6)}


def _expect_plain(name: str, text: str) -> None:
    if "\0" in text:
        raise InputError(f"{name}: {text!r} has a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}: {text!r} is not valid Unicode") from None


def _checked(function: _Function) -> _Function:
    """Reports arguments that are not of their annotated type, or numbers out of range, in one line."""
    signature = inspect.signature(function)

    def check(name: str, value: Any) -> None:
        kind, _, optional = str(signature.parameters[name].annotation).partition(" | ")
        if kind not in _KINDS or (value is None and optional == "None"):
            return
        expected, types = _KINDS[kind]
        if not isinstance(value, types):
            raise TypeError(f"{name}: expected {expected}, not {value!r}")
        if kind == "str":
            _expect_plain(name, value)
        if kind == "float":
            try:
                float(value)
            except OverflowError:
                raise InputError(f"{name}: expected a smaller number") from None
        least, most = _RANGES.get(name, (0, 2**63 - 1))
        if kind == "int" and not least <= int(value) <= most:
            raise InputError(f"{name}: expected a number from {least} to {most}, not {value}")

    @functools.wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        try:
            given = signature.bind(*arguments, **options).arguments
        except TypeError:
            return function(*arguments, **options)  # which reports it
        for name, value in given.items():
            check(name, value)
        return function(*arguments, **options)

    return checked  # type: ignore[return-value]


BoardLike = Union["Board", str, Sequence[int], Sequence[Sequence[int]], Any]
Size = Union[str, int, tuple[int, int]]  # "4x3", 4 or (4, 3): columns and rows


class Board:
    """A board: a value, which can be compared, hashed and printed.

    `size` is (width, height); it is needed where the text or list has no rows and is no square.
    """

    __slots__ = ("_native",)
    _native: _tessera.NativeBoard

    def __init__(self, board: BoardLike, size: Size | None = None) -> None:
        self._native = _native_board(board, size)

    @classmethod
    @_checked
    def from_text(cls, text: str, size: Size | None = None) -> Board:
        """Reads one board in any form of docs/formats.md. Raises InputError."""
        return cls(text, size)

    @classmethod
    @_checked
    def read(cls, text: str) -> list[Board]:
        """Reads all boards of a text: lines, grids, CSV or JSON lines. Raises InputError."""
        return [cls(board) for board in _tessera.NativeBoard.parse_all(_unicode(text))]

    @classmethod
    def goal(cls, size: Size, name: BoardLike = "last") -> Board:
        """The goal of that name: last, first, spiral, snake, columns, or a board."""
        return cls(_tessera.NativeBoard.goal(*_extent(size), _goal_text(name)))

    @property
    def width(self) -> int:
        """Columns."""
        return self._native.width

    @property
    def height(self) -> int:
        """Rows."""
        return self._native.height

    @property
    def tiles(self) -> list[int]:
        """width * height numbers, row by row."""
        return self._native.tiles

    @property
    def rows(self) -> list[list[int]]:
        """The tiles by row."""
        tiles = self.tiles
        return [tiles[begin:begin + self.width] for begin in range(0, len(tiles), self.width)]

    @_checked
    def after(self, moves: str) -> Board:
        """The board after these moves. Raises InputError that names the first wrong one."""
        return Board(self._native.after(moves))

    def solvable(self, goal: BoardLike = "last") -> bool:
        """Whether any moves lead to the goal, by parity: no search."""
        return self._native.solvable(_goal_text(goal))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy

        return numpy.array(self.rows, dtype=dtype)

    def __str__(self) -> str:
        return self._native.text()

    def __repr__(self) -> str:
        return f"Board({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type[Board], tuple[str]]:
        return Board, (str(self),)


def _extent(size: Size) -> tuple[int, int]:
    parts: Any = size
    if isinstance(size, str):
        parts = size.lower().split("x")
    elif isinstance(size, SupportsIndex) and not hasattr(size, "__len__"):
        parts = (size,)
    try:
        width, height = (int(parts[0]), int(parts[-1])) if len(parts) in (1, 2) else (0, 0)
        if any(not isinstance(part, str) and int(part) != part for part in parts):
            width = height = 0
    except (LookupError, TypeError, ValueError, OverflowError):
        width = height = 0
    if not (0 < width < 1000 and 0 < height < 1000):
        raise InputError(f"invalid size {size!r} (example: 4x3)")
    return width, height


def _is_zero(cell: Any) -> bool:
    try:
        return bool(cell == 0)
    except (TypeError, ValueError):  # pandas.NA
        return False


def _tile(tile: Any) -> int:
    try:
        number = int(tile)
    except (TypeError, ValueError, OverflowError):
        number = -1
    if not 0 <= number < 1000 or (not isinstance(tile, str) and number != tile):
        raise InputError(f"{tile!r} is not a tile, expected a whole number; 0 is the blank")
    return number


def _unicode(text: str) -> str:
    """With question marks for what UTF-8 cannot say, such as lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _native_board(board: BoardLike, size: Size | None = None, name: str = "board") -> _tessera.NativeBoard:
    if isinstance(board, Board):
        board = board._native
    if isinstance(board, _tessera.NativeBoard):
        if size is None:
            return board
        board = board.text()
    if isinstance(board, str):
        return _tessera.NativeBoard.parse(_unicode(board), *(_extent(size) if size is not None else ()))
    rows = _rows_or_cells(board, name)
    if len(rows) == 1 and isinstance(rows[0], list):  # no board has one row
        rows = rows[0]
    cells = [cell for row in rows for cell in (row if isinstance(row, list) else [row])]
    has_rows = bool(rows) and all(isinstance(row, list) for row in rows)
    if has_rows and len({len(row) for row in rows}) != 1:
        raise InputError("the rows of the board have different lengths")
    is_plain = any(map(_is_zero, cells)) and not any(isinstance(cell, str) or cell is None for cell in cells)
    if not is_plain or (has_rows and size is not None):  # which may contradict each other
        return _native_board(_text_of(rows), size)
    if has_rows:
        return _tessera.NativeBoard(len(rows[0]), len(rows), [_tile(tile) for tile in cells])
    side = round(len(rows) ** 0.5)
    if size is None and side * side != len(rows):
        raise InputError(f"{len(rows)} tiles are no square, expected rows or a size")
    width, height = _extent(size) if size is not None else (side, side)
    return _tessera.NativeBoard(width, height, [_tile(tile) for tile in rows])


def _goal_text(goal: BoardLike) -> str:
    """A goal's name, or its tiles; the board that is solved gives the size of a flat list."""
    if isinstance(goal, str):
        _expect_plain("goal", goal)
        return goal
    if isinstance(goal, (Board, _tessera.NativeBoard)):
        return _native_board(goal).text()
    return _unicode(_text_of(_rows_or_cells(goal, "goal")))


def _rows_or_cells(board: Any, name: str) -> list[Any]:
    if hasattr(board, "to_numpy") and not hasattr(board, "tolist"):  # a table of pandas iterates over names of columns
        board = board.to_numpy()
    if hasattr(board, "tolist"):  # numpy
        board = board.tolist()
    if not isinstance(board, Iterable) or isinstance(board, (Mapping, Set)):
        raise TypeError(f"{name}: expected a Board, text, tiles or rows, not {board!r}")
    return [_row_or_cell(item) for item in board]


def _row_or_cell(item: Any) -> Any:
    return list(item) if isinstance(item, Iterable) and not isinstance(item, (str, Mapping, Set)) else item


def _text_of(item: Any) -> str:
    """Of rows, cells, or one cell."""
    if isinstance(item, list):
        return f"[{','.join(map(_text_of, item))}]"
    return "_" if item is None else f'"{item}"' if isinstance(item, str) else str(_tile(item))


class Nodes(NamedTuple):
    """Exact counts: nodes whose successors were produced, and successors counted one by one."""

    expanded: int
    generated: int


class Result:
    """The answer for one board."""

    board: Board
    status: str  # solved, unsolvable, limit, stopped or memory
    length: int | None  # moves of the solution, in the metric; None: no solution is known
    moves: str | None
    lengths: dict[str, int] | None  # of the moves in both metrics: single, multi
    optimal: bool  # proven: no solution is shorter
    lower_bound: int | None  # proven: no solution is shorter than this; None: unsolvable
    upper_bound: int | None  # of the shortest known solution
    nodes: Nodes
    iterations: list[dict[str, Any]]  # bound, expanded, generated, seconds, complete
    solutions: int | None  # with all=True: the number of optimal solutions; None: not counted
    all_moves: list[str] | None  # with all=True: the first max_solutions of them, in move order; None: not listed
    good_moves: dict[str, int] | None  # with all=True: how many of all begin with each first move; None: not listed
    heuristic: str
    seconds: float  # wall time of the search
    setup_seconds: float  # wall time to build or open tables

    def __init__(self, board: Board, found: dict[str, Any]) -> None:
        self.board = board
        vars(self).update(found, nodes=Nodes(**found["nodes"]))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values, for json or pandas."""
        row = dict(vars(self))
        row["board"] = str(self.board)
        row["nodes"] = self.nodes._asdict()
        return row

    def __repr__(self) -> str:
        return f"Result(status={self.status!r}, length={self.length}, optimal={self.optimal}, moves={self.moves!r})"


class Solver:
    """Solves boards with the same options; keeps threads and tables between boards.

    heuristic: "auto" or a name as for the command line. metric: "single" (a step of one tile) or "multi" (a step of a
    row of tiles). goal: last, first, spiral, snake, columns or a board. engine: ida, iddfs, iddfs-pruned, astar,
    greedy, bfs or beam. threads: 0 means all CPUs. time_limit: seconds for each board. node_limit: nodes generated for
    each board, 0 for none. memory: bytes, 0 for what the machine has. all: count all optimal solutions and list the
    first max_solutions of them (1000; 0 only counts). finish_iteration: visit all nodes of the last bound, so that
    counts do not depend on threads. tables: the folder of pattern databases. Raises InputError for options that exclude
    one another.
    """

    @_checked
    def __init__(self, heuristic: str = "auto", metric: str = "single", goal: BoardLike = "last", threads: int = 0,
                 time_limit: float | None = None, all: bool = False, *, engine: str = "ida", node_limit: int = 0,
                 memory: int = 0, max_solutions: int = 1000, finish_iteration: bool = False,
                 tables: os.PathLike[str] | str = "") -> None:
        folder = os.fsdecode(tables)
        _expect_plain("tables", folder)
        self._options = (heuristic, metric, _goal_text(goal), engine, threads, time_limit, node_limit, memory, all,
                         max_solutions, finish_iteration, folder)
        self._stopped = False
        self._begin()

    def _begin(self) -> None:
        self._turn = threading.RLock()  # threads that share this solver wait for each other
        self._native = _tessera.NativeSolver(*self._options)
        if self._stopped:
            self._native.stop()
        self._process = os.getpid()

    def _here(self) -> Any:
        """What to hold while one searches. A child of fork has none of the parent's threads, and begins anew."""
        if self._process != os.getpid():
            with _beginning:
                if self._process != os.getpid():
                    self._begin()
        return self._turn

    def solve(self, board: BoardLike, on_bound: Callable[[dict[str, Any]], None] | None = None) -> Result:
        """Solves one board on all threads. `on_bound` is called after each bound. Ctrl-C stops it."""
        if on_bound is not None and not callable(on_bound):
            raise TypeError(f"on_bound: expected a function, not {on_bound!r}")
        native = _native_board(board)
        with self._here():
            return Result(Board(native), self._native.solve(native, on_bound))

    @_checked
    def solve_many(self, boards: Iterable[BoardLike], at_once: int = 256) -> Iterator[Result]:
        """The results in the order of the boards, which are solved side by side, `at_once` at a time. An invalid board,
        or one that the options do not suit, raises InputError or TypeError with its number, after the results of the
        boards before it."""
        if isinstance(boards, str) or not isinstance(boards, Iterable):
            raise TypeError(f"boards: expected a list of boards (Board.read reads a text), not {boards!r}")
        waiting: list[Board] = []
        first = 1  # number of the first that waits
        for number, board in enumerate(boards, 1):
            try:
                waiting.append(Board(board))
            except (InputError, TypeError) as error:
                yield from self._solved(waiting, first)
                raise type(error)(f"board {number}: {error}") from None
            if len(waiting) == at_once:
                yield from self._solved(waiting, first)
                waiting, first = [], number + 1
        yield from self._solved(waiting, first)

    def _solved(self, boards: list[Board], first: int) -> Iterator[Result]:
        """The results of boards with numbers from `first` on. If the options do not suit one of them, halves are tried
        until it is alone."""
        if not boards:
            return
        try:
            with self._here():
                found = self._native.solve_batch([board._native for board in boards])
        except InputError as error:
            half = len(boards) // 2
            if half == 0:
                raise InputError(f"board {first}: {error}") from None
            yield from self._solved(boards[:half], first)
            yield from self._solved(boards[half:], first + half)
            return
        yield from map(Result, boards, found)

    @_checked
    def analyse(self, board: BoardLike, moves: str) -> dict[str, Any]:
        """See tessera.analyse."""
        with self._here():
            return self._native.analyse(_native_board(board), moves)

    @_checked
    def optimize(self, board: BoardLike, moves: str, window: int = 0) -> dict[str, Any]:
        """See tessera.optimize."""
        with self._here():
            return self._native.optimize(_native_board(board), moves, window)

    def estimate(self, board: BoardLike) -> list[dict[str, Any]]:
        """See tessera.estimate."""
        with self._here():
            return self._native.estimate(_native_board(board))

    def stop(self) -> None:
        """Stops solve(), solve_many() or analyse() in another thread, within milliseconds once it searches; later calls
        of these return without a search."""
        self._stopped = True
        self._here()
        self._native.stop()


def solve(board: BoardLike, heuristic: str = "auto", metric: str = "single", goal: BoardLike = "last", threads: int = 0,
          time_limit: float | None = None, all: bool = False,
          on_bound: Callable[[dict[str, Any]], None] | None = None, **options: Any) -> Result:
    """Solves one board. Options as for Solver, which is faster for many boards with tables."""
    return Solver(heuristic, metric, goal, threads, time_limit, all, **options).solve(board, on_bound)


def solve_many(boards: Iterable[BoardLike], heuristic: str = "auto", metric: str = "single", goal: BoardLike = "last",
               threads: int = 0, time_limit: float | None = None, all: bool = False, at_once: int = 256,
               **options: Any) -> Iterator[Result]:
    """See Solver.solve_many; the other options are those of Solver."""
    return Solver(heuristic, metric, goal, threads, time_limit, all, **options).solve_many(boards, at_once)


class SetBoard(NamedTuple):
    """A board of a built-in set."""

    id: str
    board: Board
    goal: str  # of the set: solve(entry.board, goal=entry.goal)
    length: int | None  # of an optimal solution; None: not known


def sets() -> list[str]:
    """The names of the built-in sets of boards."""
    return _tessera.sets()


@_checked
def boards(set: str, metric: str = "single") -> list[SetBoard]:
    """The boards of a built-in set, all or some: "korf100", "korf100:1-10". Optimal lengths are in metric single,
    except those of hardest15, which has boards for either metric."""
    found, goal = _tessera.boards(set, metric)
    return [SetBoard(id, Board(board), goal, length or None) for id, board, length in found]


@_checked
def generate(size: Size, count: int = 1, seed: int | None = 1, scramble: int | None = None,
             goal: BoardLike = "last") -> list[Board]:
    """The boards of `tessera generate --size SIZE --count COUNT --seed SEED [--scramble MOVES]`; others at each call
    with seed None."""
    seed = secrets.randbits(63) if seed is None else seed
    return [Board(board) for board in _tessera.generate(*_extent(size), count, seed, scramble, _goal_text(goal))]


@_checked
def verify(board: BoardLike, moves: str, goal: BoardLike = "last") -> bool:
    """Whether the moves lead from the board to the goal."""
    start = Board(board)
    end = Board.goal((start.width, start.height), _goal_text(goal))
    try:
        return start.after(moves) == end
    except InputError:
        return False


def analyse(board: BoardLike, moves: str, heuristic: str = "auto", metric: str = "single", goal: BoardLike = "last",
            threads: int = 0, time_limit: float | None = None, **options: Any) -> dict[str, Any]:
    """Follows a game. Returns a dictionary:

    `distances` after 0, 1, ... moves (None where `time_limit`, in seconds for each board, left only a bracket),
    `brackets` as (lower, upper or None), `mistakes` with `move` (from 1), the distances `before` and `after` it and a
    `better` solution from the board before; `length` of the game and `optimal_length`.
    """
    return Solver(heuristic, metric, goal, threads, time_limit, **options).analyse(board, moves)


def optimize(board: BoardLike, moves: str, heuristic: str = "auto", metric: str = "single", threads: int = 0,
             time_limit: float | None = None, window: int = 0, *, node_limit: int = 0, memory: int = 0,
             tables: os.PathLike[str] | str = "") -> dict[str, Any]:
    """Shortens moves of any board, as `tessera optimize` does; they need not end at a goal.

    Searches windows of the moves again, ever longer ones (up to `window` moves; 0: no limit), each within
    `node_limit` nodes (0: 200,000); then beam searches, until nothing gets shorter or `time_limit` (in seconds) ends
    it. Returns `moves`, from the same board to the same board, with their `length` in the metric and `lengths` in both;
    `length_before`; `optimal`: proven for these two boards; the longest `window` that was searched; `status`
    (finished or limit) and `seconds`.
    """
    solver = Solver(heuristic, metric, threads=threads, time_limit=time_limit, node_limit=node_limit, memory=memory,
                    tables=tables)
    return solver.optimize(board, moves, window)


def estimate(board: BoardLike, heuristic: str = "auto", metric: str = "single", goal: BoardLike = "last",
             threads: int = 0, **options: Any) -> list[dict[str, Any]]:
    """The nodes that each bound is expected to expand, from a sample of the tree, up to the median of the estimated
    length: `bound`, `expanded`, `generated`, and the interval from `low` to `high` that holds `expanded` for 95 of 100
    boards."""
    return Solver(heuristic, metric, goal, threads, **options).estimate(board)


@_checked
def census(size: Size, metric: str = "single", goal: BoardLike = "last", threads: int = 1) -> dict[str, Any]:
    """Counts all states of a size: `widths` by depth, `states`, `radius`, `seconds`."""
    return _tessera.census(*_extent(size), metric, _goal_text(goal), threads)


def _one_of(name: str, value: str, *values: str) -> str:
    if value not in values:
        raise InputError(f"{name}: expected {' or '.join(values)}, not {value!r}")
    return value


@_checked
def parse_moves(text: str, moves_of: str = "tile") -> str:
    """Letters from moves as people write them: R3 U2, in either case. `moves_of`: tile or blank."""
    return _tessera.parse_moves(text, _one_of("moves_of", moves_of, "tile", "blank") == "blank")


@_checked
def format_moves(moves: str, notation: str = "letters", moves_of: str = "tile") -> str:
    """Moves as `letters` (RRRUU) or `counts` (R3 U2), of the tile or the blank."""
    return _tessera.format_moves(moves, _one_of("notation", notation, "letters", "counts") == "counts",
                                 _one_of("moves_of", moves_of, "tile", "blank") == "blank")
