/** The offer to solve an endgame that takes long: what that takes, a button, and the progress of the job. */
import { get, listen, post } from "/page/api.js";
import { button, fill, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { endgameWords } from "/page/endgames.js";
import { progressBar } from "/page/notice.js";

/**
 * The jobs that solve endgames: their ids, and the offers that show them. A job has one connection, which does not end with
 * a view: the server stops a job that nobody listens to.
 */
const running = new Map();

function follow(material, id, shows) {
  const known = running.get(material);
  if (known) return known.offers.add(shows);
  const job = { id, offers: new Set([shows]) };
  running.set(material, job);
  const tell = (now) => {
    if (now.state !== "running") running.delete(material);
    for (const show of job.offers) if (!show(now)) job.offers.delete(show);
  };
  const told = (now, close) => {
    if (now.state !== "running") close();
    tell(now);
  };
  listen(`/api/jobs/${id}/events`, told, { onClosed: () => tell({ state: "stopped" }) });
}

/**
 * @param {HTMLElement} element the place of the offer
 * @param {{material: string, endgames: number, memory: number, seconds: number}} unsolved what the server says of it
 * @param {function()} [again] is called once the endgame is solved
 */
export function offerToSolve(element, { material, endgames, memory, seconds }, again) {
  const words = capital(endgameWords(material));
  const said = h("p", { class: "small", role: "status" });
  const bar = progressBar();
  const start = button("Solve it now", begin, { class: "primary" });
  const stop = button("Stop", end, { hidden: true });
  const others = endgames > 1 ? `, with ${count(endgames - 1, "other endgame")} that it leads to,` : "";
  const costs = `${timeWords(seconds)} and ${sizeWords(memory)} of memory`;
  fill(
    element,
    h("p", {}, h("b", {}, `${words} is not solved yet.`)),
    h("p", {}, `Solving it${others} takes ${costs}. The table is kept.`),
    h("div", { class: "row" }, start, stop),
    bar.element,
    said,
  );
  find();

  // A job that another window, or this one before a reload, has begun goes on here.
  async function find() {
    const known = running.get(material)?.id ?? (await runningJob(material).catch(() => null));
    if (known) follow(material, known, show);
  }

  async function begin() {
    start.disabled = true;
    said.textContent = "";
    try {
      const { id } = await post("/api/jobs", { verb: "solve", fields: { material } });
      follow(material, id, show);
    } catch (error) {
      start.disabled = false;
      said.textContent = error.message;
    }
  }

  function end() {
    const id = running.get(material)?.id;
    if (id) post(`/api/jobs/${id}/stop`).catch(() => {});
  }

  /** Shows the state of the job; false once the offer is gone. */
  function show({ state, progress, error }) {
    if (!element.isConnected) return false;
    const isRunning = state === "running";
    start.hidden = isRunning;
    start.disabled = false;
    stop.hidden = !isRunning;
    bar.show(isRunning ? (progress ?? { what: "starting", done: 0, total: null }) : null);
    if (isRunning) return true;
    if (state !== "done") said.textContent = error ?? "Stopped. What is solved so far is kept.";
    else if (again) again();
    else fill(element, h("p", { role: "status" }, `${words} is solved now. Ask once more.`));
    return true;
  }
}

async function runningJob(material) {
  const { jobs } = await get("/api/jobs");
  return jobs.find(
    (job) => job.verb === "solve" && job.state === "running" && job.fields.material === material,
  )?.id;
}

/** Such as "about 2 minutes". @param {number} seconds */
function timeWords(seconds) {
  if (seconds < 90) return `about ${count(Math.max(10, Math.ceil(seconds / 10) * 10), "second")}`;
  if (seconds < 5400) return `about ${count(Math.round(seconds / 60), "minute")}`;
  return `about ${count(Math.round(seconds / 3600), "hour")}`;
}

/** Such as "1.1 GB". @param {number} bytes */
const sizeWords = (bytes) =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
