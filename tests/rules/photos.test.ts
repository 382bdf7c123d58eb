import { crc32 } from "node:zlib";
import fc from "fast-check";
import { rgbaToThumbHash, thumbHashToRGBA } from "thumbhash";
import { describe, expect, test } from "vitest";
import type { ProductImage } from "#app/db/product-image.ts";
import { cardSources, imageSources } from "#app/catalogue/photos/image-sources.ts";
import { placeholderGradient } from "#app/catalogue/photos/placeholder-rules.ts";
import {
  asFormPhotos,
  changePhotos,
  finishedImages,
  type FormPhoto,
  isUnderWay,
  type PhotoChange,
  readImages,
} from "#app/catalogue/photos/photo-list.ts";
import { keepPhotos, PHOTOS_KEPT_MS, readKeptPhotos } from "#app/catalogue/photos/kept-photos.ts";
import {
  areVariants,
  isHeic,
  previewPart,
  readThumbhash,
  readTone,
  refuseSize,
  variantSizes,
} from "#app/catalogue/photos/photo-rules.ts";
import { readPicture } from "#app/catalogue/photos/picture-size.ts";
import { orientationIn, withoutMetadata } from "#app/platform/picture-privacy.ts";
import { extendedWebp, jpeg, losslessWebp, png, webp } from "#tests/support/pictures.ts";

test("kept photos keep their own age, and go when the server may have deleted them", () => {
  const image = (key: string) => ({ key, width: 320, height: 240, widths: [320], tone: "#fff", thumbhash: "" });
  const first = keepPhotos([image("a")], [], 0);
  const both = keepPhotos([image("b"), image("a")], first, PHOTOS_KEPT_MS);
  const stored: unknown = JSON.parse(JSON.stringify(both));
  expect(readKeptPhotos(stored, PHOTOS_KEPT_MS)).toEqual(both);
  expect(readKeptPhotos(stored, PHOTOS_KEPT_MS + 1)).toEqual([{ image: image("b"), at: PHOTOS_KEPT_MS }]);
  for (const broken of [null, "a", {}, [null], [{ at: 0 }], [{ image: { key: 1 }, at: 0 }], [{ image: image("a") }]])
    expect(readKeptPhotos(broken, 0)).toEqual([]);
});

const anySize = fc.record({ width: fc.integer({ min: 1, max: 9_999 }), height: fc.integer({ min: 1, max: 9_999 }) });

test("variants grow in width, keep the photo's shape, never enlarge it, and are few", () => {
  fc.assert(
    fc.property(anySize, (size) => {
      const sizes = variantSizes(size);
      if (!sizes) return;
      const largest = sizes.at(-1)!;
      expect(sizes.length).toBeLessThanOrEqual(4);
      expect(sizes.map(({ width }) => width)).toEqual(
        [...new Set(sizes.map(({ width }) => width))].toSorted((a, b) => a - b),
      );
      expect(largest.width).toBeLessThanOrEqual(Math.min(size.width, 1600));
      expect(largest.height).toBeLessThanOrEqual(Math.min(size.height, 2400));
      for (const { width, height } of sizes)
        expect(Math.abs(height - (width * largest.height) / largest.width)).toBeLessThanOrEqual(0.5);
      expect(areVariants(sizes)).toBe(true);
    }),
  );
});

test.each([
  [{ width: 4000, height: 3000 }, ["320x240", "640x480", "1080x810", "1600x1200"]],
  [{ width: 3000, height: 4000 }, ["320x427", "640x853", "1080x1440", "1600x2133"]],
  [{ width: 900, height: 900 }, ["320x320", "640x640", "900x900"]],
  [{ width: 300, height: 200 }, ["300x200"]],
  [{ width: 1080, height: 9000 }, ["288x2400"]],
  [{ width: 20, height: 600 }, null],
])("a photo of %j is kept as %j", (size, expected) => {
  expect(variantSizes(size)?.map(({ width, height }) => `${width}x${height}`) ?? null).toEqual(expected);
});

