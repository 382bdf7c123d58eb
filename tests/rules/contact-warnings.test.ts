import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contactWarning as findWarning } from "#app/safety/contact-warning-rules.ts";
import { warningText } from "#app/safety/warning-text-rules.ts";

const HERE = "https://chuoni.example";
const contactWarning = (text: string) => findWarning(text, HERE);
const warningAfterPayment = (text: string) => warningText(contactWarning(text), true);

describe("a message warns its reader", () => {
  test.each([
    "0712345678",
    "My number 0712 345 678",
    "0712-345-678 call",
    "0 7 1 2 3 4 5 6 7 8",
    "0712.345.678",
    "07.00-2000-00",
    "07.12-2026-10",
    "+254712345678",
    "+254 712 345678.",
    "254 112 345 678",
    "(0712) 345678",
    "+254 (0) 712 345 678",
    "o712 345 678",
    "Nipigie kesho",
    "call me when you are free",
    "Nipe namba yako",
    "Send me your WhatsApp",
  ])("about a phone number: %j", (text) => {
    expect(contactWarning(text)).toBe("phone");
    expect(warningAfterPayment(text)).toBeNull();
  });

  test.each([
    "https://wa.me/254712345678/hello",
    "see www.jiji.co.ke/kettle",
    "wa.me/abc",
    "t.me/seller",
    "Find me at t.co/Ab1",
    "instagram.com/wanjiku",
    "IG: @wanjiku.sells",
    "insta @wanjiku_sells",
    "DM me on Instagram",
    "wanjiku@gmail.com",
    "Pay at chuoni-pay.com",
    "log in at chuoni.example.evil.com/login, please",
    "Chuoni.Support",
    "check kettles.co.ke.",
    "ｅvil．com",
    "evil[.]com",
    "evil (.) com",
    "evil (dot) com",
    "Pay at chuoni-pay[dot]co[dot]ke",
    "evil dot com",
    "njeri dot co dot ke",
    "evil.club",
    "wa[.]me/abc",
    "njeri (at) gmail (dot) com",
    "njeri[@]gmail.com",
  ])("about a link: %j", (text) => {
    expect(contactWarning(text)).not.toBeNull();
    expect(contactWarning(text)).not.toBe("payment");
    expect(warningAfterPayment(text)).toBeNull();
  });

  test.each([
    "Pay me directly",
    "Pay me direct and I'll give you a discount",
    "you can send the money to my number",
    "Send it to my till",
    "Till number 123456",
    "paybill 247247 account 071",
    "Till: 5123456",
    "till 511 2345",
    "Till no. 5-112-345",
    "T1LL 5112345",
    "t!ll 5112345",
    "tiII 51.12.345",
    "pay-bill 522 522",
    "send 500 to this number 0712345678",
    "Send me the deposit",
    "Send me 500 first",
    "Nitumie pesa kwanza",
    "nitumie doo",
    "Lipa na till 12345",
    "Lipa kwa hii namba",
    "Tuma kwa hii namba",
    "tuma pesa",
    "Nirushie cash",
    "Nilipe direct",
    "pay directly to me",
    "Send the money directly to me",
    "Put it directly on my phone number",
    "Send me half of the money",
    "Till   number\n  123456",
    "Pay outside, it is cheaper",
    "M-Pesa me",
    "Just M-Pesa me and I'll bring it",
    "mpesa me kesho",
    "M - Pesa us 500",
    "You can M-Pesa it to me",
    "Can you m-pesa me?",
  ])("about paying directly, also after a payment: %j", (text) => {
    expect(contactWarning(text)).toBe("payment");
    expect(warningAfterPayment(text)).toContain("keep your payment on Chuoni");
  });

  test.each([
    "KES 1,500 is my last price",
    "1500",
    "15,000/= last price",
    "Ksh 12000000",
    "Order #1a2b3c4d",
    "1a2b3c4d-0712-4567-8901-123456789012",
    "SLK4H7TXQO",
    "M-Pesa receipt SLK4H7TXQO, 10:45",
    "At 14:05 or 07:30 on 12.07.2026",
    "07.12.2026 10:45",
    "07-12-2026 10:45",
    "2019-2023 past papers",
    "07/12/2026 at 10",
    "Class of 2024, unit BIT 2107",
    "Size 42, 7-8 or 10-12",
    "iPhone 12 128GB 2532x1170, battery 89%",
    "IMEI 356789104567890",
    "ISBN 978-0-7123-4567-8",
    "Casio fx-991ES Plus",
    "Room 107, block C",
    "It's 100% original, 2 pieces left",
    "Can I pay now?",
    "I have paid on Chuoni",
    "Pay with Buy Now and we meet tomorrow",
    "I can't pay more than 500",
    "I'll send you a photo",
    "Send me a photo of the back",
    "Send me the receipt",
    "Lipa na Chuoni",
    "Unauza bei gani?",
    "Tukutane library saa nane",
    "Nitumie picha",
    "e.g. 5.5 inch, v2.0.1",
    "See you at the gate. Bring it",
    "My email is not confirmed",
    "Follow the road to the hostel",
    "Can you bring it directly to my hostel?",
    "See https://chuoni.example/product/1a2b3c4d",
    "It's on chuoni.example too",
    "ASP.NET book, 2nd edition",
    "I keep it till 10.12.2026",
    "On campus till 5 12 2026",
    "till 2026-12-10",
    "open till 20.00, then till 22.30",
    "I am at home.Come now",
    "Node.js notes.pdf",
    "I paid by M-Pesa, me too",
    "Nimelipa na M-Pesa me nangoja code",
    "The M-Pesa message says 1,500",
    "My M-Pesa menu is slow",
    "The dot com boom, a history",
    "A dot com company",
    "Polka dot company dress",
    "One dot on the screen (dead pixel)",
    "It stops at (at) sign on the keyboard",
  ])("but not about %j", (text) => {
    expect(contactWarning(text)).toBeNull();
  });
});

