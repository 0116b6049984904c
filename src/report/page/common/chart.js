// SPDX-License-Identifier: MIT
// Plots: each is a figure with a drawing, legend and table, redrawn when its width changes.

import { clipped, element, maxOf, minOf, shape, sum, table } from './elements.js';
import { saveButton } from './save.js';

let printing = false;

/** `draw(width)` gives one <svg> or several; `summary` is what a screen reader hears of them. */
export function plot({ title, about, summary, draw, legend, columns, rows, controls, wide }) {
  const canvas = element('div', { class: 'canvas' });
  const details = element('details', {}, element('summary', {}, 'Table'), table(title, columns, rows));
  const figure = element('figure', { class: wide ? 'card plot whole' : 'card plot' },
    element('figcaption', {}, element('h3', {}, title), saveButton(title, () => figure), about ? element('p', { class: 'about' }, about) : null),
    controls, canvas, legend, details);
  let drawn = 0;
  const redraw = (width, always) => {
    // In a narrower figure, a drawing of this width is scaled down.
    const whole = Math.max(200, Math.round(width));
    if (width < 1 || (whole === drawn && !always)) return;
    drawn = whole;
    const [svg, ...others] = [draw(whole)].flat();
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `${title}. ${summary} A table follows.`);
    for (const other of others) other.setAttribute('aria-hidden', 'true');
    canvas.replaceChildren(svg, ...others);
  };
  new ResizeObserver(([entry]) => { if (!printing) redraw(entry.contentRect.width); }).observe(canvas);
  figure.redraw = () => redraw(drawn, true);
  figure.fit = (width = canvas.clientWidth) => redraw(width);
  return figure;
}

/** On paper all tables are open, and drawings as wide as it. */
export function prepareForPrint() {
  const figures = () => document.querySelectorAll('.plot');
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const details of closed) details.open = true;
    printing = true;
    for (const figure of figures()) figure.fit(680);
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
    printing = false;
    for (const figure of figures()) figure.fit();
  });
}

export function legendOf(entries) {
  return element('ul', { class: 'legend' }, ...entries.map(({ name, style, mark }) =>
    element('li', {}, mark ?? element('span', { class: `swatch ${style}` }), name)));
}

// ---- scales

function niceStep(span, count) {
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= raw * 0.999);
}

/** From a number to a share of the axis. */
export function linearScale(least, most, count = 5) {
  const top = most > least ? most : least + 1;
  const step = niceStep(top - least, count);
  const end = Math.ceil(top / step - 1e-9) * step;
  const ticks = [];
  for (let i = 0; least + i * step <= end * (1 + 1e-9); ++i) ticks.push(Number((least + i * step).toPrecision(12)));
  return { at: (value) => (value - least) / (end - least), ticks };
}

export function logScale(least, most) {
  const low = Math.floor(Math.log10(Math.max(least, 1e-12)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(most, 1e-12))));
  const every = Math.ceil((high - low) / 7);
  const ticks = [];
  for (let power = low; power <= high; power += every) ticks.push(10 ** power);
  return { at: (value) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low), ticks };
}

// ---- lines

const marks = [
  (x, y) => shape('circle', { cx: x, cy: y, r: 4.2 }),
  (x, y) => shape('rect', { x: x - 3.8, y: y - 3.8, width: 7.6, height: 7.6 }),
  (x, y) => shape('path', { d: `M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z` }),
  (x, y) => shape('path', { d: `M${x} ${y - 5.4}L${x + 5.4} ${y}L${x} ${y + 5.4}L${x - 5.4} ${y}Z` }),
];
const markOf = (i, color, x, y) => {
  const mark = marks[(i + Math.floor(i / 8)) % marks.length](x, y);
  mark.setAttribute('class', `mark c${color}`);
  return mark;
};
const markInLegend = (i, color, dash, loose) => shape('svg', { class: 'key', viewBox: '0 0 24 12', 'aria-hidden': 'true' },
  loose ? null : shape('path', { d: 'M0 6H24', class: `line c${color}`, 'stroke-dasharray': dash }), markOf(i, color, 12, 6));

