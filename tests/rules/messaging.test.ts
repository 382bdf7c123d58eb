import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AGREEING_WORDS, readsAsAgreement } from "#app/messaging/agreement-rules.ts";
import { splitLinks } from "#app/messaging/link-rules.ts";
import { newMessageToast, readSubject, threadOf, writeSubject } from "#app/messaging/rules.ts";

describe("words that agree", () => {
  test.each([...AGREEING_WORDS])("%s agrees, in any case, with any mark around it", (word) => {
    const texts = [
      word,
      word.toUpperCase(),
      `${word}!`,
      `"${word}"`,
      `${word}, see you there`,
      `Poa 👍 ${word}.`,
      `Habari.\n${word}`,
    ];
    expect(texts.filter((text) => !readsAsAgreement(text))).toEqual([]);
  });

  test.each([
    ["Ok. What time?", "asks about something else"],
    ["Yes, no problem", "welcomes"],
    ["Fine, no worries", "welcomes"],
    ["You can go ahead", "lets the seller act"],
    ["Good morning, that works", "agrees after a greeting"],
  ])("%s: agrees, for it %s", (text) => {
    expect(readsAsAgreement(text)).toBe(true);
  });

  test.each([
    ["not ok", "negates"],
    ["no, sure?", "negates and asks"],
    ["I don't agree", "negates"],
    ["I don’t agree", "negates, with a curly apostrophe"],
    ["i dont agree", "negates, without an apostrophe"],
    ["It isn't fine", "negates"],
    ["Hapana, that works for somebody else", "negates in Swahili"],
    ["ok?", "asks"],
    ["Are you sure", "asks without a mark"],
    ["is it in good condition", "asks without a mark"],
    ["How about four. Would that be fine", "asks without a mark"],
    ["ok if you bring it to Main", "sets a condition"],
    ["Okay let me ask my roommate", "puts off"],
    ["Good morning", "greets"],
    ["Please confirm the place", "requests"],
    ["I'll confirm tomorrow", "promises"],
    ["I want to make sure it is new", "doubts"],
    ["You agreed to 500", "reports"],
    ["I saw it in the book yesterday, surely Oklahoma", "only holds the letters"],
    ["ok-ish", "only holds the letters"],
    ["Sawa", "is not among the listed words"],
    ["", "says nothing"],
  ])("%s: does not agree, for it %s", (text) => {
    expect(readsAsAgreement(text)).toBe(false);
  });

  const letters = fc.stringMatching(/^[b-df-hj-np-tv-xz]{1,6}$/);
  const word = fc.constantFrom(...AGREEING_WORDS);

  test("only a whole word counts: letters before or after it make another word", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...AGREEING_WORDS.filter((phrase) => !phrase.includes(" "))),
        letters,
        fc.boolean(),
        (agreeing, more, before) => {
          const other = before ? `${more}${agreeing}` : `${agreeing}${more}`;
          fc.pre(!AGREEING_WORDS.some((known) => known === other));
          expect(readsAsAgreement(other)).toBe(false);
        },
      ),
    );
  });

  test("an agreement survives any words that say nothing of the matter", () => {
    const filler = fc.array(
      fc.constantFrom("poa", "kesho", "library", "gate", "4pm", "Wanjiku", "thanks", "karibu", "😀", "500"),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(word, filler, filler, (agreeing, before, after) =>
        readsAsAgreement([...before, agreeing, ...after].join(" ")),
      ),
    );
  });

  test("a negation anywhere in the message undoes it", () => {
    const negation = fc.constantFrom(
      "no",
      "not",
      "don't",
      "dont",
      "can't",
      "never",
      "won't",
      "Hapana",
      "NOT",
      "isn’t",
      "cannot",
      "unless",
      "if",
    );
    const filler = fc.array(fc.constantFrom("poa", "kesho", "gate", "4pm"), { maxLength: 4 });
    fc.assert(
      fc.property(
        word,
        negation,
        filler,
        fc.boolean(),
        fc.constantFrom(" ", ". ", ", ", "\n"),
        (agreeing, negative, others, first, between) => {
          const said = [agreeing, ...others].join(" ");
          expect(readsAsAgreement(first ? `${negative}${between}${said}` : `${said}${between}${negative}`)).toBe(false);
        },
      ),
    );
  });

  test("a question never agrees, whatever it asks", () => {
    fc.assert(
      fc.property(
        word,
        fc.array(letters, { maxLength: 5 }),
        (agreeing, others) => !readsAsAgreement(`${[...others, agreeing].join(" ")}?`),
      ),
    );
  });

  test("any text at all gets an answer, soon", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2000, unit: "grapheme" }),
        (text) => typeof readsAsAgreement(text) === "boolean",
      ),
    );
    expect(readsAsAgreement("please ".repeat(280))).toBe(false);
    expect(readsAsAgreement("n't ' - ".repeat(250))).toBe(false);
  });
});

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
