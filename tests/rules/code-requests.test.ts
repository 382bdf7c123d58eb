/** Requests for the hand-over code, which pays the seller, and everything else that people call a code or a number. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asksForCode } from "#app/messaging/code-request-rules.ts";
import { contactWarning } from "#app/messaging/contact-warning-rules.ts";

const ASKS = [
  "Send me your code here and I will post it",
  "send your code",
  "Please send me the hand-over code",
  "share the 6 digit code with my rider",
  "give the code to my rider",
  "Give me that code first then I deliver",
  "can I have the code please",
  "Can i get your handover code?",
  "What's the code?",
  "what is your code",
  "which code did you get",
  "tell me your delivery code",
  "I need the code before I send it",
  "i want your code now",
  "text me the release code",
  "just the 6 numbers",
  "Just send the six digits",
  "which digits did you get",
  "what numbers did you get from chuoni",
  "read me those numbers",
  "the numbers you got",
  "once I get the code I will ship",
  "I can't post it without the code",
  "code first",
  "Code please 🙏",
  "code?",
  "your code",
  "send me the QR code",
  "send otp",
  "nitumie ile code",
  "Nitumie code yako",
  "nipe code",
  "nipe hiyo code basi",
  "niambie code ni gani",
  "code iko wapi",
  "code yako ni ngapi",
  "bila code siwezi tuma",
  "naomba code",
  "mpe rider code",
  "leta code kwanza",
  "namba ya siri",
  "nambari ya siri ni gani",
  "tuma hizo numbers",
  "nitumie hizo namba",
  "nipe zile digits",
  "namba sita tu",
  "nisomee hizo numbers",
  // Disguised.
  "s e n d  m e  y o u r  c o d e",
  "nipe c o d e",
  "nipe c.o.d.e",
  "send me your c0de",
  "s3nd m3 y0ur c0d3",
  "nipe 🔥 code 🔥",
  "nipe... code!!!",
  "NIPE CODE",
  "ｓｅｎｄ me the ｃｏｄｅ",
  "send\nme\nthe\ncode",
  "sénd yoür códe",
  "send me the co​de",
];

const IS_FINE = [
  "I have a promo code for you",
  "send me the promo code",
  "Do you know the discount code?",
  "nitumie promo code",
  "course code CS 101",
  "what is the course code",
  "send me the unit code",
  "the code CSC 211 book",
  "code ya hostel gate ni 4455",
  "nipe code ya gate",
  "send me the code for the gate",
  "what's the wifi code",
  "send me the wifi code",
  "the dress code is formal",
  "which country code do I use",
  "source code for my project",
  "I study how to code",
  "I code in Python",
  "you can code on this laptop",
  "The bar code is on the box",
  "I will give you my code when we meet",
  "never send your code to anybody",
  "Don't give me the code until you have checked it",
  "usimpe mtu code",
  "Is it available?",
  "How much for the phone?",
  "which number is your room",
  "what numbers of shoes do you have",
  "Size 6, two pairs",
  "I have six chairs",
  "my number is 12",
  "tuma picha",
  "nipe bei ya mwisho",
  "nitumie location",
  "send me a photo of it",
  "what is the price",
  "sawa, tuonane kesho saa kumi",
  "I need the calculator tomorrow",
  "code of conduct",
  "we decode signals in the lab",
  "encoder and decoder kit",
  "let me know",
];

test.each(ASKS)("warns of: %s", (text) => {
  expect(asksForCode(text)).toBe(true);
  expect(contactWarning(text, "https://chuoni.test")).toBe("code");
});

test.each(IS_FINE)("says nothing about: %s", (text) => {
  expect(asksForCode(text)).toBe(false);
  expect(contactWarning(text, "https://chuoni.test")).not.toBe("code");
});

describe("a request in several messages", () => {
  test.each([
    [["send me", "your code"]],
    [["nitumie", "ile code"]],
    [["can I have", "the", "code"]],
    [["just the 6", "numbers"]],
    [["tuma hizo", "numbers"]],
  ])("is found at its last one: %j", (texts) => {
    const found = texts.map((text, at) => asksForCode(text, texts.slice(0, at)));
    expect(found).toEqual(texts.map((_, at) => at === texts.length - 1));
  });

  test("isn't found again in what follows", () => {
    expect(asksForCode("see you at five", ["send me your code"])).toBe(false);
    expect(asksForCode("thanks", ["send me", "your code"])).toBe(false);
  });
});

describe("for any text", () => {
  const filler = fc.constantFrom("hey", "bro", "about the calculator", "sawa", "ok so", "😀", "...");

  test("a request stays one with friendly words around it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ASKS.filter((text) => text.split(/\s/).length > 2)),
        filler,
        filler,
        (ask, a, b) => {
          expect(asksForCode(`${a}, ${ask}, ${b}`)).toBe(true);
        },
      ),
    );
  });

  test("a request stays one in capitals, and with other separators", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("send me your code", "nipe code", "nitumie ile code", "just the six numbers"),
        fc.constantFrom(" ", "  ", "\n", " . ", "-", "_", " 🙏 ", " , "),
        fc.boolean(),
        (ask, separator, loud) => {
          const text = ask.split(" ").join(separator);
          expect(asksForCode(loud ? text.toUpperCase() : text)).toBe(true);
        },
      ),
    );
  });

  // A pattern that backtracks would take minutes.
  test("it ends for long and strange ones", () => {
    for (const part of ["send me the ", "code ya ", "nipe ", "6 ", "c o d ", "never ", "the code you "]) {
      const text = part.repeat(2000 / part.length);
      expect(typeof asksForCode(text, [text, text])).toBe("boolean");
    }
  });
});