test("a preview shows as much of a photo's middle as its shape allows", () => {
  fc.assert(
    fc.property(anySize, (size) => {
      const part = previewPart(size);
      expect(part.width === size.width || part.height === size.height).toBe(true);
      expect(Math.abs(part.height - (part.width * 630) / 1200)).toBeLessThanOrEqual(1);
      for (const [from, length, all] of [
        [part.x, part.width, size.width],
        [part.y, part.height, size.height],
      ] as const) {
        expect(from).toBeGreaterThanOrEqual(0);
        expect(all - length - 2 * from).toBeOneOf([0, 1]);
      }
    }),
  );
  expect(previewPart({ width: 1600, height: 1200 })).toEqual({ x: 0, y: 180, width: 1600, height: 840 });
});

test("pictures that are not the variants of one photo are refused", () => {
  expect(areVariants([])).toBe(false);
  expect(areVariants([{ width: 1600, height: 1200 }])).toBe(false);
  expect(
    areVariants([
      { width: 320, height: 240 },
      { width: 640, height: 480 },
      { width: 1080, height: 810 },
      { width: 1600, height: 1600 },
    ]),
  ).toBe(false);
  expect(
    areVariants([
      { width: 320, height: 240 },
      { width: 640, height: 480 },
      { width: 1080, height: 810 },
      { width: 3200, height: 2400 },
    ]),
  ).toBe(false);
  expect(
    areVariants([
      { width: 320, height: 320 },
      { width: 640, height: 480 },
      { width: 1080, height: 810 },
      { width: 1600, height: 1200 },
    ]),
  ).toBe(false);
});

test.each([
  [{ width: 4032, height: 3024 }, null],
  [{ width: 3072, height: 4096 }, null],
  [{ width: 4096, height: 4096 }, "too_many_pixels"],
  [{ width: 4097, height: 600 }, "too_many_pixels"],
  [{ width: 9999, height: 9999 }, "too_many_pixels"],
  [{ width: 800, height: 20 }, "too_small"],
])("an original of %j is refused as %j", (size, refusal) => {
  expect(refuseSize(size)).toBe(refusal);
});

test("a picture's size is read from its own bytes, whatever its format", () => {
  fc.assert(
    fc.property(
      fc.record({ width: fc.integer({ min: 1, max: 16_383 }), height: fc.integer({ min: 1, max: 16_383 }) }),
      (size) => {
        expect(readPicture(jpeg(size))).toEqual({ kind: "jpeg", ...size });
        expect(readPicture(png(size))).toEqual({ kind: "png", ...size });
        expect(readPicture(webp(size))).toEqual({ kind: "webp", ...size });
        expect(readPicture(losslessWebp(size))).toEqual({ kind: "webp", ...size });
        expect(readPicture(extendedWebp(size))).toEqual({ kind: "webp", ...size });
      },
    ),
  );
});

test("a photo taken sideways is as wide as it is shown", () => {
  const lying = { width: 400, height: 300 };
  expect(readPicture(jpeg(lying, 3))).toMatchObject(lying);
  expect(readPicture(jpeg(lying, 6))).toMatchObject({ width: 300, height: 400 });
});

test("what lies about itself, moves, is cut off or is no picture is none", () => {
  const size = { width: 800, height: 600 };
  expect(readPicture(extendedWebp(size, { frame: { width: 8000, height: 6000 } }))).toBeNull();
  expect(readPicture(extendedWebp(size, { animated: true }))).toBeNull();
  for (const whole of [jpeg(size), png(size), webp(size)]) expect(readPicture(whole.slice(0, 10))).toBeNull();
  for (const text of ["", "GIF89a", "<svg/>", "%PDF-1.7", "\xff\xd8\xff"])
    expect(readPicture(new TextEncoder().encode(text))).toBeNull();
});

test("any bytes at all are read without a fault", () => {
  const starts = fc.constantFrom(
    jpeg({ width: 9, height: 9 }, 6),
    png({ width: 9, height: 9 }),
    extendedWebp({ width: 9, height: 9 }),
  );
  fc.assert(
    fc.property(
      starts,
      fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 12 }),
      fc.nat(80),
      (start, changes, length) => {
        const bytes = start.slice(0, Math.max(12, length));
        for (const [at, value] of changes) bytes[at] = value;
        expect(() => readPicture(bytes)).not.toThrow();
      },
    ),
    { numRuns: 2_000 },
  );
});

