/** The state of the page, kept in the query string of its address. */

/** The keys that a change of the view keeps. */
export const SHARED = ["fen", "moves", "at", "player", "material"];

// A fixed order of the keys, so that each state has one address.
const ORDER = ["view", ...SHARED, "tab"];

/** @returns {Object<string, string>} the state in the address, without empty values */
export function read() {
  return Object.fromEntries([...new URLSearchParams(location.search)].filter(([, value]) => value !== ""));
}

/**
 * The address of `state` with `changes` merged into it.
 * @param {Object<string, string|number|null|undefined>} changes
 * @param {Object<string, string>} state
 * @returns {string}
 */
export function href(changes, state = read()) {
  let base = state;
  if (changes.view && changes.view !== (state.view ?? "explore")) {
    base = Object.fromEntries(SHARED.map((key) => [key, state[key]]));
  }
  const merged = { view: "explore", ...base, ...changes };
  const keys = [
    ...ORDER,
    ...Object.keys(merged)
      .filter((key) => !ORDER.includes(key))
      .sort(),
  ];
  const pairs = keys
    .filter((key) => merged[key] !== undefined && merged[key] !== null && merged[key] !== "")
    .map((key) => `${key}=${escape(String(merged[key]))}`);
  return `/?${pairs.join("&")}`;
}

/** The address of a view that shows one position. @param {Object} changes */
export const linkTo = (changes) => href({ moves: null, at: null, ...changes });

// Slashes, commas and colons are not escaped, so that a FEN in an address can be read.
function escape(text) {
  return encodeURIComponent(text)
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",")
    .replaceAll("%3A", ":")
    .replaceAll("%20", "+")
    .replaceAll("%3D", "=");
}
