import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { LISTING_MAX } from "#app/catalogue/selling/listing-form-rules.ts";
import { isPost, POST_MAX, type PostReading, readPost } from "#app/catalogue/selling/read-post-rules.ts";
import { hasPhone } from "#app/safety/phone-pattern-rules.ts";

type Said = Partial<Omit<PostReading, "hadContact">>;

/** Posts as students write them. */
const POSTS: readonly (readonly [post: string, said: Said])[] = [
  [
    "selling my hp laptop core i5 8gb 256ssd 22k slightly negotiable, main campus, call 0712345678",
    {
      name: "Hp laptop core i5 8gb 256ssd",
      price: 22_000,
      takesOffers: true,
      condition: null,
      description: "selling my hp laptop core i5 8gb 256ssd, main campus",
    },
  ],
  [
    "Nauza mtungi wa 6kg 2,500/= bei inaongea",
    { name: "Mtungi wa 6kg", price: 2_500, takesOffers: true, description: "Nauza mtungi wa 6kg" },
  ],
  ["Casio fx-991ES plus 1.5k neg", { name: "Casio fx-991ES plus", price: 1_500, takesOffers: true }],
  ["Mattress 4x6 KSh. 3 500 📞 +254 712 345 678", { name: "Mattress 4x6", price: 3_500, description: "Mattress 4x6" }],
  ["Study table 2500 neg", { name: "Study table", price: 2_500, takesOffers: true }],
  ["Study table, 2500", { name: "Study table", price: 2_500, takesOffers: null }],
  [
    "🔥🔥 QUICK SALE 🔥🔥\nHotpoint fridge, good condition\nPrice: 12,000\nCall/WhatsApp 0722 000 111",
    {
      name: "Hotpoint fridge",
      price: 12_000,
      condition: "good",
      description: "🔥🔥 QUICK SALE 🔥🔥\nHotpoint fridge, good condition",
    },
  ],
  [
    "[12:04, 3/4/2026] Njeri: Selling a kettle, used once. 900 bob",
    { name: "Kettle", price: 900, condition: "like_new", description: "Selling a kettle, used once." },
  ],
  [
    "[3/4/2026, 12:04:33] ~ Otieno: Gas cooker 2 burner @ 3500\n[3/4/2026, 12:05:01] ~ Otieno: fixed price",
    { name: "Gas cooker 2 burner", price: 3_500, takesOffers: false },
  ],
  [
    "3/4/26, 12:04 PM - +254 712 345 678: Extension cable 300/-",
    { name: "Extension cable", price: 300, description: "Extension cable" },
  ],
  [
    "Hi guys, I'm selling my Samsung A14, 128GB, 6GB RAM. 11k. Non negotiable. Brand new sealed",
    {
      name: "Samsung A14, 128GB, 6GB RAM",
      price: 11_000,
      takesOffers: false,
      condition: "new",
    },
  ],
  ["HP EliteBook 840 G3 i5 8GB 256GB SSD", { name: "HP EliteBook 840 G3 i5 8GB 256GB SSD", price: null }],
  ["Laptop 8GB RAM 500GB HDD going for 18,500 only", { name: "Laptop 8GB RAM 500GB HDD", price: 18_500 }],
  ["Toyota key holder 2019 model, 200 bob", { price: 200 }],
  ["KCSE past papers 2015-2023, 350/=", { price: 350 }],
  ["Mattress 3k, table 2k, fan 1500/=", { price: null, description: "Mattress 3k, table 2k, fan 1500/=" }],
  ["Was 5000 now 3500, Bata shoes size 42", { price: 3_500 }],
  ["Nilinunua 8000 nauza 5000/= Sony headphones", { price: 5_000 }],
  ["Fridge 14k, delivery 500/=", { price: 14_000 }],
  ["Bicycle bei elfu nane inaongeleka", { name: "Bicycle", price: 8_000, takesOffers: true }],
  ["Nadispose mattress mia tano", { name: "Mattress", price: 500 }],
  ["4k smart tv 32 inch, 15k", { price: 15_000 }],
  ["Giving away old notes for free", { price: 0 }],
  ["Wifi router, free delivery, 2200", { price: 2_200 }],
  ["Laptop charger 25.000", { price: null }],
  ["Sofa set 300k", { price: null }],
  ["Pen 5 bob", { price: null }],
  ["Kabambe simu 1200/= ina crack kidogo", { condition: "fair", price: 1_200 }],
  ["Ex-UK fridge kama mpya 13k", { condition: "like_new", price: 13_000 }],
  ["Shoes mpya kabisa size 41, 1800", { condition: "new", price: 1_800 }],
  ["Iko poa, rice cooker 1.2k", { condition: "good", price: 1_200 }],
  [
    "Selling new jordans sh 2300. wa.me/254712345678",
    { name: "Jordans", condition: "new", price: 2_300, description: "Selling new jordans." },
  ],
  [
    "Item: Blender\nPrice: KES 1,500/=\nLocation: City Campus\nContact: 0112 345678",
    { name: "Blender", price: 1_500, description: "Item: Blender\nLocation: City Campus" },
  ],
  ["*Wardrobe* 4,000 _slightly negotiable_", { name: "Wardrobe", price: 4_000, takesOffers: true }],
  [
    "iPhone 11 64gb battery 85% 27,000 neg. Inbox or call 0712-345-678 / 0733 345 678",
    { name: "IPhone 11 64gb battery 85%", price: 27_000, description: "iPhone 11 64gb battery 85%." },
  ],
  ["Engineering Mathematics by K.A. Stroud 7th edition 800", { price: 800 }],
  [
    "Wasee nauza simu Infinix hot 30i 8/128 iko poa kabisa 9500 maelewano yapo nipigie 0798765432",
    { name: "Simu Infinix hot 30i 8/128", price: 9_500, takesOffers: true, condition: "good" },
  ],
  ["HP Laptop\ni5 6th gen\n8gb ram\n256 ssd\n20,000\n0712345678", { name: "HP Laptop", price: 20_000 }],
  [
    "JBL speaker imetumika mwezi mmoja tu, 4500 bei ya ku ongea. +254(0)712345678",
    { name: "JBL speaker", price: 4_500, description: "JBL speaker imetumika mwezi mmoja tu." },
  ],
  ["Samsung 43 inch smart tv. KES 21,999. Original price 35,000", { name: "Samsung 43 inch smart tv", price: 21_999 }],
  ["Selling:\n1. Mattress 4x6 - 3500\n2. Study table - 2000", { name: "Mattress 4x6", price: null, hasPrices: true }],
  ["Dell Latitude 7490, Core i7 8th gen. 38,000/= fixed", { price: 38_000, takesOffers: false }],
  ["Kettle, good condition, call 0712345678. With a lid", { description: "Kettle, good condition. With a lid" }],
  ["Power bank 20k mah, 1500", { name: "Power bank 20k mah", price: 1_500 }],
  ["Power bank 20k mAh", { name: "Power bank 20k mAh", price: null, hasPrices: false }],
  ["Probox 120k km, 240k", { name: "Probox 120k km", price: 240_000 }],
  ["Drill 3k rpm 2500/=", { name: "Drill 3k rpm", price: 2_500 }],
  ["Inverter 1.5k watts, 9k", { name: "Inverter 1.5k watts", price: 9_000 }],
  ["Microphone 20k hz 1800 bob", { name: "Microphone 20k hz", price: 1_800 }],
  ["Heater 2k w, 2200", { name: "Heater 2k w", price: 2_200 }],
  ["Bike 5k with helmet", { price: 5_000 }],
  ["Laptop 22k in good condition", { price: 22_000 }],
  [
    "Infinix hot 30 for 12500 or exchange with 5k top up",
    {
      name: "Infinix hot 30",
      price: 12_500,
      description: "Infinix hot 30 or exchange with 5k top up",
    },
  ],
  ["Infinix hot 30 12k, exchange with 3,000/= on top", { name: "Infinix hot 30", price: 12_000 }],
  ["Infinix hot 30 12k or swap, top up 3k", { name: "Infinix hot 30", price: 12_000 }],
  ["Infinix hot 30 exchange with S10 and 5k top-up", { name: "Infinix hot 30", price: null }],
  ["0712 345 678 whatsapp. laptop 25k", { name: "Laptop", price: 25_000 }],
  ["0712345678 call or text only, kettle 900 bob", { name: "Kettle", price: 900 }],
  ["DM me!\nFan 1500/=", { name: "Fan", price: 1_500 }],
  ["Inbox", { name: "" }],
  ["Text books 300/=", { name: "Text books", price: 300 }],
  ["Call of Duty 1k", { name: "Call of Duty", price: 1_000 }],
  ["Graduation gown for hire", { name: "Graduation gown for hire", price: null, takesOffers: null }],
  ["0712345678", { name: "", price: null, description: "" }],
  ["", { name: "", price: null, condition: null, takesOffers: null, description: "" }],
];

