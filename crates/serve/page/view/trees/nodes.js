/** The known part of a tree: it is fetched from the server as it is opened. */
import { get, latest } from "/page/api.js";

/** The levels that are fetched below a node that is opened. */
const LEVELS = 2;
/** With more nodes to fetch than this, all are fetched with one request from the root. */
const FEW = 3;

/**
 * @param {AbortSignal} signal
 * @returns {{answer: Object|null, root: Object|null, get: function(string): Object|undefined,
 *   load: function(Object, Set<string>, Object), complete: function(Set<string>, Object)}}
 */
export function treeNodes(signal) {
  const nodes = new Map();
  const askWhole = latest(signal);
  let query = null;
  let answer = null;

  /** Adds a fetched node and all below it to what is known. */
  function keep(node) {
    const id = String(node.node);
    const known = nodes.get(id);
    const one = known ?? node;
    if (!known) nodes.set(id, node);
    if (node.branches && (!known || !known.branches)) one.branches = node.branches;
    for (const branch of node.branches ?? []) branch.to = keep(branch.to);
    return one;
  }

  const ask = (node, levels, open, options) =>
    get("/api/tree", { ...query, node, levels, open: [...open].join(",") }, { ...options, signal });

  return {
    get answer() {
      return answer;
    },
    get root() {
      return answer?.root ?? null;
    },
    get: (id) => nodes.get(id),
    /** Fetches a tree from a node on, with the nodes that are open. */
    async load({ player, material, node }, open, options) {
      const next = { player, material };
      const found = await askWhole(
        "/api/tree",
        { ...next, node, levels: LEVELS + 1, open: [...open].join(",") },
        options,
      );
      query = next;
      answer = found;
      nodes.clear();
      keep(found.root);
    },
    /** Fetches what is missing of the nodes that are open. @returns {Promise<boolean>} false if the tree has changed */
    async complete(open, options) {
      const mine = answer;
      for (;;) {
        const missing = [...open].filter((id) => {
          const node = nodes.get(id);
          return node?.asks && !node.branches;
        });
        if (!missing.length) return true;
        const from = missing.length > FEW ? [mine.root.node] : missing;
        for (const id of from) {
          const part = await ask(id, missing.length > FEW ? 1 : LEVELS, open, options);
          if (answer !== mine) return false;
          keep(part.root);
        }
      }
    },
  };
}

/** The nodes that are open: those in the address, or by default the root and the level below it. */
export function openNodes(text, root) {
  if (text !== undefined) return new Set(text.split(",").filter((id) => /^\d+$/.test(id)));
  const below = (root?.branches ?? []).map(({ to }) => to).filter((node) => node.asks);
  return new Set([root, ...below].filter(Boolean).map((node) => String(node.node)));
}
