// SPDX-License-Identifier: MIT
// The game just played: its distances from the goal, and each mistake.

import * as api from './api.js';
import { byId as $, counted, element } from './elements.js';
import { gamePlot, mistakesKnown } from './game_plot.js';
import { movesOf } from './puzzle.js';
import { moves } from './text.js';

export class Analysis {
  constructor(game, solver) {
    this.game = game;
    this.solver = solver;
    this.search = null;
    $('analyse').addEventListener('click', () => this.analyse($('time-limit').value));
    game.addEventListener('finished', () => this.analyse('10s'));
    game.addEventListener('board', () => this.drop());
    for (const input of document.getElementsByName('metric')) input.addEventListener('change', () => this.drop());
    window.addEventListener('pagehide', () => this.search?.stop());
  }

  analyse(timeLimit) {
    this.drop();
    const { start, letters } = this.game;
    const { length } = movesOf(letters, this.game.metric);
    $('game').hidden = $('game-progress').hidden = false;
    $('game-progress').value = 0;
    $('game-title').textContent = `Analysing ${moves(length)}`;
    this.search = new api.Search({ ...this.solver.request(start, 'auto', timeLimit), moves: letters }, {
      distance: ({ after }) => { $('game-progress').value = (after + 1) / (length + 1); },
      result: (row) => this.show(row),
      failure: ({ error }) => this.tell('The game was not analysed', error),
    }, '/api/analyse');
  }

  drop() {
    this.search?.drop();
    this.search = null;
    $('game').hidden = $('game-mistakes').hidden = true;
    $('game-about').textContent = '';
    $('game-plot').replaceChildren();
    $('game-rows').replaceChildren();
  }

  tell(title, about) {
    $('game-progress').hidden = true;
    $('game-title').textContent = title;
    $('game-about').textContent = about;
    $('say').textContent = `${title}. ${about}`;
  }

  show(row) {
    this.search = null;
    const { length, optimal_length: optimal, mistakes, brackets, solves } = row;
    const known = brackets.filter(([lower, upper]) => lower === upper).length;
    const [least, most] = brackets.at(-1);
    const title = !solves ? `${moves(length)}, ${least === most ? '' : 'at least '}${least} to go` : optimal === null ? `${moves(length)}, at least ${brackets[0][0]} necessary`
      : length === optimal ? `${moves(length)}, optimal` : `${moves(length)}, ${length - optimal} over the optimum`;
    const all = mistakesKnown(row);
    const wrong = mistakes.length === 0 ? (all ? 'No mistakes.' : 'No mistake is known.')
      : `${all ? '' : 'At least '}${counted(mistakes.length, 'mistake')}. Press a better continuation to see it.`;
    this.tell(title, (all ? '' : `${known} of ${brackets.length} distances are known. `) + wrong);
    $('game-plot').replaceChildren(gamePlot(row, true));
    $('game-mistakes').hidden = mistakes.length === 0;
    $('game-rows').replaceChildren(...mistakes.map((mistake) => this.row(row, mistake)));
  }

  row({ board, moves: letters, metric }, { move, before, after, better }) {
    const button = better && element('button', { type: 'button', class: 'quiet scramble', 'aria-label': `Show the continuation that was better than move ${move}` }, better);
    button?.addEventListener('click', () => this.play(board, movesOf(letters, metric).slice(0, move - 1).join(''), better, move));
    return element('tr', {}, element('td', {}, String(move)), element('td', {}, `${before}, then ${after}`), element('td', {}, button ?? '–'));
  }

  /** The board before a mistake, with the better continuation in the player. */
  play(start, played, better, move) {
    const { game, solver } = this;
    game.place(start, played);
    solver.showWay(`${moves(movesOf(better, game.metric).length)} to go`, `Instead of move ${move} of the game.`, game.tiles.slice(), better);
  }
}