test.each(POSTS)("reads “%s”", (post, said) => {
  expect(readPost(post)).toMatchObject(said);
});

test("a name alone is no post", () => {
  const isOne = (text: string) => isPost(text, readPost(text));
  expect(["Casio fx-991ES Plus", "HP EliteBook 840 G3, i5, 8 GB, 256 SSD", "Mattress 4x6"].map(isOne)).toEqual([
    false,
    false,
    false,
  ]);
  expect(["Kettle 900 bob", "Kettle\nworks well", "Kettle, call 0712345678", "x ".repeat(60)].map(isOne)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(isOne("Casio fx-991ES Plus\n ")).toBe(false);
});

describe("whatever is pasted", () => {
  const phone = fc
    .tuple(
      fc.constantFrom("07", "01", "+2547", "2541", "0 7"),
      fc.stringMatching(/^\d{8}$/),
      fc.constantFrom("", " ", "-"),
    )
    .map(([start, rest, gap]) => `${start}${rest.slice(0, 2)}${gap}${rest.slice(2, 5)}${gap}${rest.slice(5)}`);
  const piece = fc.oneof(
    phone,
    fc.constantFrom(
      "22k",
      "KSh. 3 500",
      "2,500/=",
      "1.5k",
      "neg",
      "bei",
      "@",
      "was",
      "now",
      "call",
      "wa.me/2547",
      "07",
      "12",
      "\n",
      ",",
      "(",
      ")",
      "*",
      "6kg",
      "256GB",
      "2019",
      "elfu",
      "tano",
      "[12:04, 3/4/2026] N:",
      "😀",
      "\u{E000}",
      "not",
      "fixed price",
    ),
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.stringMatching(/^[\d .,()/-]{0,14}$/),
  );
  const post = fc
    .array(piece, { maxLength: 30 })
    .chain((pieces) => fc.constantFrom("", " ").map((gap) => pieces.join(gap)));

  test("no phone number is left, the price can be listed, and the name fits", () => {
    fc.assert(
      fc.property(post, (text) => {
        const { name, price, description } = readPost(text);
        expect([hasPhone(name), hasPhone(description)]).toEqual([false, false]);
        expect(
          price === null ||
            price === 0 ||
            (Number.isInteger(price) && price >= PAYOUT_LIMITS.min && price <= PAYMENT_LIMITS.max),
        ).toBe(true);
        expect([...name].length).toBeLessThanOrEqual(LISTING_MAX.name);
      }),
      { numRuns: 2_000 },
    );
  });

  test("every word that means nothing to us is in the description, in its order", () => {
    const word = fc.stringMatching(/^[bcdfghjlmnpqrstvwxz]{5,9}$/);
    const known = fc.oneof(
      phone,
      fc.constantFrom("22k", "KSh. 3 500", "2500 neg", "bei inaongea", "\n", ",", "6kg", "fixed price", "was 900/="),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, known), { maxLength: 12 }), (parts) => {
        const { description } = readPost(parts.map(([one, other]) => `${one} ${other} `).join(""));
        const words = parts.map(([one]) => one);
        expect(description.split(/[\s,.]+/).filter((one) => words.includes(one))).toEqual(words);
      }),
    );
  });

  test("a long text takes no longer than its length", () => {
    for (const text of ["07 ", ", ", "call ", "*", "1,000 ", "(", "for at ", "selling my ", "\u{200B}", "1 "]) {
      const start = performance.now();
      readPost(text.repeat(Math.floor(POST_MAX / text.length)));
      expect(performance.now() - start).toBeLessThan(500);
    }
  });
});
