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

/** Forms with photos that `usePhotoDraft` doesn't keep, and why. */
const PHOTOS_OTHERWISE: Readonly<Record<string, string>> = {
  "app/catalogue/photos/components/use-photos.ts": "it uploads them",
  "app/catalogue/selling/components/listing-form.tsx": "a listing has a draft of its own, with its photos",
  "app/messaging/components/composer-photos.tsx": "it keeps them itself, by conversation",
  "app/screens/profile/photo-form.tsx": "one picture, which is saved by a press",
  "app/shops/components/shop-form.tsx": "its dialog keeps it, with its photos",
};

test("each form with photos keeps those that are uploaded, or says why not", () => {
  const withPhotos = sourceFiles("app", "workers").filter(({ code }) => /\busePhotos\(/.test(code));
  const lost = withPhotos.filter(({ code }) => !/\busePhotoDraft\(/.test(code)).map(({ file }) => file);
  expect(lost.toSorted()).toEqual(Object.keys(PHOTOS_OTHERWISE).toSorted());
});

test("each form with a longer text keeps it in the tab, or says why not", () => {
  const withText = sourceFiles("app", "workers").filter(({ code }) => /<TextArea\b/.test(code));
  expect(withText.length).toBeGreaterThan(15);
  const lost = withText.filter(({ code }) => !code.includes("useFormDraft(")).map(({ file }) => file);
  expect(lost.toSorted()).toEqual(Object.keys(OTHERWISE).toSorted());
});
