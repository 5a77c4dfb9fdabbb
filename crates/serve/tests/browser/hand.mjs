// The actions of a person on a board, and what is visible on it.

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */

/** @param {Page} page @param {string} square */
export const cell = (page, square) => page.locator(`[data-square="${square}"]`);

/** The visible men and their squares: "Ka1 Rh1 kd5", in order. @param {Page} page */
export const men = (page) => page.evaluate(async () => {
  await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
  const grid = document.querySelector(".board-grid").getBoundingClientRect();
  const cells = [...document.querySelectorAll(".board-cell")];
  return [...document.querySelectorAll(".board-picture .men > .man")].map((man) => {
    const box = man.getBoundingClientRect();
    const column = Math.floor(((box.left + box.width / 2 - grid.left) / grid.width) * 8);
    const row = Math.floor(((box.bottom - 2 - grid.top) / grid.height) * 8);
    return man.dataset.man + cells[8 * row + column].dataset.square;
  }).sort().join(" ");
});

/** The shapes of the marks on the board, in order. @param {Page} page */
export const marks = (page) => page.evaluate(() =>
  [...document.querySelectorAll(".board-picture .mark")].map((mark) => mark.dataset.shape).sort().join(" "));

/** The marks on the board, with their places. @param {Page} page */
export const markedBoard = (page) => page.evaluate(() =>
  [...document.querySelectorAll(".board-picture .mark")].map((mark) => mark.outerHTML).sort().join(" "));

/** @param {Locator} locator @returns {Promise<[number, number]>} */
export const middle = async (locator) => {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** @param {Page} page @param {Locator} from @param {Locator|[number, number]} to */
export async function drag(page, from, to) {
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  const end = Array.isArray(to) ? to : await middle(to);
  await page.mouse.move(...end, { steps: 4 });
  await page.mouse.up();
}

/** Moves a man by two clicks, and chooses the piece of a promotion. @param {Page} page @param {string} uci */
export async function click(page, uci) {
  await cell(page, uci.slice(0, 2)).click();
  await cell(page, uci.slice(2, 4)).click();
  const becomes = { q: "queen", r: "rook", b: "bishop", n: "knight" }[uci[4]];
  if (becomes) await page.getByRole("dialog").getByLabel(becomes).click();
}

/** A finger, as the device reports it. @param {Page} page @param {Locator} from @param {Locator} to */
export async function swipe(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const [[x, y], [toX, toY]] = [await middle(from), await middle(to)];
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x, y }]);
  for (let part = 1; part <= 4; part += 1) {
    await touch("touchMove", [{ x: x + ((toX - x) * part) / 4, y: y + ((toY - y) * part) / 4 }]);
  }
  await touch("touchEnd", []);
  await session.detach();
}

/** Forgets what has been mastered in an endgame, in its practice. @param {Page} page @param {string} material */
export async function forget(page, material) {
  await page.getByText("What \u201cmastered\u201d means").click();
  await page.getByRole("button", { name: "Forget my progress" }).click();
  await page.getByText(`Forget all that you have mastered in ${material}?`).waitFor();
  await page.getByRole("button", { name: "Forget it" }).click();
}