describe("whatever the numbers", () => {
  const separator = fc.constantFrom("", " ", "-", ".");
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  /** A number that is written like a date counts as the date. */
  const DATE = /^\d\d(?<between>[.-])(?:0[1-9]|[12]\d|3[01])\k<between>20\d\d(?!\d)/;

  test("a Kenyan phone number warns, however it is spaced", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("0", "254", "+254", "+254 "),
        fc.constantFrom("7", "1"),
        digits(8),
        fc.array(separator, { minLength: 8, maxLength: 8 }),
        fc.constantFrom("", "Call ", "No: ", "("),
        (start, first, rest, separators, before) => {
          const spaced = [...rest].map((digit, n) => separators[n] + digit).join("");
          fc.pre(!DATE.test(`${start}${first}${spaced}`));
          expect(contactWarning(`${before}${start}${first}${spaced}`)).toBe("phone");
        },
      ),
    );
  });

  test("prices, times, dates, years, sizes, receipts and ids never do", () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"));
    const plain = fc.oneof(
      fc.integer({ min: 0, max: 9_999_999 }).map((n) => `KES ${n.toLocaleString("en")}`),
      fc.integer({ min: 0, max: 9_999_999 }).map((n) => `${n}/=`),
      fc.tuple(two(23), two(59)).map(([hour, minute]) => `${hour}:${minute}`),
      fc.tuple(two(28), two(12), fc.integer({ min: 1990, max: 2040 })).map((parts) => parts.join("/")),
      fc.integer({ min: 1990, max: 2040 }).map(String),
      fc.integer({ min: 1, max: 60 }).map((n) => `size ${n}`),
      fc.stringMatching(/^[A-Z]{3}[A-Z0-9]{7}$/).filter((receipt) => !/\d{7}$/.test(receipt)),
      fc.uuid(),
      fc.uuid().map((id) => `order #${id.slice(0, 8)}`),
    );
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(contactWarning(parts.join(", and "))).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test("any text is answered, and each kind has its sentence", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        const kind = contactWarning(text);
        expect(kind === null || warningText(kind, false)?.startsWith("Careful: ")).toBe(true);
      }),
    );
  });

  // Ten times what a message may hold. A pattern that goes back too often would hang.
  test.each([
    "0 ".repeat(10_000),
    "send a ".repeat(2_800),
    "a.".repeat(10_000),
    "+254 ".repeat(4_000),
    "x@".repeat(10_000),
    `send me ${"half the ".repeat(2_200)}`,
    `till${" ".repeat(20_000)}x`,
    `https://${".".repeat(20_000)}x`,
    "(dot)".repeat(4_000),
    "m pesa it to ".repeat(1_600),
    "evil dot ".repeat(2_200),
  ])("a long text is answered, whatever it repeats: text %#", (text) => {
    const kind = contactWarning(text);
    expect(kind === null || warningText(kind, false)?.startsWith("Careful: ")).toBe(true);
  });
});
