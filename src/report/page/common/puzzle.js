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

/** The board after these moves, or null at the rim. */
export function replayed(width, height, tiles, letters) {
  return [...letters].reduce((board, letter) => board && moved(width, height, board, letter), tiles);
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
  return movesOf(letters, metric).length;
}

/** The moves of these letters, each as its letters. */
export function movesOf(letters, metric) {
  return metric === 'single' ? [...letters] : letters.match(/(.)\1*/g) ?? [];
}

/** The letters of moves as people write them, such as `R3 U2 d l`; null if the text is none. */
export function lettersOf(text) {
  if (!/^\s*([RULD]([1-9]\d{0,2})?[\s,]*)+$/i.test(text)) return null;
  return text.toUpperCase().replace(/[\s,]/g, '').replace(/([RULD])(\d+)/g, (_, letter, count) => letter.repeat(count));
}

/** The cells clockwise from the top left to the middle. */
function spiral(width, height) {
  const path = [];
  let [cell, step, nextStep] = [-1, 1, width]; // now and after the next turn
  let [length, nextLength] = [width, height - 1]; // cells from turn to turn
  while (length > 0) {
    for (let i = 0; i < length; ++i) path.push(cell += step);
    [step, nextStep, length, nextLength] = [nextStep, -step, nextLength, length - 1];
  }
  return path;
}

// The cells of tiles 1, 2, ... and, last, of the blank, as --goal names them.
const cellsOf = (width, height, cellAt) => Array.from({ length: width * height }, (_, i) => cellAt(i));
const goalPaths = {
  last: (width, height) => cellsOf(width, height, (i) => i),
  first: (width, height) => cellsOf(width, height, (i) => (i + 1) % (width * height)),
  spiral,
  snake: (width, height) => cellsOf(width, height, (i) => {
    const column = i % width;
    return Math.floor(i / width) % 2 ? i - column + width - 1 - column : i;
  }),
  columns: (width, height) => cellsOf(width, height, (i) => (i % height) * width + Math.floor(i / height)),
};

export const goalNames = Object.keys(goalPaths);

export function namedGoal(name, width, height) {
  const tiles = Array(width * height).fill(0);
  goalPaths[name](width, height).slice(0, -1).forEach((cell, i) => { tiles[cell] = i + 1; });
  return tiles;
}

/** A board in the page's address: 4x4/1.2.3.…/last */
export function toAddress(state) {
  const goal = state.goalName === 'drawn' ? state.goal.join('.') : state.goalName;
  return `#${state.width}x${state.height}/${state.tiles.join('.')}/${goal}`;
}

/** Null where the address holds none, or a wrong one. */
export function fromAddress(hash) {
  const match = /^#([2-8])x([2-8])\/([\d.]+)\/([a-z]+|[\d.]+)$/.exec(hash);
  if (!match) return null;
  const [width, height] = [Number(match[1]), Number(match[2])];
  const cells = width * height;
  const read = (text) => {
    const tiles = text.split('.').map((part) => (part === '' ? NaN : Number(part)));
    const whole = tiles.length === cells && new Set(tiles).size === cells &&
        tiles.every((tile) => tile < cells);
    return whole ? tiles : null;
  };
  const tiles = read(match[3]);
  const named = goalNames.includes(match[4]);
  const goal = named ? namedGoal(match[4], width, height) : read(match[4]);
  if (!tiles || !goal) return null;
  return { width, height, tiles, goal, goalName: named ? match[4] : 'drawn' };
}
