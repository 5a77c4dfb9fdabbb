// The field that finds an endgame by typing, on a desk and on a phone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet, state } from "./browser.mjs";

const { open } = house();
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: "dark" };
const field = (page) => page.getByRole("combobox", { name: "Endgame" });
const found = (page) =>
  page.locator("[role=option]:not([aria-disabled])").evaluateAll((all) => all.map((one) => one.dataset.material));

describe("an endgame", () => {
  test("is found by its letters, in any case and without the v, and by its men", async () => {
    const page = await open("view=explore");
    await quiet(page);
    const best = async (typed) => {
      await field(page).fill(typed);
      return page.locator(".combo-list .pointed").getAttribute("data-material");
    };
    const cases = { krk: "KRvK", KRvK: "KRvK", "kr v k": "KRvK", kbnk: "KBNvK", knbk: "KBNvK", kkr: "KRvK",
      "two bishops": "KBBvK", "philidor": "KRPvKR", "opposition": "KPvK", "rook pawn": "KRvKP", "Queen against rook": "KQvKR" };
    for (const [typed, material] of Object.entries(cases)) assert.equal(await best(typed), material, typed);
    await field(page).fill("rook");
    const rooks = await found(page);
    assert.ok(rooks.length > 5 && rooks.every((material) => material.includes("R")), `${rooks}`);
    await field(page).fill("two bishops");
    assert.deepEqual(await found(page), ["KBBvK"]);
    await field(page).fill("unicorn");
    assert.deepEqual(await found(page), []);
    assert.match(await page.locator(".combo-list").innerText(), /No such endgame/);
    await close(page);
  });

  test("is chosen by the keyboard, or left as it was", async () => {
    const page = await open("view=explore");
    await quiet(page);
    await field(page).focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await field(page).getAttribute("aria-expanded"), "true");
    await axe(page);
    const groups = await page.locator(".combo-group").allInnerTexts();
    assert.deepEqual(groups.slice(0, 4),
      ["King and at most one piece against king", "Two pieces against king", "Piece against piece", "With pawns"]);
    const active = () => field(page).evaluate((one) =>
      document.getElementById(one.getAttribute("aria-activedescendant")).dataset.material);
    assert.equal(await active(), "KRvK");
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(), "KQvK");
    await page.keyboard.press("Escape");
    assert.equal(await field(page).inputValue(), "KRvK - rook against the bare king");
    await page.keyboard.type("kqk");
    await page.keyboard.press("Enter");
    await quiet(page);
    assert.equal(state(page).material, "KQvK");
    assert.match(await field(page).inputValue(), /^KQvK - queen/);
    await page.keyboard.type("nothing");
    await page.keyboard.press("Tab");
    assert.match(await field(page).inputValue(), /^KQvK - queen/);
    await close(page);
  });

  test("is chosen by a finger, and the list fits the screen", async () => {
    const page = await open("view=explore", PHONE);
    await quiet(page);
    await field(page).tap();
    const box = await page.locator(".combo-list").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await axe(page);
    await page.locator("[data-material=KQvK]").tap();
    await quiet(page);
    assert.equal(state(page).material, "KQvK");
    assert.equal(await page.locator(".combo-list").isVisible(), false);
    await close(page);
  });
});