test("an iPhone's HEIC is known for what it is", () => {
  expect(isHeic(new TextEncoder().encode("\0\0\0\x18ftypheic\0\0\0\0"))).toBe(true);
  expect(isHeic(new TextEncoder().encode("\0\0\0\x18ftypmp42\0\0\0\0"))).toBe(false);
});

test("what is shown until a photo has loaded is a colour and a short hash, or nothing", () => {
  expect([readTone("#a1b2c3"), readTone("red;background:url(x)"), readTone(null)]).toEqual([
    "#a1b2c3",
    "#d8d4cc",
    "#d8d4cc",
  ]);
  expect([
    readThumbhash("1QcSHQRnh493V4dIh4eXh1h4kJUI"),
    readThumbhash("<script>"),
    readThumbhash("A".repeat(200)),
  ]).toEqual(["1QcSHQRnh493V4dIh4eXh1h4kJUI", "", ""]);
});

function imageOf(key: string): ProductImage {
  return { key, width: 800, height: 600, widths: [320, 800], tone: "#000000", thumbhash: "" };
}

const anyPhoto = fc
  .record({ id: fc.uuid(), key: fc.constantFrom("a", "b", "c"), done: fc.boolean() })
  .map(({ id, key, done }): FormPhoto => ({
    id,
    name: id,
    preview: null,
    upload: done ? { phase: "done", image: imageOf(key) } : { phase: "waiting" },
  }));
const anyList = fc.uniqueArray(anyPhoto, { selector: ({ id }) => id, maxLength: 8 });

test("moving photos loses none, whatever place is asked for", () => {
  fc.assert(
    fc.property(anyList, fc.nat(8), fc.integer({ min: -3, max: 12 }), (photos, which, to) => {
      const id = photos[which]?.id ?? "unknown";
      const after = changePhotos(photos, { type: "move", id, to });
      expect(after.map((photo) => photo.id).toSorted()).toEqual(photos.map((photo) => photo.id).toSorted());
      if (which < photos.length)
        expect(after.findIndex((photo) => photo.id === id)).toBe(Math.min(Math.max(0, to), photos.length - 1));
    }),
  );
});

test("a form never takes more photos than it may, and sends each photo once", () => {
  fc.assert(
    fc.property(anyList, anyList, fc.integer({ min: 1, max: 8 }), (photos, more, max) => {
      const after = changePhotos(photos, { type: "add", photos: more, max });
      expect(after.length).toBeLessThanOrEqual(Math.max(max, photos.length));
      const keys = finishedImages(after).map(({ key }) => key);
      expect(keys).toEqual([...new Set(keys)]);
    }),
  );
});

test("a photo that was taken out stays out, however far its upload comes", () => {
  const photo: FormPhoto = { id: "one", name: "one.jpg", preview: null, upload: { phase: "preparing" } };
  const steps: PhotoChange[] = [
    { type: "remove", id: "one" },
    { type: "step", id: "one", upload: { phase: "done", image: imageOf("a") } },
  ];
  expect(steps.reduce(changePhotos, [photo])).toEqual([]);
  expect(isUnderWay(photo)).toBe(true);
  expect(asFormPhotos([imageOf("a")]).some(isUnderWay)).toBe(false);
});

test("kept photos appear in a form, unless somebody has chosen some on this page", () => {
  const kept = asFormPhotos([imageOf("a")]);
  const chosen: FormPhoto = { id: "one", name: "one.jpg", preview: "blob:one", upload: { phase: "waiting" } };
  expect(changePhotos([], { type: "fill", photos: kept })).toEqual(kept);
  expect(changePhotos(asFormPhotos([imageOf("b")]), { type: "fill", photos: kept })).toEqual(kept);
  expect(changePhotos([chosen], { type: "fill", photos: kept })).toEqual([chosen]);
});

