/** A member's photo: chosen, shown, removed; without scripts, too. */
import sharp from "sharp";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

/** A phone's photo: rotated, and with its location. */
async function face() {
  const buffer = await sharp({ create: { width: 1200, height: 900, channels: 3, background: "#a06040" } })
    .withExif({ IFD3: { GPSLatitudeRef: "S", GPSLatitude: "1/1 17/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  return { name: "me.jpg", mimeType: "image/jpeg", buffer };
}

const SETTINGS = "/profile?tab=settings&section=details";

test("a member sets a photo, sees it small and square, and removes it", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto(SETTINGS);
  await page.waitForLoadState("networkidle");
  const field = page.getByRole("group", { name: "Your photo" });
  await field.getByLabel("Add a photo").setInputFiles(await face());
  await page.getByRole("button", { name: "Save Photo" }).click();
  await expect(page.getByText("Photo saved. Members see it beside your name.")).toBeVisible();
  const shown = page.locator(".member .avatar img");
  await expect(shown).toHaveAttribute("src", /\/320\.(webp|jpg)$/);
  for (const side of [320, 96]) {
    const src = ((await shown.getAttribute("src")) ?? "").replace("/320.", `/${side}.`);
    const { width, height, exif } = await sharp(await (await page.request.get(src)).body()).metadata();
    expect([width, height, exif]).toEqual([side, side, undefined]);
  }
  await expectAccessible(page);
  await page.getByRole("button", { name: "Remove Photo" }).click();
  await expect(page.getByText("Photo removed")).toBeVisible();
  await expect(shown).toHaveCount(0);
});
