import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withOpened } from "#app/messaging/conversations/conversation-list.ts";
import type { ConversationView } from "#app/messaging/conversations/conversations.server.ts";
import { waitsForAnswer } from "#app/messaging/conversations/conversation-rules.ts";
import { splitLinks } from "#app/platform/link-rules.ts";
import { readSubject, threadOf, writeSubject } from "#app/messaging/message-rules.ts";
import { newMessageToast } from "#app/messaging/notices/message-toast.ts";

describe("links in a message", () => {
  const here = "https://chuoni.example";

  test("the parts of a text make up the text, and every link is one to a web page", () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom("www.", "http://", "https://a.b", "javascript:alert(1)", here, "@", ")", "… "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        const parts = splitLinks(text, here);
        expect(parts.map((part) => part.text).join("")).toBe(text);
        for (const part of parts) {
          if (part.kind === "away") expect(part.href).toMatch(/^https?:\/\//);
          if (part.kind === "own") expect(part.href).toMatch(/^\/(?!\/)/);
        }
      }),
    );
  });

  test("a link of our own stays here, any other leads away and names its host; what ends a sentence is no part of it", () => {
    expect(splitLinks(`See ${here}/product/1?x=2, or https://Jiji.co.ke/kettle.`, here)).toEqual([
      { kind: "text", text: "See " },
      { kind: "own", text: `${here}/product/1?x=2`, href: "/product/1?x=2" },
      { kind: "text", text: ", or " },
      { kind: "away", text: "https://Jiji.co.ke/kettle", href: "https://jiji.co.ke/kettle", host: "jiji.co.ke" },
      { kind: "text", text: "." },
    ]);
    expect(splitLinks("www.uonbi.ac.ke", here)).toMatchObject([{ kind: "away", host: "www.uonbi.ac.ke" }]);
  });

  test.each([
    ["https://en.wikipedia.org/wiki/Maize_(Kenya)", "https://en.wikipedia.org/wiki/Maize_(Kenya)"],
    ["(https://en.wikipedia.org/wiki/Maize_(Kenya)).", "https://en.wikipedia.org/wiki/Maize_(Kenya)"],
    ["[see https://jiji.co.ke/a(b](c)]", "https://jiji.co.ke/a(b](c)"],
    ["https://jiji.co.ke/a)!?)", "https://jiji.co.ke/a"],
  ])("in %s the link is %s", (text, link) => {
    expect(splitLinks(text, here).filter(({ kind }) => kind === "away")).toMatchObject([{ text: link }]);
  });

  test.each([
    "javascript:alert(1)",
    "https://chuoni.example@evil.example/",
    "data:text/html,x",
    "mailto:a@b.co",
    "http://",
    "a.b.c",
    "hhttps://x.y",
    "https://chuoni.example//evil.example/login",
    "https://chuoni.example/\\evil.example",
  ])("%s is no link", (text) => {
    expect(splitLinks(text, here)).toEqual([{ kind: "text", text }]);
  });

  test("a look-alike of our address leads away", () => {
    expect(splitLinks("https://chuoni.example.evil.example/", here)).toMatchObject([
      { kind: "away", host: "chuoni.example.evil.example" },
    ]);
    expect(splitLinks("http://chuoni.example/", here)).toMatchObject([{ kind: "away" }]);
  });
});

describe("what a notification says", () => {
  test("it names the sender and shows thirty characters, with an ellipsis where there are more", () => {
    expect(newMessageToast({ senderName: "Amina", message: "Yes, one left." })).toBe(
      "New message from Amina: Yes, one left.",
    );
    expect(newMessageToast({ senderName: " ", message: `${"a".repeat(30)}b` })).toBe(
      `New message from Someone: ${"a".repeat(30)}…`,
    );
    expect(newMessageToast({ senderName: "Amina", message: "one\n\n two" })).toBe("New message from Amina: one two");
  });

  test("an emoji is one character, never half of one", () => {
    expect(newMessageToast({ senderName: "A", message: "👩‍👩‍👧‍👦".repeat(31) })).toBe(
      `New message from A: ${"👩‍👩‍👧‍👦".repeat(30)}…`,
    );
  });

  test("a message without words is announced all the same", () => {
    expect(newMessageToast({ senderName: "Amina", message: " " })).toBe("You have a new message");
  });
});

test("a conversation has one key whoever writes, and a subject survives its way through a form", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.constantFrom("item" as const, "product" as const), (one, other, kind) => {
      expect(threadOf(one, other)).toBe(threadOf(other, one));
      expect(readSubject(writeSubject({ kind, id: one }))).toEqual({ kind, id: one });
    }),
  );
  for (const text of ["", "item:", "order:00000000-0000-4000-8000-000000000000", "item:1"])
    expect(readSubject(text)).toBeNull();
});

describe("a conversation of the list that was opened", () => {
  const conversation = (id: string, lastAt: number, unread = 0) => ({ id, lastAt, unread }) as ConversationView;

  test("shows as read, though its page isn't loaded again", () => {
    const list = [conversation("ann", 40), conversation("cleo", 20, 2)];
    expect(withOpened(list, [conversation("cleo", 20), conversation("dan", 10)])).toEqual([
      conversation("ann", 40),
      conversation("cleo", 20),
    ]);
  });

  test("shows as the list has it while it is unread, and when something was written since", () => {
    const list = [conversation("cleo", 50, 1), conversation("ann", 40)];
    expect(withOpened(list, [conversation("cleo", 20), conversation("ann", 40, 3)])).toEqual(list);
  });
});

test("somebody waits for an answer who wrote last, for a day", () => {
  const last = { senderId: "me", createdAt: 1_000 };
  const day = 24 * 60 * 60_000;
  expect(waitsForAnswer(last, "me", 2_000)).toBe(true);
  // It came while the page was open.
  expect(waitsForAnswer(last, "me", 500)).toBe(true);
  expect(waitsForAnswer(last, "me", 1_000 + day)).toBe(false);
  expect(waitsForAnswer(last, "other", 2_000)).toBe(false);
  expect(waitsForAnswer(undefined, "me", 2_000)).toBe(false);
});
