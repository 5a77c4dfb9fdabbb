// Trees and rules: a list to search, an outline that opens level by level, leaves with boards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, house, quiet, reload, shown, shows, state } from "./browser.mjs";

const { open } = house();
const rules = (page) => page.locator(".rules > li");
const boards = (page) => page.getByRole("list", { name: /^Examples of/ }).getByRole("listitem");

test("rules are found by a word and by a class", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  const all = await rules(page).count();
  assert.ok(all > 10);
  const search = page.getByLabel("Search for a word or an attribute");
  await search.pressSequentially("edge");
  await page.waitForTimeout(350);
  await quiet(page);
  assert.equal(state(page).q, "edge");
  assert.match(await page.locator("#main").innerText(), /found among \d+ rules/);
  assert.equal(await search.evaluate((one) => one === document.activeElement), true, "typing goes on");
  for (const words of await rules(page).allInnerTexts()) assert.match(words, /edge/i);
  await reload(page);
  await search.fill("");
  await page.waitForTimeout(350);
  await quiet(page);
  const classes = page.getByLabel("Class", { exact: true });
  const name = await classes.locator("option").nth(1).innerText();
  await classes.selectOption({ label: name });
  await quiet(page);
  for (const words of await page.locator(".rules .chip").allInnerTexts()) assert.equal(words, name);
  await reload(page);
  await close(page);
});

test("a long list has pages", async () => {
  const page = await open("view=trees&player=exact&material=KRvK");
  await quiet(page);
  await page.getByRole("button", { name: "Next page" }).click();
  await quiet(page);
  assert.equal(await page.locator(".rule-number").first().innerText(), "26");
  await reload(page);
  await page.goBack();
  await quiet(page);
  assert.equal(await page.locator(".rule-number").first().innerText(), "1");
  await close(page);
});

test("a leaf has six boards, and is played from", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  await rules(page).first().getByRole("button").click();
  await quiet(page);
  assert.equal(await boards(page).count(), 6);
  await reload(page);
  const seen = await shown(page);
  await boards(page).first().getByRole("link", { name: "Play from here" }).click();
  await page.getByRole("heading", { level: 1, name: "Play" }).waitFor();
  await quiet(page);
  assert.equal(state(page).white, "human");
  assert.ok(state(page).fen);
  await page.goBack();
  await shows(page, seen);
  const { leaf } = state(page);
  await page.getByRole("link", { name: "Show it in the picture" }).click();
  await quiet(page);
  assert.equal(await page.locator("[role=treeitem][aria-selected=true]").getAttribute("data-node"), leaf);
  await close(page);
});

test("a rule of a strategy has examples in which it is used", async () => {
  const page = await open("view=trees&player=strategy&material=KQvK");
  await quiet(page);
  await rules(page).first().getByRole("button").click();
  await quiet(page);
  assert.ok(await boards(page).count() >= 3);
  await reload(page);
  await close(page);
});

test("the outline opens level by level, by mouse and keyboard", async () => {
  const page = await open("view=trees&player=theory&material=KRvK&tab=outline");
  await quiet(page);
  const nodes = page.locator("button.node:visible");
  const first = await nodes.count();
  await page.getByRole("button", { name: "Open one more level" }).click();
  await quiet(page);
  const second = await nodes.count();
  assert.ok(second > first);
  await reload(page);
  await nodes.first().focus();
  await page.keyboard.press("ArrowDown");
  const node = await page.locator("button.node:focus").getAttribute("data-node");
  await page.keyboard.press("ArrowLeft");
  await quiet(page);
  assert.ok(await nodes.count() < second);
  assert.equal(await page.locator("button.node:focus").getAttribute("data-node"), node, "the keyboard stays");
  await page.getByRole("button", { name: "Close all" }).click();
  await quiet(page);
  assert.equal(await nodes.count(), first);
  const leaf = page.locator(".leaf > button.node:visible").first();
  for (let i = 0; i < 6 && !(await leaf.count()); i += 1) {
    await page.getByRole("button", { name: "Open one more level" }).click();
    await quiet(page);
  }
  await leaf.click();
  await quiet(page);
  assert.equal(await boards(page).count(), 6);
  await reload(page);
  await close(page);
});

test("slow answers do not take the focus away, and the last question counts", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  await page.route("**/api/rules**", async (route) => {
    const slow = route.request().url().includes("search=edge");
    await new Promise((done) => setTimeout(done, slow ? 600 : 100));
    await route.continue().catch(() => {});
  });
  const search = page.getByLabel("Search for a word or an attribute");
  await search.fill("edge");
  await page.waitForTimeout(350);
  await search.fill("rook");
  assert.equal(await search.evaluate((one) => one === document.activeElement), true);
  await page.waitForTimeout(350);
  await quiet(page);
  assert.equal(await search.inputValue(), "rook");
  for (const words of await rules(page).allInnerTexts()) assert.match(words, /rook/i);
  await page.getByRole("link", { name: "Picture" }).focus();
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(await page.locator(":focus").innerText(), "Picture");
  await close(page);
});
