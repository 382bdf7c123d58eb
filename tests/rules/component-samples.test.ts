/** The page of all components shows each of app/ui. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Not shown by themselves, and why. */
const ELSEWHERE = {
  // Around the page itself.
  "feedback/toast-host.tsx": "shell",
  "feedback/toaster.tsx": "shell",
  "forms/asking-form.tsx": "it shows a ConfirmDialog",
  "feedback/unscripted.tsx": "stands only where no script runs",
  "forms/confirm-tick.tsx": "only where no script runs",
  "page/bottom-bar.tsx": "shell",
  "page/profile-menu.tsx": "shell",
  "page/shell.tsx": "shell",
  "page/theme-toggle.tsx": "shell",
  "page/top-bar.tsx": "shell",
  // Whole screens, made of an ErrorState.
  "feedback/failure.tsx": "screen",
  "feedback/load-failed.tsx": "screen",
  "feedback/no-connection.tsx": "screen",
  "feedback/screen-failed.tsx": "screen",
  // Nothing to see.
  "feedback/install-offer.tsx": "shows only where the browser can install",
  "feedback/lazy-part.tsx": "unseen",
  "feedback/moment.tsx": "takes the focus where it stands",
  "feedback/live-region.tsx": "unseen",
  "forms/form-key.tsx": "unseen",
  // Part of texts.
  "amounts.tsx": "within a callout, a dialog, a field",
  // Behind a sample's button, or with pictures and codes that a screen makes.
  "sharing/share-dialog.tsx": "opened",
  "sharing/qr-code.tsx": "poster",
  "pictures/slideshow.tsx": "login",
};

test("the page of all components shows each component, but for those that are named here", () => {
  const samples = globSync("app/screens/component-samples/*.tsx").map((path) => readFileSync(path, "utf8"));
  const components = globSync("**/*.tsx", { cwd: "app/ui" }).map((path) => path.replaceAll("\\", "/"));
  const missing = components.filter((path) => !samples.some((text) => text.includes(`"#app/ui/${path}"`)));
  expect(missing.toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted());
});
