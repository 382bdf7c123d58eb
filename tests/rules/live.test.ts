import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLiveEvent } from "#app/live/live-events.ts";
import { reconnectPause } from "#app/live/reconnect-rules.ts";
import {
  joinNewest,
  joinOlder,
  type KnownMessages,
  markReadUpTo,
  mergeMessages,
  type MessageFacts,
} from "#app/messaging/conversations/conversation-rules.ts";

describe("the channel's events", () => {
  const payment = { v: 1, type: "payment", orderId: "o1" };

  test("an event of this version is read, and what it holds beyond that is left out", () => {
    expect(readLiveEvent(JSON.stringify({ ...payment, more: true }))).toEqual({ type: "payment", orderId: "o1" });
  });

  test.each([
    ["another version", { ...payment, v: 2 }],
    ["no version", { type: "payment", orderId: "o1" }],
    ["an unknown type", { v: 1, type: "reaction", emoji: "👍" }],
    ["a field that is missing", { v: 1, type: "payment" }],
    ["a field of another kind", { v: 1, type: "message", message: "Hi" }],
  ])("%s is ignored", (_, value) => {
    expect(readLiveEvent(JSON.stringify(value))).toBeNull();
  });

  test("nothing that may come over the channel breaks the page", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"v":1,"type":"message","message":${json}}`),
        ),
        (text) => {
          const event = readLiveEvent(text);
          expect(event === null || typeof event.type === "string").toBe(true);
        },
      ),
    );
  });
});

test("a lost connection is tried again after 1, 2, 5 and then 10 seconds, a quarter more or less", () => {
  expect([0, 1, 2, 3, 4, 50].map((tries) => reconnectPause(tries, 0.5))).toEqual([
    1000, 2000, 5000, 10_000, 10_000, 10_000,
  ]);
  fc.assert(
    fc.property(fc.nat({ max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, chance) => {
      const pause = reconnectPause(tries, chance);
      expect(pause).toBeGreaterThanOrEqual(750);
      expect(pause).toBeLessThanOrEqual(12_500);
    }),
  );
});

/** A conversation of `count` messages in turns, and the pages that the server would return of it. */
function conversation(count: number): MessageFacts[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `m${String(at).padStart(4, "0")}`,
    senderId: at % 2 ? "me" : "you",
    createdAt: Math.floor(at / 2),
    read: false,
    orderItemId: at % 3 ? null : "item",
  }));
}

function page(all: MessageFacts[], end: number, size: number): KnownMessages<MessageFacts> {
  const start = Math.max(0, end - size);
  return { messages: all.slice(start, end), older: start > 0 ? String(start) : null };
}

describe("what a page knows of a conversation", () => {
  test("messages are merged in any order and any number of times, each once and oldest first", () => {
    fc.assert(
      fc.property(fc.array(fc.shuffledSubarray(conversation(12), { minLength: 0 }), { maxLength: 6 }), (lots) => {
        const merged = lots.reduce<MessageFacts[]>((known, lot) => mergeMessages(known, lot), []);
        const expected = conversation(12).filter(({ id }) =>
          lots.some((lot) => lot.some((message) => message.id === id)),
        );
        expect(merged).toEqual(expected);
      }),
    );
  });

  test("what has been read stays read when an older answer comes late", () => {
    const [message] = conversation(1);
    if (!message) throw new Error("no message");
    expect(mergeMessages([{ ...message, read: true }], [message])).toEqual([{ ...message, read: true }]);
  });

  test("whatever is loaded or missed, in any order, the shown messages have no gap and the cursor is at their beginning", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("newest" as const), grown: fc.nat({ max: 14 }) }),
      fc.record({ do: fc.constant("older" as const) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.array(step, { maxLength: 20 }), (start, steps) => {
        const all = conversation(400);
        let end = start;
        let known = page(all, end, 5);
        for (const next of steps) {
          if (next.do === "newest") {
            end = Math.min(all.length, end + next.grown);
            known = joinNewest(known, page(all, end, 5));
          } else if (known.older !== null) known = joinOlder(known, page(all, Number(known.older), 5));
          const from = Number(known.older ?? 0);
          expect(known.messages).toEqual(all.slice(from, end));
        }
      }),
    );
  });

  test("reading marks what the other wrote up to then, of one item where it is told which, and changes nothing otherwise", () => {
    const all = conversation(6);
    expect(
      markReadUpTo(all, "me", 1)
        .filter(({ read }) => read)
        .map(({ id }) => id),
    ).toEqual(["m0001", "m0003"]);
    expect(
      markReadUpTo(all, "me", 9, "item")
        .filter(({ read }) => read)
        .map(({ id }) => id),
    ).toEqual(["m0003"]);
    expect(markReadUpTo(all, "nobody", 9)).toBe(all);
  });
});
