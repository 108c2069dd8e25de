// The demonstration that the extension carries, opened from the palette in a window of its own.
import path from "node:path";
import { open } from "./code_server.mjs";

const { browser, page } = await open();
const picture = (where, name) => where.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `demo-${name}.png`) });
try {
  const opened = page.context().waitForEvent("page", { timeout: 120_000 });
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  const row = page.locator(".quick-input-widget .monaco-list-row", { hasText: "Open the Demonstration" }).first();
  for (let round = 0; round < 8; round++) {  // the palette does not look again for commands that come after it was opened
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input").first().waitFor();
    await page.keyboard.type("citelsp: Open the Demonstration", { delay: 30 });
    if (await row.waitFor({ timeout: 8_000 }).then(() => true, () => false)) break;
    await page.keyboard.press("Escape");
  }
  await row.waitFor();
  await page.keyboard.press("Enter");
  const demonstration = await opened;
  await demonstration.locator(".explorer-folders-view .monaco-list-row", { hasText: "main.tex" }).first().waitFor({ timeout: 120_000 });
  await demonstration.locator(".tab.active", { hasText: "main.tex" }).first().waitFor({ timeout: 120_000 });
  await picture(demonstration, "opened");
  console.log("ok   the demonstration is open");
} catch (problem) {
  console.log("FAIL", problem.message.split("\n").slice(0, 6).join(" | "));
  await picture(page, "FAIL");
}
await browser.close();
