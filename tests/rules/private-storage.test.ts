import { afterEach, expect, test, vi } from "vitest";
import { clearDraft, readDraft, writeDraft } from "#app/catalogue/selling/listing-draft.ts";
import { EMPTY_LISTING } from "#app/catalogue/selling/listing-form-rules.ts";
import { noteSearch, readSearches } from "#app/catalogue/search/recent-searches.ts";
import { writeOpened } from "#app/platform/edit-rules.ts";
import {
  forgetMemory,
  forgetOthers,
  forgetPrivate,
  OFFLINE_COPY,
  onForget,
  readPrivate,
  writePrivate,
} from "#app/platform/private-storage.ts";
import { openBrowser } from "#tests/support/fake-browser.ts";

afterEach(() => vi.unstubAllGlobals());

const draft = { productId: "p", values: { ...EMPTY_LISTING, name: "Kettle" }, images: [], opened: null, begunAt: 1 };

test("what one person leaves in a browser is not the next one's", () => {
  const browser = openBrowser("me");
  noteSearch("kettle");
  writeDraft(null, draft);
  browser.logIn("you");
  expect([readSearches(), readDraft(null, 2)]).toEqual([[], null]);
  browser.logIn("me");
  expect([readSearches(), readDraft(null, 2)]).toEqual([["kettle"], draft]);
  clearDraft(null);
  expect(readDraft(null, 2)).toBeNull();
});

test("the draft of an edit waits with what its form was opened with, and after a day without its new photos", () => {
  openBrowser("me");
  const image = (key: string) => ({
    key,
    format: "webp" as const,
    width: 800,
    height: 600,
    widths: [400],
    tone: "",
    thumbhash: "",
  });
  const images = [image("img/old"), image("img/new")] as const;
  const opened = writeOpened({ name: "Kettle", photos: "img/old" });
  // The facts of a type are fields that only some listings have.
  const values = { ...draft.values, "fact:size": "42" };
  const edit = { ...draft, values, images: [...images], opened };
  writeDraft("p", edit);
  expect(readDraft("p", 2)).toEqual(edit);
  expect(readDraft("p", 25 * 60 * 60_000)).toEqual({ ...edit, images: [images[0]] });
  // Without it, a merge would undo what was changed meanwhile.
  writeDraft("p", { ...edit, opened: null });
  expect(readDraft("p", 2)).toBeNull();
});

test("logging out removes everything of everybody, and leaves the browser's own flags", () => {
  const browser = openBrowser("me");
  browser.device.set("hasSeenToS", "true");
  noteSearch("kettle");
  writePrivate("tab", "message-draft:x", "Hello");
  browser.logIn("you");
  writePrivate("device", "anything", { at: 1 });
  const forgotten = vi.fn<() => void>();
  onForget(forgotten);
  browser.logIn(null);
  forgetPrivate();
  expect([[...browser.device.keys()], browser.tab.size]).toEqual([["hasSeenToS"], 0]);
  expect(forgotten).toHaveBeenCalledOnce();
});

test("the offline copy waits for nobody: it goes with its person's session", () => {
  const browser = openBrowser("me");
  forgetOthers();
  writeDraft(null, draft);
  writePrivate("device", OFFLINE_COPY, { items: [] });
  browser.logIn(null);
  forgetMemory();
  browser.logIn("me");
  expect([readDraft(null, 2), readPrivate("device", OFFLINE_COPY)]).toEqual([draft, null]);
});

test("what a session that ended by time leaves waits for its user, and goes when somebody else logs in", () => {
  const browser = openBrowser("me");
  forgetOthers();
  writeDraft(null, draft);
  writePrivate("tab", "message-draft:x", "Hello");
  browser.logIn(null);
  forgetMemory();
  forgetOthers();
  browser.logIn("me");
  forgetOthers();
  expect([readDraft(null, 2), readPrivate("tab", "message-draft:x")]).toEqual([draft, "Hello"]);
  const forgotten = vi.fn<() => void>();
  onForget(forgotten);
  browser.logIn("you");
  forgetOthers();
  expect([browser.device.size, browser.tab.size]).toEqual([0, 0]);
  expect(forgotten).toHaveBeenCalledOnce();
});

test("nothing is kept of somebody who is not logged in, or where the browser forbids it", () => {
  const browser = openBrowser(null);
  writePrivate("device", "anything", 1);
  expect([browser.device.size, readPrivate("device", "anything")]).toEqual([0, null]);
  openBrowser("me", { forbidden: true });
  writePrivate("tab", "anything", 1);
  forgetPrivate();
  expect(readPrivate("tab", "anything")).toBeNull();
});
