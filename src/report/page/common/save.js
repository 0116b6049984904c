// SPDX-License-Identifier: MIT
// Saves a plot as an SVG file that needs nothing else: styles become attributes, in the colors of paper.

import { element, shape } from './elements.js';

const looks = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'text-anchor'];
const font = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const [margin, heading] = [16, 34];

// Other programs know fewer forms of colors than browsers: #rrggbb and an opacity.
function plainColor(color) {
  const pen = element('canvas', { width: 1, height: 1 }).getContext('2d');
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
  return [`#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`, alpha / 255];
}

function plainLooks(node) {
  const style = getComputedStyle(node);
  return looks.flatMap((name) => {
    const value = style.getPropertyValue(name);
    if ((name !== 'fill' && name !== 'stroke') || value === 'none') return value === '' ? [] : [[name, value]];
    const [color, alpha] = plainColor(value);
    return alpha < 1 ? [[name, color], [`${name}-opacity`, alpha.toFixed(2)]] : [[name, color]];
  });
}

function freeze(svg) {
  const nodes = [...svg.querySelectorAll('*')].filter((node) => node.localName !== 'title');
  // All before the first class goes, because styles are inherited.
  const frozen = nodes.map((node) => [node, plainLooks(node)]);
  for (const [node, attributes] of frozen) {
    for (const name of ['class', 'role', 'aria-label', 'aria-hidden']) node.removeAttribute(name);
    for (const [name, value] of attributes) node.setAttribute(name, value);
  }
}

// The entries of a legend where they stand on the page.
function drawnLegend(legend) {
  const { left, top } = legend.getBoundingClientRect();
  return [...legend.children].flatMap((entry) => {
    const box = entry.getBoundingClientRect();
    const [x, middle] = [box.left - left, box.top - top + box.height / 2];
    const key = entry.querySelector('svg');
    const mark = key ? key.cloneNode(true) : shape('rect', { x, y: middle - 7, width: 14, height: 14, rx: 3, class: `bar ${entry.firstChild.className}` });
    if (key) for (const [name, value] of [['x', x], ['y', middle - 6], ['width', 24], ['height', 12]]) mark.setAttribute(name, value);
    return [mark, shape('text', { x: x + (key ? 32 : 22), y: middle + 4 }, entry.textContent)];
  });
}

/** The drawings of a figure, below its title and above its legend, as one SVG. */
export function standalone(title, drawings, legend) {
  const parts = [];
  let [width, bottom] = [0, heading];
  for (const drawing of drawings) {
    const { width: across, height } = drawing.viewBox.baseVal;
    const part = drawing.cloneNode(true);
    for (const [name, value] of [['y', bottom], ['width', across], ['height', height]]) part.setAttribute(name, value);
    parts.push(part);
    [width, bottom] = [Math.max(width, across), bottom + height];
  }
  if (legend) {
    parts.push(shape('g', { transform: `translate(0 ${bottom + 8})`, class: 'chart' }, ...drawnLegend(legend)));
    bottom += legend.getBoundingClientRect().height + 8;
  }
  const svg = shape('svg', { class: 'chart' }, shape('text', { x: 0, y: 16, class: 'name title' }, title), ...parts);
  const paper = element('div', { class: 'paper', 'aria-hidden': 'true' }, svg);
  document.body.append(paper);
  freeze(svg);
  paper.remove();
  const [wide, high] = [width + 2 * margin, bottom + 2 * margin];
  return shape('svg', { viewBox: `${-margin} ${-margin} ${wide} ${high}`, width: wide, height: high, 'font-family': font },
    shape('rect', { x: -margin, y: -margin, width: wide, height: high, fill: '#ffffff' }), ...svg.childNodes);
}

/** A button that saves a figure's drawings. */
export function saveButton(title, figureOf) {
  const button = element('button', { type: 'button', class: 'save quiet', 'aria-label': `Save as SVG: ${title}`, title: 'Save as SVG' }, 'SVG');
  button.addEventListener('click', () => {
    const figure = figureOf();
    const svg = standalone(title, [...figure.querySelectorAll('.canvas > svg')], figure.querySelector('.legend'));
    const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }));
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'plot';
    element('a', { href: url, download: `${name}.svg` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  });
  return button;
}
