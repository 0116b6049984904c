// SPDX-License-Identifier: MIT
// Values that may be missing, and groups of things.

export const known = (value) => value !== null && value !== undefined;

/** Keys of things in a Map, so that no name of a file can meddle with an object's own. */
export function groups(items, keyOf) {
  const map = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(item);
  }
  return map;
}

/** The one in the middle by a number, or the one just below; undefined of none. */
export function middleOf(items, numberOf) {
  return [...items].sort((a, b) => numberOf(a) - numberOf(b))[Math.ceil(items.length / 2) - 1];
}