function frame(width, height, { x, y, left }) {
  const box = { left, right: width - 14, top: 26, bottom: height - 40 };
  const across = (share) => box.left + share * (box.right - box.left);
  const up = (share) => box.bottom - share * (box.bottom - box.top);
  const svg = shape('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart' });
  for (const tick of y.scale.ticks) {
    const at = up(y.scale.at(tick));
    svg.append(shape('path', { d: `M${box.left} ${at}H${box.right}`, class: 'rule' }),
      shape('text', { x: box.left - 7, y: at + 4, 'text-anchor': 'end' }, y.text(tick)));
  }
  // From the last one back, as far as there is room.
  let free = Infinity;
  for (const tick of [...x.ticks].reverse()) {
    const [at, half] = [across(x.at(tick)), 4 * String(tick).length];
    if (at + half > free) continue;
    free = at - half - 8;
    svg.append(shape('text', { x: at, y: box.bottom + 17, 'text-anchor': 'middle' }, String(tick)));
  }
  svg.append(shape('path', { d: `M${box.left} ${box.bottom}H${box.right}`, class: 'axis' }),
    shape('text', { x: 0, y: 12, class: 'label' }, y.label),
    shape('text', { x: box.right, y: height - 5, 'text-anchor': 'end', class: 'label' }, x.label));
  return { svg, across, up, box };
}

const dashes = [null, '6 3', '2 3', '9 3 2 3'];
function stylesOf(series) {
  const used = new Map();
  return series.map((line, i) => {
    const color = (line.color ?? i) % 8;
    const earlier = used.get(color) ?? 0;
    used.set(color, earlier + 1);
    return { color, dash: dashes[earlier % dashes.length] };
  });
}

const widthOf = (texts) => 12 + 7 * maxOf(texts.map((text) => text.length));

/**
 * Lines over numbers. series: [{name, color, points: [{x, y, low, high, note}]}]; `ideal` is drawn dashed.
 * Lines of one color differ in their marks and dashes; a `loose` series has marks and no line.
 * x: {label, log}; y: {label, text, log, most}.
 */
export function linePlot({ title, about, summary, x, y, series, ideal, columns, rows, wide }) {
  const all = [...series, ...(ideal ? [ideal] : [])].flatMap(({ points }) => points);
  const values = all.flatMap((point) => [point.y, point.low, point.high]).filter((value) => value !== null && value !== undefined);
  const xs = [...new Set(all.map((point) => point.x))].sort((a, b) => a - b);
  const yScale = y.log
    ? logScale(minOf(values.filter((value) => value > 0)), maxOf(values))
    : linearScale(0, y.most ?? maxOf(values));
  const [first, last] = [xs[0], xs.at(-1)];
  const along = (value) => (x.log ? Math.log(value) : value);
  const at = (value) => (last > first ? (along(value) - along(first)) / (along(last) - along(first)) : 0.5);
  const inset = 0.02;
  const styles = stylesOf(series);
  const draw = (width) => {
    const height = Math.round(Math.min(330, Math.max(230, width * 0.56)));
    const { svg, across, up } = frame(width, height, {
      left: widthOf(yScale.ticks.map(y.text)),
      y: { ...y, scale: yScale },
      x: { ...x, ticks: xs, at: (value) => inset + (1 - 2 * inset) * at(value) },
    });
    const place = (point) => [across(inset + (1 - 2 * inset) * at(point.x)), up(yScale.at(point.y))];
    const path = (points) => points.map((point, i) => `${i ? 'L' : 'M'}${place(point).map((n) => n.toFixed(1)).join(' ')}`).join('');
    if (ideal) svg.append(shape('path', { d: path(ideal.points), class: 'line ideal' }));
    series.forEach((line, i) => {
      const { color, dash } = styles[i];
      if (!line.loose) svg.append(shape('path', { d: path(line.points), class: `line c${color}`, 'stroke-dasharray': dash }));
      for (const point of line.points) {
        const [px, py] = place(point);
        if (point.high > point.low) {
          svg.append(shape('path', { d: `M${px} ${up(yScale.at(point.low))}V${up(yScale.at(point.high))}`, class: `whisker c${color}` }));
        }
        const mark = markOf(i, color, px, py);
        mark.append(shape('title', {}, `${line.name}: ${point.note ?? `${point.x}, ${y.text(point.y)}`}`));
        svg.append(mark);
      }
    });
    return svg;
  };
  const entries = series.map((line, i) => ({ name: line.name, mark: markInLegend(i, styles[i].color, styles[i].dash, line.loose) }));
  if (ideal) {
    entries.push({ name: ideal.name, mark: shape('svg', { class: 'key', viewBox: '0 0 24 12', 'aria-hidden': 'true' }, shape('path', { d: 'M0 6H24', class: 'line ideal' })) });
  }
  return plot({ title, about, summary, draw, legend: legendOf(entries), columns, rows, wide });
}

