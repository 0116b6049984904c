// SPDX-License-Identifier: MIT
// What the page remembers. A browser may deny storage by throwing: then nothing, when the page is left.

/** `area` is 'localStorage' or 'sessionStorage'; null if nothing is kept under this key. */
export function kept(area, key) {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

export function keep(area, key, text) {
  try {
    window[area].setItem(key, text);
  } catch { /* see above */ }
}
