/** Where people write more than a line, it stays until it is sent. What Back and a reload keep: kept-fields.ts. */
import { expect, test } from "vitest";
import { sourceFiles } from "#tests/support/source.ts";

/** Texts that `useFormDraft` doesn't keep, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "app/catalogue/selling/components/listing-parts.tsx": "a listing has a draft of its own, with its photos",
  "app/deals/components/deal-form.tsx": "a note beside a press, which stays until the press is accepted",
  "app/shops/components/shop-form.tsx": "its dialog keeps it, with its photos",
  "app/team/components/admin-form.tsx": "our team's notes, several on each page",
  "app/moderation/cases/appeal-view.tsx": "nobody is logged in, so nothing may stay",
  "app/accounts/components/sign-up-form.tsx": "nobody is logged in, so nothing may stay",
  "app/screens/component-samples/form-samples.tsx": "samples",
};

test("each form with a longer text keeps it in the tab, or says why not", () => {
  const withText = sourceFiles("app", "workers").filter(({ code }) => /<TextArea\b/.test(code));
  expect(withText.length).toBeGreaterThan(15);
  const lost = withText.filter(({ code }) => !code.includes("useFormDraft(")).map(({ file }) => file);
  expect(lost.toSorted()).toEqual(Object.keys(OTHERWISE).toSorted());
});