// ---- bars

/**
 * Bars that lie, each with its name above. bars: [{name, parts: [{value, style, note}], low, high,
 * text}], `most` the end of the axis; with `log` one part each.
 */
export function barPlot({ title, about, summary, bars, most, log, legend, columns, rows, wide }) {
  const values = bars.map((bar) => Math.max(bar.high ?? 0, sum(bar.parts.map((part) => part.value))));
  const end = most ?? Math.max(maxOf(values), 1e-12);
  const scale = log ? logScale(minOf(values.filter((value) => value > 0)) / 2, end) : null;
  const share = (value) => (log ? Math.max(0, scale.at(value)) : value / end);
  const room = widthOf(bars.map((bar) => bar.text));
  const drawPart = (width, part) => {
    const step = 42;
    const long = width - room;
    const svg = shape('svg', { viewBox: `0 0 ${width} ${part.length * step + 4}`, class: 'chart' });
    part.forEach((bar, i) => {
      const y = i * step;
      svg.append(shape('text', { x: 0, y: y + 13, class: 'name' }, clipped(bar.name, Math.floor(width / 7)), shape('title', {}, bar.name)));
      svg.append(shape('rect', { x: 0, y: y + 19, width: long, height: 15, rx: 4, class: 'well' }));
      let x = 0;
      for (const part of bar.parts) {
        const length = Math.max(0, share(part.value) * long);
        if (length < 0.05) continue;
        svg.append(shape('rect', { x: x.toFixed(1), y: y + 19, width: length.toFixed(1), height: 15, rx: bar.parts.length === 1 ? 4 : 0, class: `bar ${part.style}` },
          shape('title', {}, part.note ?? bar.text)));
        x += length;
      }
      if (bar.high > bar.low) {
        const [low, high] = [share(bar.low) * long, share(bar.high) * long];
        svg.append(shape('path', { d: `M${low} ${y + 22}V${y + 31}M${low} ${y + 26.5}H${high}M${high} ${y + 22}V${y + 31}`, class: 'spread' }));
      }
      svg.append(shape('text', { x: width, y: y + 31, 'text-anchor': 'end', class: 'value' }, bar.text));
    });
    return svg;
  };
  // Drawings must fit on a printed page.
  const together = 20;
  const draw = (width) => Array.from({ length: Math.ceil(bars.length / together) }, (_, i) =>
    drawPart(width, bars.slice(i * together, (i + 1) * together)));
  return plot({ title, about, summary, draw, legend, columns, rows, wide });
}

// ---- columns

/** A column for each number from 0 on. `options` may change before a redraw: {log}. */
export function columnPlot({ title, about, summary, values, x, y, options, controls, columns, rows, wide }) {
  const draw = (width) => {
    const height = Math.round(Math.min(360, Math.max(240, width * 0.42)));
    const most = maxOf(values);
    const scale = options.log ? logScale(0.5, most) : linearScale(0, most);
    const wanted = linearScale(0, values.length - 1, Math.max(3, width / 60)).ticks.filter((tick) => Number.isInteger(tick) && tick < values.length);
    const at = (i) => (i + 0.5) / values.length;
    const { svg, across, up, box } = frame(width, height, {
      left: widthOf(scale.ticks.map(y.text)), y: { ...y, scale }, x: { ...x, ticks: wanted, at },
    });
    const half = Math.max(0.5, (box.right - box.left) / values.length * 0.41);
    values.forEach((value, i) => {
      const middle = across(at(i));
      const top = up(Math.max(0, scale.at(value)));
      svg.append(shape('rect', { x: (middle - half).toFixed(1), width: (2 * half).toFixed(1), y: top.toFixed(1), height: Math.max(value > 0 ? 0.7 : 0, box.bottom - top).toFixed(1), class: 'bar c0' },
        shape('title', {}, `${x.label} ${i}: ${y.note(value)}`)));
    });
    return svg;
  };
  return plot({ title, about, summary, draw, controls, columns, rows, wide });
}
