// SPDX-License-Identifier: MIT
// Draws a board: a tile's color shows its goal position, so a solved board is an even gradient.

function color(home, width, height) {
  const x = width > 1 ? (home % width) / (width - 1) : 0;
  const y = height > 1 ? Math.floor(home / width) / (height - 1) : 0;
  const hue = 185 + 150 * x - 20 * y;
  return `oklch(${(0.6 - 0.13 * y).toFixed(3)} ${(0.1 + 0.03 * x).toFixed(3)} ${hue.toFixed(1)})`;
}

export class Grid {
  constructor(element, { interactive = false } = {}) {
    this.element = element;
    this.interactive = interactive;
    this.shape = '';
    this.tiles = new Map(); // tile -> its element
  }

  /** `goal` colors the tiles; `marks` are the cells of a selection, a cursor and good moves. Whether it is solved. */
  draw(width, height, tiles, goal, marks = {}) {
    const shape = `${width}x${height}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.element.style.setProperty('--columns', width);
      this.element.style.setProperty('--rows', height);
      this.element.replaceChildren();
      this.tiles.clear();
      for (let tile = 0; tile < width * height; ++tile) {
        const piece = document.createElement(this.interactive ? 'button' : 'span');
        if (this.interactive) {
          piece.type = 'button';
          piece.tabIndex = -1;
        }
        piece.className = tile === 0 ? 'tile blank' : 'tile';
        if (tile !== 0) piece.append(Object.assign(document.createElement('span'), { textContent: tile }));
        this.tiles.set(tile, piece);
        this.element.append(piece);
      }
    }
    const blank = tiles.indexOf(0);
    tiles.forEach((tile, cell) => {
      const piece = this.tiles.get(tile);
      const [column, row] = [cell % width, Math.floor(cell / width)];
      piece.style.setProperty('--column', column);
      piece.style.setProperty('--row', row);
      piece.dataset.cell = cell;
      piece.style.setProperty('--color', color(goal.indexOf(tile), width, height));
      piece.classList.toggle('chosen', marks.chosen === cell);
      piece.classList.toggle('cursor', marks.cursor === cell);
      const good = marks.good?.includes(cell) ?? false;
      piece.classList.toggle('good', good);
      if (!this.interactive) return;
      const inLine = column === blank % width || row === Math.floor(blank / width);
      const name = tile === 0 ? 'blank' : `tile ${tile}`;
      const note = good ? ', good move' : tile !== 0 && inLine && !marks.editing ? ', can slide' : '';
      piece.setAttribute('aria-label', `${name}, row ${row + 1}, column ${column + 1}${note}`);
      piece.disabled = tile === 0 && !marks.editing;
    });
    return tiles.every((tile, cell) => tile === goal[cell]);
  }
}
