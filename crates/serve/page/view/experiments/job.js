/** A job: its state, its results, its name, and what can be done with it. */
import { askWhetherThere, forgetAbout, get, post } from "/page/api.js";
import { href, linkTo } from "/page/address.js";
import { copyButton } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { notices, progressBar } from "/page/notice.js";
import { table } from "/page/table.js";
import { formAddress } from "/page/view/experiments/address.js";
import { confirmation, nameForm } from "/page/view/experiments/ask.js";

/** The number of rows in the table of points. */
const POINTS = 50;
/** The states of a job in words. */
export const STATES = { running: "runs", done: "done", failed: "failed", stopped: "stopped" };

/**
 * @param {{signal: AbortSignal, isWhole?: boolean, onChanged: function(), onDeleted: function()}} options isWhole: false
 *   if its chart and its form are beside it; onChanged: the job has another name, or a player was saved
 */
export function jobPanel({ signal, isWhole = true, onChanged, onDeleted }) {
  let job = null;
  let since = 0;
  let drawn = {};
  const wrong = notices();
  const bar = progressBar();
  const heading = h("h2", {});
  const badge = h("p", { class: "job-state", role: "status" });
  const command = h("pre", { class: "code", tabindex: "0", "aria-label": "Command line" });
  const notes = h("ul", { class: "notes" });
  const stopButton = button("Stop", () => act("stop"));
  const deleteButton = button("Delete", () =>
    confirmation(asked, {
      question: "Delete this experiment and its files?",
      yes: "Delete it",
      onYes: () => act("forget"),
      back: deleteButton,
    }),
  );
  const renameButton = button("Rename", () =>
    nameForm(asked, {
      label: "Name",
      value: job.name,
      submit: "Rename",
      back: renameButton,
      onName: (name) => give("rename", name),
    }),
  );
  const saveButton = button("Save as player", () =>
    nameForm(asked, {
      label: "Name of the player",
      value: "",
      submit: "Save",
      back: saveButton,
      onName: (name) => give("save", name),
    }),
  );
  const asked = h("div"); // the place of a question
  const said = h("p", { role: "status", hidden: true });
  const again = h("a", { class: "button" }, "Change and run again");
  const image = h("img", { alt: "", class: "chart", hidden: true });
  const points = h("div", { class: "points" });
  const chartBox = h(
    "section",
    { class: "panel", hidden: true },
    h("h2", {}, "Chart"),
    h("div", { class: "chart-and-points" }, image, points),
  );
  const result = h("section", { class: "panel", hidden: true });
  const failure = h("div");
  const element = h(
    "div",
    { class: "stack" },
    h(
      "section",
      { class: "panel" },
      h("div", { class: "heading" }, heading, badge),
      bar.element,
      wrong.element,
      failure,
      notes,
      h("div", { class: "row" }, stopButton, saveButton, again, renameButton, deleteButton),
      asked,
      said,
      h(
        "details",
        {},
        h("summary", {}, "Command line"),
        command,
        copyButton(() => command.textContent, "Copy the command"),
      ),
    ),
    chartBox,
    result,
  );

  async function act(what) {
    const answer = await wrong.run(() => post(`/api/jobs/${job.id}/${what}`, {}, { signal }));
    if (!answer) return;
    forgetAbout();
    if (what === "forget") return onDeleted();
    onChanged();
    if (answer.id) drawAnswer(answer);
  }

  /** Draws an answer, unless the end of the job has been told in the meantime. */
  function drawAnswer(answer) {
    const isLate = answer.state === "running" && job.state !== "running";
    draw(isLate ? { ...job, name: answer.name } : answer);
  }

  /** Gives the job, or a copy of its player, a name. */
  async function give(what, name) {
    const answer = await wrong.run(() => post(`/api/jobs/${job.id}/${what}`, { name }, { signal }));
    if (!answer) return false;
    forgetAbout();
    fill(
      said,
      what === "save" && `Saved: ${answer.name} can be chosen wherever players are. `,
      what === "save" &&
        h(
          "a",
          { href: href({ view: "arena", white: answer.player, black: "tablebase" }, {}) },
          "Let it play",
        ),
    );
    said.hidden = what !== "save";
    if (what === "rename") drawAnswer(answer);
    onChanged();
    return true;
  }

  /** Requests the state of the job after the stream has broken for good. */
  async function ask() {
    const answer = await wrong.run((options) => get(`/api/jobs/${job.id}`, {}, { ...options, signal }));
    if (answer) draw(answer);
  }

  function draw(next) {
    job = next;
    const running = job.state === "running";
    wrong.clear();
    heading.textContent = job.name || job.title;
    since = performance.now() - 1000 * job.seconds;
    // Screen readers announce the end, not every second.
    badge.setAttribute("aria-live", running ? "off" : "polite");
    drawTime();
    badge.dataset.state = job.state;
    // Once all steps are done, the total says nothing about the work that follows.
    const { what = "working", done = 0, total = null } = job.progress ?? {};
    bar.show(running ? { what, done, total: total && done < total ? total : null } : null);
    command.textContent = job.command;
    stopButton.hidden = !running;
    deleteButton.hidden = running;
    saveButton.hidden = !job.makes_player;
    again.hidden = !isWhole;
    again.href = formAddress(job.verb, job.fields);
    if (changed("notes", job.notes))
      fill(
        notes,
        job.notes.map((note) => h("li", {}, note)),
      );
    if (changed("error", job.error))
      fill(failure, job.error && h("p", { class: "error", role: "alert" }, job.error));
    drawChart();
    if (changed("result", [job.summary, job.files, job.player])) drawResult();
  }

  /** Updates the time between events from the server. */
  function drawTime() {
    const passed = job.state === "running" ? (performance.now() - since) / 1000 : job.seconds;
    const when = began(job);
    badge.textContent = `${capital(STATES[job.state] ?? job.state)}, ${seconds(passed)}${when && `, begun ${when}`}`;
  }

  const clock = setInterval(() => job?.state === "running" && drawTime(), 500);
  signal.addEventListener("abort", () => clearInterval(clock), { once: true });

  function changed(key, value) {
    const text = JSON.stringify(value);
    if (drawn[key] === text) return false;
    drawn[key] = text;
    return true;
  }

  function drawChart() {
    chartBox.hidden = !isWhole || (!job.chart && !job.points?.rows.length);
    if (!isWhole) return;
    if (job.chart && changed("chart", job.chart.version)) {
      // The old chart stays until the new one is loaded.
      const next = new Image();
      const version = job.chart.version;
      next.onload = () => {
        if ((image.version ?? -1) > version) return;
        image.version = version;
        image.src = next.src;
        image.hidden = false;
      };
      next.src = `/api/jobs/${encodeURIComponent(job.id)}/chart.svg?version=${version}`;
      image.alt = `Chart of ${job.title}. The table beside it holds its points.`;
    }
    if (!job.points || !changed("points", job.points)) return;
    const { columns, rows } = job.points;
    const scrolled = points.firstElementChild?.scrollTop;
    const hadFocus = points.contains(document.activeElement);
    const last = rows.slice(-POINTS);
    fill(
      points,
      table({
        caption:
          rows.length > POINTS
            ? `The last ${POINTS} of ${count(rows.length, "point")}`
            : count(rows.length, "point"),
        columns: columns.map((name, i) => ({
          name,
          number: rows.every((row) => row[i] === null || typeof row[i] === "number"),
        })),
        rows: last,
      }),
    );
    if (scrolled) points.firstElementChild.scrollTop = scrolled;
    if (hadFocus) points.firstElementChild.focus({ preventScroll: true });
  }

  function drawResult() {
    result.hidden = !job.summary && !job.files?.length && !job.player;
    const material = materialOf(job);
    const failed = (job.report?.refutation ?? job.report?.worth?.refutation) || null;
    const player = job.player;
    const reads = player && /^(tree|strategy|measure)[:]/.test(player);
    fill(
      result,
      h("h2", {}, "Results"),
      player &&
        h(
          "div",
          { class: "row" },
          reads &&
            h(
              "a",
              { class: "button primary", href: href({ view: "trees", player, material }, {}) },
              "Look at it",
            ),
          h(
            "a",
            {
              class: "button",
              href: href({ view: "arena", white: player, black: "tablebase", material, start: "random" }, {}),
            },
            "Let it play",
          ),
          reads &&
            h("a", { class: "button", href: href({ view: "why", player, material }, {}) }, "Ask it why"),
        ),
      failed &&
        h(
          "p",
          {},
          "A position is not won: ",
          h(
            "a",
            {
              href: linkTo({
                view: "explore",
                fen: failed.fen,
                moves: failed.line?.join(",") || null,
                at: failed.line ? 0 : null,
              }),
            },
            "see the line that shows why",
          ),
          ".",
        ),
      job.summary && h("pre", { class: "code report", tabindex: "0", "aria-label": "Report" }, job.summary),
      job.files?.length
        ? h(
            "div",
            {},
            h("h3", {}, "Files"),
            h(
              "ul",
              { class: "files" },
              job.files.map(({ name, bytes }) =>
                h(
                  "li",
                  {},
                  h(
                    "a",
                    {
                      href: `/api/jobs/${encodeURIComponent(job.id)}/files/${encodeURIComponent(name)}`,
                      download: name,
                    },
                    name,
                  ),
                  h("span", { class: "small" }, ` ${size(bytes)}`),
                ),
              ),
            ),
          )
        : null,
    );
  }

  return {
    element,
    draw,
    ask,
    // The shell says whether the server is gone.
    lost: askWhetherThere,
    get state() {
      return job?.state;
    },
  };
}

/** The endgame of a job, if it has one. */
function materialOf({ fields }) {
  return [fields?.material, fields?.what].find((name) => /^K\w*vK\w*$/.test(name ?? ""));
}

/** The day and the time at which a job began. */
export function began(job) {
  if (!job.begun) return "";
  return new Date(1000 * job.begun).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

function seconds(number) {
  if (number < 60) return `${number.toFixed(1)} s`;
  return `${Math.floor(number / 60)} min ${Math.floor(number % 60)} s`;
}

function size(bytes) {
  if (bytes < 1024) return count(bytes, "byte");
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
