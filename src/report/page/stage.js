// SPDX-License-Identifier: MIT
// The board on which solutions are played.

import { byId } from './common/elements.js';
import { Grid } from './common/grid.js';
import { countMoves, replayed } from './common/puzzle.js';
import { moves } from './common/text.js';

export class Stage extends EventTarget {
  constructor() {
    super();
    this.grid = new Grid(byId('board'));
    this.tiles = [];
  }

  /** Another board: its shape and goal. */
  show(width, height, goal, tiles, metric) {
    Object.assign(this, { width, height, goal, metric });
    this.place(tiles, '');
  }

  /** Stands where `letters` lead to from `start`. */
  place(start, letters) {
    this.start = start;
    this.tiles = replayed(this.width, this.height, start, letters);
    const solved = this.grid.draw(this.width, this.height, this.tiles, this.goal);
    byId('board').classList.toggle('solved', solved && letters !== '');
    const rows = [];
    for (let row = 0; row < this.height; ++row) {
      rows.push(this.tiles.slice(row * this.width, (row + 1) * this.width).map((tile) => tile || 'blank').join(' '));
    }
    const after = `${moves(countMoves(letters, this.metric))}${solved ? ', solved' : ''}`;
    byId('board').setAttribute('aria-label', `Board, ${this.width} by ${this.height}, after ${after}: ${rows.join('; ')}`);
    if (letters !== '') byId('say').textContent = after;
  }
}
