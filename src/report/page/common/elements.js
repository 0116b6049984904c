// SPDX-License-Identifier: MIT
// Page elements. Texts from files become text nodes and attributes, never markup.

import { full } from './text.js';

export const byId = (id) => document.getElementById(id);

function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

// A child may be an array: long ones cannot be spread into arguments.
export const element = (name, attributes, ...children) =>
  made(document.createElement(name), attributes, children);

export const shape = (name, attributes, ...children) =>
  made(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

/** Enables or disables a button. Where it has the focus, that goes to `next` instead of nowhere. */
export function enable(button, enabled, next) {
  if (!enabled && document.activeElement === button) next.focus({ preventScroll: true });
  button.disabled = !enabled;
}

/** A table whose first column names its rows; a cell is a text, null a dash. */
export function table(caption, columns, rows) {
  const cell = (value, i) => element(i === 0 ? 'th' : 'td', i === 0 ? { scope: 'row' } : {}, value ?? '–');
  return element('div', { class: 'wide', role: 'region', tabindex: 0, 'aria-label': caption },
    element('table', { class: rows.length <= 12 ? 'together' : null }, // on one page, if printed
      element('caption', { class: 'hidden' }, caption),
      element('thead', {}, element('tr', {}, columns.map((name) => element('th', { scope: 'col' }, name)))),
      element('tbody', {}, rows.map((row) => element('tr', {}, row.map(cell))))));
}

/** A section of the page with its place in the contents. */
export function section(id, title, ...children) {
  const node = element('section', { id, 'aria-labelledby': `${id}-title` },
    element('h2', { id: `${id}-title` }, title), ...children.filter((child) => child !== null));
  byId('main').insertBefore(node, byId('solutions'));
  addToContents(id, title);
}

export function addToContents(id, title) {
  byId('contents').append(element('a', { href: `#${id}` }, title));
}

/** Not more letters than there is room for; the whole stands in a title or table beside it. */
export const clipped = (text, most) => (text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`);

export const percent = (share) => `${(100 * share).toFixed(Math.abs(share) < 0.1 && share !== 0 ? 1 : 0)} %`;
export const counted = (number, one, many = `${one}s`) => `${full(number)} ${number === 1 ? one : many}`;
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const minOf = (numbers) => numbers.reduce((least, number) => Math.min(least, number), Infinity);
export const maxOf = (numbers) => numbers.reduce((most, number) => Math.max(most, number), -Infinity);
