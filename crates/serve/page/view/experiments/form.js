/** The form of an experiment. Its server says which fields apply, what they default to and what is wrong. */
import { isAbort, latest, post } from "/page/api.js";
import { copyButton } from "/page/controls.js";
import { button, h } from "/page/dom.js";
import { notices } from "/page/notice.js";
import { later, TYPING } from "/page/timing.js";
import { FIELD } from "/page/view/experiments/address.js";
import { formField, tell, wrongFields } from "/page/view/experiments/field.js";

/**
 * @param {Object} experiment an experiment as /api/experiments describes it
 * @param {{state: Object<string, string>, go: function(Object, Object=), signal: AbortSignal,
 *   compact?: boolean, onStart: function(Object), onReset: function()}} options onStart gets the job that has been
 *   started; compact: the purpose is told elsewhere, and the button comes first
 * @returns {{element: HTMLElement, ready: Promise<void>, lock: function(boolean)}} lock: whether the fields cannot be
 *   changed, nor the experiment started again
 */
export function experimentForm(experiment, { state, go, signal, compact = false, onStart, onReset }) {
  const { verb, title, about, makes, time, fields } = experiment;
  const given = {};
  for (const { name } of fields) given[name] = state[FIELD + name]?.trim() || undefined;
  if (!given.material && state.material && fields.some(({ name }) => name === "material")) {
    given.material = state.material;
  }
  let applying = [];
  const ask = latest(signal);
  const wrong = notices();
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const command = h("pre", { class: "code", tabindex: "0", "aria-label": "Command line" }, `lucena ${verb}`);
  const copy = copyButton(() => command.textContent, "Copy the command");
  const why = h("p", { class: "small", id: "why-not-start", hidden: true });
  const startButton = button("Start", start, { class: "primary", "aria-describedby": why.id });
  const askSoon = later(check, TYPING, signal);
  const parts = new Map();
  for (const one of fields) {
    const onChange = (value, isTyped) => change(one.name, value, isTyped);
    const material = given.material ?? defaultOf("material");
    parts.set(one.name, formField(one, { given: given[one.name], material, onChange }));
  }
  const resetButton = button("Reset all", onReset);
  const box = h(
    "fieldset",
    { class: "fields bare", hidden: true, "aria-label": "Settings" },
    [...parts.values()].map(({ element }) => element),
  );
  const actions = [problem, wrong.element, h("div", { class: "row" }, startButton, resetButton, why)];
  const element = h(
    "form",
    {
      class: "panel",
      onsubmit(event) {
        event.preventDefault();
        start();
      },
    },
    h("h2", {}, compact ? "Settings" : title),
    compact ? [actions, box] : [h("p", {}, about), h("p", { class: "small" }, makes, time && ` ${time}`), box],
    h(
      "div",
      { class: "stack" },
      h("div", { class: "heading" }, h("h3", {}, "The same on the command line"), copy),
      command,
    ),
    compact ? null : actions,
  );
  return { element, ready: check(), lock };

  function lock(isLocked) {
    box.disabled = isLocked;
    startButton.disabled = isLocked;
    resetButton.disabled = isLocked;
    element.classList.toggle("locked", isLocked);
  }

  function defaultOf(name) {
    return fields.find((one) => one.name === name)?.default ?? "";
  }

  function change(name, value, isTyped) {
    given[name] = value;
    go({ [FIELD + name]: value ?? null }, { replace: true });
    if (name === "material") {
      for (const part of parts.values()) part.setMaterial(value ?? defaultOf(name));
    }
    if (isTyped) askSoon();
    else check();
  }

  /** The values to send. The endgame is always one of them: without it, a player from a file would choose it. */
  function filled(names) {
    const values = {};
    for (const { name, kind } of fields) {
      const value = given[name] ?? (kind === "material" || kind === "subject" ? defaultOf(name) : "");
      if (value !== "" && names.includes(name)) values[name] = value;
    }
    return values;
  }

  async function check() {
    try {
      const all = fields.map(({ name }) => name);
      show(await ask("/api/command", { verb, ...filled(all) }));
    } catch (error) {
      if (isAbort(error)) return;
      tell(problem, error.message);
    }
    box.hidden = false;
  }

  function show(answer) {
    const states = new Map(answer.fields.map((one) => [one.name, one]));
    applying = [...states.keys()];
    for (const [name, part] of parts) part.update(states.get(name));
    command.textContent = answer.command || "The command appears once every field is right.";
    copy.disabled = !answer.command;
    const bad = fields.filter(({ name }) => states.get(name)?.error);
    tell(problem, answer.error && !bad.length ? answer.error : "");
    tell(why, bad.length ? wrongFields(bad.map(({ label }) => label)) : "");
    startButton.setAttribute("aria-disabled", String(Boolean(answer.error)));
  }

  async function start() {
    if (startButton.getAttribute("aria-disabled") === "true") {
      element.querySelector("[aria-invalid]")?.focus();
      return;
    }
    startButton.setAttribute("aria-disabled", "true");
    const job = await wrong.run(() => post("/api/jobs", { verb, fields: filled(applying) }, { signal }));
    startButton.setAttribute("aria-disabled", "false");
    if (job) onStart(job);
  }
}