test("what the browser's storage holds is no photo unless it looks like one", () => {
  for (const kept of [undefined, null, "img/a", { key: "img/a" }]) expect(readImages(kept)).toEqual([]);
  expect(readImages([null, "img/a", { key: 1, width: 1, widths: [] }, imageOf("a")])).toEqual([imageOf("a")]);
});

test("photos are asked for in the format they are kept in", () => {
  expect(imageSources({ ...imageOf("img/a"), format: "jpg" }, "100vw")).toMatchObject({
    src: "/files/img/a/800.jpg",
    srcSet: "/files/img/a/320.jpg 320w, /files/img/a/800.jpg 800w",
  });
  expect(imageSources(imageOf("img/a"), "100vw").src).toBe("/files/img/a/800.webp");
  const src = "/files/img/a/320.webp";
  expect(cardSources(imageOf("img/a"))).toMatchObject({ src, srcSet: `${src} 320w, /files/img/a/800.webp 800w` });
});

test("a photo's placeholder has the upper and lower colours of its thumbhash", () => {
  const colour = fc.tuple(
    fc.integer({ min: 40, max: 215 }),
    fc.integer({ min: 40, max: 215 }),
    fc.integer({ min: 40, max: 215 }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 100 }),
      fc.integer({ min: 20, max: 100 }),
      colour,
      colour,
      fc.integer({ min: 128, max: 255 }),
      (width, height, upper, lower, opacity) => {
        const pixels = Array.from({ length: width * height }, (_, place) => {
          const share = Math.floor(place / width) / (height - 1);
          return [
            ...upper.map((from, channel) => Math.round(from + (lower[channel]! - from) * share)),
            opacity === 255 ? 255 : place % width < 2 ? opacity : 255,
          ];
        });
        const hash = rgbaToThumbHash(width, height, pixels.flat());
        const { w, h, rgba } = thumbHashToRGBA(hash);
        const gradient = placeholderGradient(btoa(String.fromCharCode(...hash)));
        const painted = [...(gradient ?? "").matchAll(/#(.)(.)(.)/g)].map(([, ...channels]) =>
          channels.map((channel) => 17 * Number.parseInt(channel, 16)),
        );
        expect(painted).toHaveLength(2);
        for (const [index, place] of [0.15, 0.85].entries()) {
          const row = Math.floor(place * h);
          for (const channel of [0, 1, 2]) {
            const mean =
              Array.from({ length: w }, (_, x) => rgba[(row * w + x) * 4 + channel]!).reduce(
                (sum, value) => sum + value,
                0,
              ) / w;
            expect(Math.abs(painted[index]![channel]! - mean)).toBeLessThan(38);
          }
        }
      },
    ),
  );
});

test.each(["", "A", "AAAAAAAA", "not base64!"])("%j isn't a thumbhash and gives no placeholder", (text) => {
  expect(placeholderGradient(text)).toBeNull();
});

describe.each([
  ["png", (turned: number) => png({ width: 400, height: 300 }, "words", turned)],
  ["webp", (turned: number) => extendedWebp({ width: 400, height: 300 }, { turned })],
] as const)("a %s that its camera turned", (kind, turnedPicture) => {
  test.each([2, 3, 6, 8])("keeps its turn %i, and no place", (turned) => {
    const sideways = turned >= 5;
    const size = { kind, width: sideways ? 300 : 400, height: sideways ? 400 : 300 };
    const picture = turnedPicture(turned);
    expect(readPicture(picture)).toEqual(size);
    const clean = withoutMetadata(kind, picture) ?? new Uint8Array();
    expect(readPicture(clean)).toEqual(size);
    expect(orientationIn(kind, clean)).toBe(turned);
    expect(new TextDecoder("latin1").decode(clean)).not.toContain("-1.2921");
    expect(withoutMetadata(kind, clean)).toEqual(clean);
  });
});

test("the turn of a PNG has the right checksum", () => {
  const clean = withoutMetadata("png", png({ width: 4, height: 3 }, "", 6)) ?? new Uint8Array();
  const at = new TextDecoder("latin1").decode(clean).indexOf("eXIf");
  const body = clean.subarray(at, at + 4 + 26);
  expect(new DataView(clean.buffer, clean.byteOffset).getUint32(at + 30)).toBe(crc32(body));
});
