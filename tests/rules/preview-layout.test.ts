import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PREVIEW_SIZE, type PreviewContent, previewPhoto } from "#app/catalogue/preview-rules.ts";
import { readFont } from "#workers/pictures/font.ts";
import { placePhoto } from "#workers/pictures/place-photo.ts";
import { layOutPreview, showable, wrapText } from "#workers/pictures/preview-layout.ts";
import { previewSvg } from "#workers/pictures/preview-svg.ts";

const bytes = readFileSync(
  resolve(import.meta.dirname, "../../workers/pictures/fonts/bricolage-grotesque-700.ttf.bin"),
);
const font = readFont(new Uint8Array(bytes).buffer);

const PHOTO = { file: "img/a/800.webp", tone: "#d8d4cc" };
const CONTENT: PreviewContent = {
  name: "Casio fx-991EX calculator",
  price: 1_500,
  originalPrice: null,
  condition: "like_new",
  location: "Main Campus",
  photo: PHOTO,
};

const anyContent = fc.record({
  name: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 120 }),
    fc.string({ maxLength: 120 }),
    fc.stringMatching(/^W{0,100}$/),
  ),
  price: fc.integer({ min: 0, max: 9_999_999 }),
  originalPrice: fc.option(fc.integer({ min: 1, max: 9_999_999 })),
  condition: fc.constantFrom("new", "like_new", "good", "fair"),
  location: fc.option(fc.string({ unit: "grapheme", maxLength: 80 })),
  photo: fc.constantFrom(PHOTO, null),
});

test("any name and price fit on the picture, without touching each other or the photo", () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const { name, wasPrice, price, facts } = layOutPreview(content, font);
      const lines = [...name, ...(wasPrice ? [wasPrice] : []), price, facts];
      expect(name.length).toBeLessThanOrEqual(3);
      for (const { x, width } of lines) {
        expect(x).toBeGreaterThanOrEqual(content.photo ? PREVIEW_SIZE.height + 40 : 40);
        expect(x + width).toBeLessThanOrEqual(PREVIEW_SIZE.width - 40);
      }
      for (const [n, { y, size }] of lines.entries())
        expect(y - size * 0.75).toBeGreaterThan((lines[n - 1]?.y ?? 98) + (lines[n - 1]?.size ?? 0) * 0.2);
    }),
  );
});

test("the picture's source is well-formed whatever a name holds, and equal content gives equal source", () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const draw = () =>
        previewSvg(layOutPreview(content, font), { ...PREVIEW_SIZE, hasPhoto: content.photo !== null });
      const texts = [...draw().matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? "");
      expect(texts.every((text) => /^([^<>&]|&(amp|lt|gt);)*$/.test(text))).toBe(true);
      expect(texts[0]).toBe("Chuoni");
      expect(draw()).toBe(draw());
    }),
  );
});

test("a price reads as everywhere else, and an old price shows only when it was higher", () => {
  const pricesOf = (price: number, originalPrice: number | null) => {
    const layout = layOutPreview({ ...CONTENT, price, originalPrice }, font);
    return [layout.price.text, layout.wasPrice?.text ?? null];
  };
  expect(pricesOf(1_500, null)).toEqual(["KES 1,500", null]);
  expect(pricesOf(0, null)).toEqual(["Free", null]);
  expect(pricesOf(1_500, 2_200)).toEqual(["KES 1,500", "KES 2,200"]);
  expect(pricesOf(1_500, 1_500)).toEqual(["KES 1,500", null]);
});

test("campus and condition stand below, and only the condition where the campus isn't known", () => {
  const factsOf = (location: string | null) => layOutPreview({ ...CONTENT, location }, font).facts.text;
  expect(factsOf("Parklands Campus")).toBe("Parklands Campus · Used - Like New");
  expect(factsOf(null)).toBe("Used - Like New");
});

test("emoji and letters that the font lacks are left out, and accents that it lacks are dropped", () => {
  expect(showable("🔥🔥 HOT  SALE 💯", font)).toBe("HOT SALE");
  expect(showable("Şişli çanta", font)).toBe("Sisli çanta");
  expect(showable("👩🏾‍🎓 二手书\n\tbook\u0000", font)).toBe("book");
});

test("a long name breaks between words and ends with an ellipsis, and a word that is too long breaks anywhere", () => {
  const frame = { width: 482, size: 46, lines: 3 };
  expect(
    wrapText("Samsung Galaxy A54 5G 128GB with original box, charger, screen protector and covers", frame, font),
  ).toEqual(["Samsung Galaxy A54", "5G 128GB with", "original box…"]);
  const lines = wrapText("W".repeat(60), frame, font);
  expect(lines).toHaveLength(3);
  expect(lines.join("")).toMatch(/^W+…$/);
  expect(wrapText("", frame, font)).toEqual([]);
});

test("a photo fills its square, and a very long one stands whole in the middle", () => {
  const box = { x: 0, y: 0, width: 630, height: 630 };
  expect(placePhoto({ width: 800, height: 1000 }, box)).toEqual({
    from: { x: 0, y: 100, width: 800, height: 800 },
    to: box,
  });
  expect(placePhoto({ width: 400, height: 1600 }, box)).toEqual({
    from: { x: 0, y: 0, width: 400, height: 1600 },
    to: { x: 236, y: 0, width: 158, height: 630 },
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4096 }), fc.integer({ min: 1, max: 4096 }), (width, height) => {
      const { from, to } = placePhoto({ width, height }, box);
      expect(from.x >= 0 && from.y >= 0 && from.width > 0 && from.height > 0).toBe(true);
      expect(from.x + from.width <= width && from.y + from.height <= height).toBe(true);
      expect(to.x >= 0 && to.y >= 0 && to.x + to.width <= 630 && to.y + to.height <= 630).toBe(true);
    }),
  );
});

test("a preview is drawn from the smallest variant that fills its square", () => {
  const image = { key: "img/a", width: 1600, tone: "#c0a080" };
  expect(previewPhoto({ ...image, widths: [320, 800, 1600] })).toEqual({ file: "img/a/800.webp", tone: "#c0a080" });
  expect(previewPhoto({ ...image, widths: [320, 500], format: "jpg" }).file).toBe("img/a/500.jpg");
  expect(previewPhoto({ ...image, widths: [] }).file).toBe("img/a/1600.webp");
});
