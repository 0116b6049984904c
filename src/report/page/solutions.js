// SPDX-License-Identifier: MIT
// The boards of all files: a list with filter and pages, and a player for the selected one.

import { addToContents, byId, counted, element, enable, table } from './common/elements.js';
import { Stage } from './stage.js';
import { Player } from './common/player.js';
import { bracket, capitalized, full, moves, seconds, short } from './common/text.js';

const page = 20;
const mostOnPaper = 500;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';
const tilesOf = (letters) => [...letters].map((letter) => alphabet.indexOf(letter));
const states = {
  solved: 'solved',
  unsolvable: 'unsolvable',
  limit: 'stopped by a limit',
  interrupted: 'interrupted',
  error: 'failed',
};

// A batch gives each worker whole boards.
const onOneThread = (board, run) => board.workers === 1 && (run.ranks ?? 1) * (run.threads ?? 1) > 1;

// Stopped with a solution: a shorter one may exist.
const isOpen = (board) => board.status !== 'solved' && board.moves !== null && board.lower !== null;

export class Solutions {
  constructor(runs, boards, series) {
    this.runs = runs;
    this.series = series;
    this.boards = boards;
    this.first = 0;
    this.stage = new Stage();
    this.player = new Player(this.stage);
    byId('solutions').hidden = false;
    addToContents('solutions', 'Solutions');
    byId('list-run').append(new Option('all', ''), ...series.map(({ name }, i) => new Option(name, i)));
    byId('list-run-label').hidden = series.length < 2;
    byId('list-tools').addEventListener('submit', (event) => event.preventDefault());
    for (const id of ['list-filter', 'list-order', 'list-run']) byId(id).addEventListener('input', () => this.find());
    byId('list-back').addEventListener('click', () => this.turn(-page));
    byId('list-forth').addEventListener('click', () => this.turn(page));
    byId('list-rows').addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      this.choose(this.found[Number(button.dataset.row)]);
      byId('board').focus();
      byId('player-card').scrollIntoView({ block: 'nearest' });
    });
    byId('player-card').addEventListener('keydown', (event) => this.key(event));
    // Printed pages cannot be turned: list all matches, up to a limit.
    addEventListener('beforeprint', () => this.list(0, mostOnPaper));
    addEventListener('afterprint', () => this.list());
    this.find();
    // Start with a board that has a solution.
    this.choose(boards.find((board) => board.moves) ?? boards[0]);
  }

  find() {
    const wanted = byId('list-filter').value.trim().toLowerCase();
    const run = byId('list-run').value;
    const order = byId('list-order').value;
    const matches = (board) => {
      if (run !== '' && board.series !== this.series[Number(run)]) return false;
      if (wanted === '') return true;
      return board.id.toLowerCase().includes(wanted) || String(board.length) === wanted || states[board.status].startsWith(wanted);
    };
    this.found = this.boards.filter(matches);
    if (order !== 'file') this.found.sort((a, b) => (b[order] ?? -1) - (a[order] ?? -1));
    this.first = 0;
    this.list();
  }

  turn(by) {
    this.first = Math.min(Math.max(0, this.first + by), Math.max(0, this.found.length - 1));
    this.list();
  }

  list(first = this.first, most = page) {
    const shown = this.found.slice(first, first + most);
    byId('list-rows').replaceChildren(...shown.map((board, i) => element('tr', { class: board === this.chosen ? 'chosen' : null },
      element('th', { scope: 'row' }, element('button', {
        type: 'button', class: 'pick', title: board.id, 'data-row': first + i, 'aria-current': board === this.chosen ? 'true' : null,
      }, board.id === '' ? '(no id)' : board.id,
        this.series.length > 1 ? element('small', {}, board.series.name) : null)),
      element('td', {}, board.status === 'solved' ? String(board.length) : isOpen(board) ? `${board.lower}–${board.length}` : states[board.status]),
      element('td', {}, board.generated === null ? '–' : short(board.generated)),
      element('td', {}, board.seconds === null ? '–' : seconds(board.seconds)),
      element('td', { class: 'on-paper' }, board.moves))));
    const last = first + shown.length;
    byId('list-place').textContent = shown.length === 0
      ? 'no board' : `${full(first + 1)}–${full(last)} of ${full(this.found.length)}`;
    const rows = byId('list').parentElement;
    enable(byId('list-back'), first > 0, rows);
    enable(byId('list-forth'), last < this.found.length, rows);
  }

  choose(board) {
    this.chosen = board;
    const run = this.runs[board.run];
    this.player.drop();
    this.stage.show(run.width, run.height, tilesOf(run.goal), tilesOf(board.tiles), run.metric);
    byId('player').hidden = !board.moves;
    if (board.moves) this.player.take(tilesOf(board.tiles), board.moves);
    byId('answer-title').textContent = isOpen(board) ? bracket(board.lower, board.length)
      : board.status !== 'solved' ? capitalized(states[board.status])
      : board.length === 0 ? 'Solved already' : moves(board.length);
    byId('answer-about').textContent = this.about(board, run);
    this.showBounds(board);
    this.list();
  }

  about(board, run) {
    const facts = [`Board ${board.id || '(no id)'}, ${run.width}x${run.height}.`];
    if (isOpen(board)) facts.push(`${capitalized(states[board.status])}.`);
    if (board.status === 'solved') {
      facts.push(`${board.optimal ? 'Optimal' : 'Not proven optimal'}${board.verified ? ', verified' : ''}.`);
    }
    if (board.solutions !== null) facts.push(`${counted(board.solutions, 'optimal solution')}.`);
    if (board.generated !== null && board.seconds !== null) {
      facts.push(`${counted(board.generated, 'node')} in ${seconds(board.seconds)}.`);
    }
    facts.push(`${board.series.name}${onOneThread(board, run) ? ', by one of the threads' : ''}.`);
    return facts.join(' ');
  }

  showBounds(board) {
    const details = byId('answer-bounds');
    details.hidden = board.iterations.length === 0;
    const rows = board.iterations.map((row) => [
      `${row.bound}${row.complete ? '' : ' (cut)'}`, full(row.expanded), full(row.generated), seconds(row.seconds)]);
    details.replaceChildren(details.firstElementChild,
      table(`Nodes per bound of board ${board.id}`, ['Bound', 'Expanded', 'Generated', 'Time'], rows));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.chosen.moves) return;
    if (event.target.closest('input, select, summary, .wide')) return;
    const { player } = this;
    const act = {
      ' ': () => (player.timer ? player.pause() : player.play()),
      ArrowRight: () => player.go(player.at + 1),
      ArrowLeft: () => player.go(player.at - 1),
      ArrowDown: () => player.go(player.at + 1),
      ArrowUp: () => player.go(player.at - 1),
      Home: () => player.go(0),
      End: () => player.go(player.solution.letters.length),
    }[event.key];
    if (!act || (event.key === ' ' && event.target.closest('button'))) return;
    event.preventDefault();
    act();
  }
}
