// SPDX-License-Identifier: MIT
// Numbers in a readable form.

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const grouped = new Intl.NumberFormat('en');

export const short = (number) => compact.format(number);
export const full = (number) => grouped.format(number);

export function bytes(number) {
  if (number === 0) return 'no table';
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    ++unit;
  }
  return `${number.toPrecision(number < 10 ? 2 : number < 1000 ? 3 : 4).replace(/\.0$/, '')} ${units[unit]}`;
}

export function seconds(number) {
  const rounded = Number(number.toPrecision(3)); // 0.9996 is a second, not 1.00e+3 ms
  if (rounded < 0.001) return `${(number * 1e6).toFixed(0)} µs`;
  if (rounded < 1) return `${(number * 1000).toPrecision(rounded < 0.01 ? 2 : 3)} ms`;
  if (rounded < 100) return `${number.toPrecision(3)} s`;
  const [whole, minute] = [Math.round(number), Math.floor(Math.round(number) / 60)];
  if (whole < 3600) return `${minute} min ${whole - 60 * minute} s`;
  const hour = Math.floor(minute / 60);
  return hour < 48 ? `${hour} h ${minute - 60 * hour} min` : `${Math.floor(hour / 24)} d ${hour % 24} h`;
}

/** As on a stopwatch: 9.87 or 1:02.34. */
export function clock(number) {
  const hundredths = Math.round(100 * number);
  const minutes = Math.floor(hundredths / 6000);
  const rest = (hundredths / 100 - 60 * minutes).toFixed(2);
  return minutes === 0 ? rest : `${minutes}:${rest.padStart(5, '0')}`;
}

/** What is proven of a length: "at most 97 moves, at least 93". */
export const bracket = (lower, upper) => `At most ${moves(upper)}, at least ${lower}`;

export const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

export const moves = (number) => `${number} move${number === 1 ? '' : 's'}`;
