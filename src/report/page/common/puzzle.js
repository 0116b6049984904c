// SPDX-License-Identifier: MIT
// Boards as arrays of tiles, row by row, with 0 for the blank; a move is the letter of the
// direction in which the tile slides.

export const opposite = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** The cell that the blank goes to when a tile slides that way, or -1 at the rim. */
export function blankTarget(width, height, blank, letter) {
  const column = blank % width;
  const row = Math.floor(blank / width);
  switch (letter) {
    case 'U': return row + 1 < height ? blank + width : -1;
    case 'D': return row > 0 ? blank - width : -1;
    case 'L': return column + 1 < width ? blank + 1 : -1;
    case 'R': return column > 0 ? blank - 1 : -1;
  }
  return -1;
}

/** The board after a move, or null at the rim. */
export function moved(width, height, tiles, letter) {
  const blank = tiles.indexOf(0);
  const target = blankTarget(width, height, blank, letter);
  if (target < 0) return null;
  const next = tiles.slice();
  next[blank] = next[target];
  next[target] = 0;
  return next;
}

/** The moves that bring the blank to a cell in its row or column; empty for others. */
export function lettersTo(width, tiles, cell) {
  const blank = tiles.indexOf(0);
  const columns = (cell % width) - (blank % width);
  const rows = Math.floor(cell / width) - Math.floor(blank / width);
  if (columns !== 0 && rows !== 0) return '';
  if (columns !== 0) return (columns > 0 ? 'L' : 'R').repeat(Math.abs(columns));
  return (rows > 0 ? 'U' : 'D').repeat(Math.abs(rows));
}

/** How many moves letters are: runs of equal ones are one in metric multi. */
export function countMoves(letters, metric) {
  if (metric === 'single') return letters.length;
  let runs = 0;
  for (let i = 0; i < letters.length; ++i) if (letters[i] !== letters[i - 1]) ++runs;
  return runs;
}

export function namedGoal(name, cells) {
  const tiles = Array.from({ length: cells }, (_, i) => i);
  if (name === 'last') tiles.push(tiles.shift());
  return tiles;
}

/** A board in the page's address: 4x4/1.2.3.…/last */
export function toAddress(state) {
  const goal = state.goalName === 'drawn' ? state.goal.join('.') : state.goalName;
  return `#${state.width}x${state.height}/${state.tiles.join('.')}/${goal}`;
}

/** Null where the address holds none, or a wrong one. */
export function fromAddress(hash) {
  const match = /^#([2-6])x([2-6])\/([\d.]+)\/(last|first|[\d.]+)$/.exec(hash);
  if (!match) return null;
  const [width, height] = [Number(match[1]), Number(match[2])];
  const cells = width * height;
  const read = (text) => {
    const tiles = text.split('.').map(Number);
    const whole = tiles.length === cells && new Set(tiles).size === cells &&
        tiles.every((tile) => tile < cells);
    return whole ? tiles : null;
  };
  const tiles = read(match[3]);
  const named = match[4] === 'last' || match[4] === 'first';
  const goal = named ? namedGoal(match[4], cells) : read(match[4]);
  if (!tiles || !goal) return null;
  return { width, height, tiles, goal, goalName: named ? match[4] : 'drawn' };
}
