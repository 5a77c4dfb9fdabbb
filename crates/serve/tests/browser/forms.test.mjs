// Forms of experiments: their fields, defaults and errors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";

const { open } = house();
const TYPING = 350;
const field = (page, name) => page.locator(`[data-field="${name}"]`);
const shownFields = (page) =>
  page.locator("[data-field]:visible").evaluateAll((all) => all.map((one) => one.dataset.field));
const command = (page) => page.getByLabel("Command line").innerText();
const form = async (verb, more = "", options = {}) => {
  const page = await open(`view=experiments&verb=${verb}${more}`, options);
  await quiet(page);
  return page;
};
const type = async (page, name, value) => {
  await field(page, name).locator("input").first().fill(value);
  await page.waitForTimeout(TYPING);
  await quiet(page);
};
const start = (page) => page.getByRole("button", { name: "Start", exact: true });

const VERBS = ["prove", "validate", "study", "curve", "frontier", "distil", "strategy", "measure", "learn", "train",
  "evolve", "search", "sufficiency"];

test("each form says what it is for, explains each field, and speaks of no options", async () => {
  const page = await open("view=experiments");
  for (const verb of VERBS) {
    await page.goto(`${new URL(page.url()).origin}/?view=experiments&verb=${verb}`);
    await quiet(page);
    const text = await page.locator("form").evaluate((one) => {
      const copy = one.cloneNode(true);
      copy.querySelector("pre").remove();
      return copy.textContent;
    });
    assert.doesNotMatch(text, /--|FILE|`|\bpl(y|ies)\b/, verb);
    for (const name of await shownFields(page)) {
      assert.match(await field(page, name).locator("small").last().innerText(), /^[A-Zα-ω].*[.]$/s, `${verb}: ${name}`);
    }
    assert.equal(await start(page).getAttribute("aria-disabled"), "false", verb);
  }
  await axe(page, "#main");
  await close(page);
});

test("defaults are those of the chosen model, and a typed value stays", async () => {
  const page = await form("train");
  const value = (name) => field(page, name).locator("input").first().inputValue();
  assert.deepEqual([await value("hidden"), await value("games"), await value("rate")], ["32", "400000", "0.5"]);
  await type(page, "games", "5000");
  await field(page, "kind").locator("select").selectOption("linear");
  await quiet(page);
  assert.equal(await value("rate"), "0.3");
  assert.equal(await value("games"), "5000");
  assert.equal(await field(page, "hidden").isVisible(), false);
  assert.match(await command(page), /^lucena train KRvK --kind linear --games 5000 --out weights$/);
  await reload(page);
  await field(page, "what").getByRole("combobox").fill("chess");
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.deepEqual(await shownFields(page),
    ["what", "games", "rate", "last_rate", "lambda", "explore", "random", "seed"]);
  assert.equal(await value("rate"), "0.003");
  assert.match(await command(page), /^lucena train chess --games 5000 --out weights$/);
  await type(page, "games", "");
  await field(page, "seed").locator("input").focus();
  assert.equal(await value("games"), "20000", "an empty field has its default again");
  await close(page);
});

test("only one of two ways to stop is asked for", async () => {
  const page = await form("distil");
  assert.ok((await shownFields(page)).includes("seconds"));
  await field(page, "effort").locator("select").selectOption("candidates");
  await quiet(page);
  const names = await shownFields(page);
  assert.ok(names.includes("candidates") && !names.includes("seconds"), names.join());
  assert.match(await command(page), /--candidates 100000/);
  await field(page, "keep").locator("select").selectOption("exact");
  await quiet(page);
  assert.equal(await field(page, "longest").isVisible(), false);
  await reload(page);
  await close(page);
});

test("an error stands at its field, and a start with errors leads there", async () => {
  const page = await form("train");
  for (const [name, wrong, said] of [
    ["lambda", "2", /from 0 to 1/],
    ["games", "many", /whole number of games/],
    ["rate", "0", /above 0/],
    ["hidden", "65", /1 to 64/],
  ]) {
    await type(page, name, wrong);
    const input = field(page, name).locator("input");
    assert.equal(await input.getAttribute("aria-invalid"), "true", name);
    const described = (await input.getAttribute("aria-describedby")).split(" ");
    assert.match(await page.locator(`#${described.at(-1)}`).innerText(), said);
  }
  assert.equal(await start(page).getAttribute("aria-disabled"), "true");
  assert.match(await page.locator("#why-not-start").innerText(), /“Hidden units”, “Games”, .* and “λ” are corrected/);
  await axe(page, "#main");
  await start(page).click({ force: true });
  assert.equal(state(page).job, undefined);
  assert.equal(await page.evaluate(() => document.activeElement.closest("[data-field]").dataset.field), "hidden");
  for (const name of ["lambda", "games", "rate", "hidden"]) await type(page, name, "");
  assert.equal(await page.locator("[aria-invalid]").count(), 0);
  assert.equal(await start(page).getAttribute("aria-disabled"), "false");
  await close(page);
});

test("unknown names, wrong lists, endgames that cannot be won and players that are missing are refused", async () => {
  for (const [verb, name, query, said] of [
    ["curve", "shares", "f.shares=10,200", /percentage from 1 to 99/],
    ["strategy", "attributes", "f.attributes=geometric,beauty", /beauty/],
    ["measure", "attributes", "f.attributes=kRom", /kRom/],
    ["distil", "material", "f.material=KBvK", /wins from no position/],
    ["train", "what", "f.what=KNvK", /wins from no position/],
    ["prove", "player", "f.material=KBNvK&f.player=exact", /no exact tree for KBNvK/],
    ["prove", "player", "f.player=nobody", /nobody/],
    ["learn", "attributes", "f.attributes=,", /at least one/],
    ["evolve", "population", "f.population=1", /2 or more/],
  ]) {
    const page = await form(verb, `&${query}`);
    const error = field(page, name).getByRole("alert");
    assert.match(await error.innerText(), said, `${verb} ${query}`);
    assert.equal(await start(page).getAttribute("aria-disabled"), "true");
    await close(page);
  }
});

test("a form fits a phone, light and dark, and is filled in by the keyboard", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await form("train", "", { viewport: { width: 390, height: 844 }, colorScheme });
    await type(page, "explore", "7");
    await axe(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
    await field(page, "what").getByRole("combobox").focus();
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.closest("[data-field=explore]") !== null)) break;
    }
    await page.keyboard.press("Control+A");
    await page.keyboard.type("0.2");
    await page.waitForTimeout(TYPING);
    await quiet(page);
    assert.match(await command(page), /--explore 0\.2 --out/);
    await close(page);
  }
});
