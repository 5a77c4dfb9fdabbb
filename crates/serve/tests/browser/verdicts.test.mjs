// Verdicts: rules about who wins, their records and their boards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";

const one = house();
const { open } = one;
const rows = (page) => page.locator(".rules > li");
const heads = (page) => page.locator(".rule-head");
const opened = (page) => page.locator(".rule-head[aria-expanded=true]");
const ask = async (material) => (await fetch(`${one.address}/api/verdicts?material=${material}`)).json();

test("a link of the navigation shows the rules of the pawn, each with its record", async () => {
  const page = await open("view=explore");
  await quiet(page);
  await page.locator("#views").getByRole("link", { name: "Rules" }).click();
  await page.getByRole("heading", { level: 1, name: "Rules about who wins" }).waitFor();
  await quiet(page);
  const { kinds } = await ask("KPvK");
  const [{ rules }] = kinds;
  assert.equal(await rows(page).count(), rules.length);
  assert.match(await opened(page).innerText(), new RegExp(`${rules[0].title}[^]*always right`));
  const number = rules.findIndex(({ exception }) => exception);
  const faulty = rules[number];
  await heads(page).nth(number).click();
  await quiet(page);
  assert.equal(state(page).rule, faulty.name);
  assert.match(await opened(page).innerText(), new RegExp(`${faulty.title}[^]*${faulty.right_percent} right`));
  const words = (await page.locator(".rule-body:visible").innerText()).toLowerCase();
  for (const { sentence } of [...faulty.conditions, ...faulty.repair.conditions])
    assert.ok(words.includes(sentence.toLowerCase()), sentence);
  assert.ok(words.includes(faulty.source.toLowerCase()));
  await axe(page);
  await close(page);
});

test("a click on a counterexample opens it in Explore, where the table says the same", async () => {
  const page = await open("view=verdicts&material=KPvK&rule=square-black");
  await quiet(page);
  const board = page.locator(".verdict-boards a").first();
  assert.match(await board.innerText(), /Where it is wrong: Black to move, a draw/);
  await board.click();
  await quiet(page);
  const { view, fen } = state(page);
  const rule = (await ask("KPvK")).kinds[0].rules.find(({ name }) => name === "square-black");
  assert.deepEqual([view, fen], ["explore", rule.exception.fen]);
  assert.match(await page.locator(".outcome").first().innerText(), /draw/i);
  await page.goBack();
  await quiet(page);
  assert.match(await opened(page).innerText(), /square/i);
  await close(page);
});

test("endgames, kinds, orders and rules have addresses", async () => {
  const page = await open("view=verdicts");
  await quiet(page);
  await page.locator(".endgames a", { hasText: "Rook and pawn against rook" }).click();
  await quiet(page);
  assert.equal(state(page).material, "KRPvKR");
  assert.equal(await rows(page).count(), 53);
  await page.getByLabel("Order").selectOption("wrong");
  await quiet(page);
  const shares = (await page.locator(".rule-size b").allInnerTexts()).map(Number.parseFloat);
  assert.deepEqual(shares, shares.toSorted((a, b) => a - b));
  await reload(page);
  await heads(page).nth(2).click();
  await reload(page);
  assert.ok(state(page).rule);
  await heads(page).nth(2).click();
  assert.equal(await opened(page).count(), 0);
  await reload(page);
  await page.locator(".tabs a", { hasText: "Proved" }).click();
  await quiet(page);
  assert.deepEqual([state(page).tab, state(page).rule], ["proved", undefined]);
  assert.ok((await page.locator(".rule-size b").allInnerTexts()).every((words) => words === "always right"));
  await reload(page);
  await page.goto(`${one.address}/?view=verdicts&material=KPvK&tab=thumb`);
  await quiet(page);
  await page.getByText(/The list as a whole is right in 97.25 %/).waitFor();
  assert.match(await heads(page).last().innerText(), /Otherwise/);
  await close(page);
});

test("an endgame without rules says so, and offers the others", async () => {
  const page = await open("view=verdicts&material=KRvK");
  await quiet(page);
  await page.getByText("There are no rules about KRvK here.").waitFor();
  await page.locator(".endgames a").first().click();
  await quiet(page);
  assert.ok((await rows(page).count()) > 5);
  await close(page);
});

test("verdicts are read by keyboard alone, on a narrow screen", async () => {
  const page = await open("view=verdicts", { viewport: { width: 390, height: 844 } });
  await quiet(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.locator(".endgames a").nth(1).focus();
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).material, "KPvKP");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.of), "KPvKP");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).material, "KPvK");
  await heads(page).nth(3).focus();
  await page.keyboard.press("Enter");
  assert.equal(await heads(page).nth(3).getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).view, "explore");
  await close(page);
});
