/** The offer to solve an endgame that takes long: what that takes, a button, and the progress of the job. */
import { get, listen, post } from "/page/api.js";
import { button, fill, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { endgameWords } from "/page/endgames.js";
import { progressBar } from "/page/notice.js";

/** The events of running jobs by endgame, so that an offer that is drawn anew shows the same job. */
const running = new Map();

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
  const others = endgames > 1 ? `, with ${count(endgames - 1, "other endgame")} that it leads to` : "";
  fill(
    element,
    h("p", {}, h("b", {}, `${words} is not solved yet.`)),
    h(
      "p",
      {},
      `Solving it${others}, takes ${timeWords(seconds)} and ${sizeWords(memory)} of memory. The table is kept.`,
    ),
    h("div", { class: "row" }, start, stop),
    bar.element,
    said,
  );
  find();

  // A job that another window, or this one before a reload, has begun goes on here.
  async function find() {
    const known = running.get(material) ?? (await runningJob(material).catch(() => null));
    if (known) follow(known);
  }

  async function begin() {
    start.disabled = true;
    said.textContent = "";
    try {
      const { id } = await post("/api/jobs", { verb: "solve", fields: { material } });
      follow(id);
    } catch (error) {
      start.disabled = false;
      said.textContent = error.message;
    }
  }

  function follow(id) {
    running.set(material, id);
    start.hidden = true;
    stop.hidden = false;
    // The connection does not end with the view: the server stops a job that nobody listens to.
    listen(
      `/api/jobs/${id}/events`,
      (job, close) => {
        bar.show(
          job.state === "running" ? (job.progress ?? { what: "starting", done: 0, total: null }) : null,
        );
        if (job.state === "running") return;
        close();
        ended(job);
      },
      { onClosed: () => ended({ state: "stopped" }) },
    );
  }

  function end() {
    const id = running.get(material);
    if (id) post(`/api/jobs/${id}/stop`).catch(() => {});
  }

  function ended({ state, error }) {
    running.delete(material);
    stop.hidden = true;
    start.hidden = start.disabled = false;
    bar.show(null);
    if (state !== "done") said.textContent = error ?? "Stopped. What is solved so far is kept.";
    else if (element.isConnected) again?.();
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
