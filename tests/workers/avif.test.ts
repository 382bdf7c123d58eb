import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ProductImage } from "#app/db/schema.ts";
import { checkPhoto, storePhoto, sweepPhotos } from "#app/catalogue/photos.server.ts";
import type { PictureMaker } from "#app/catalogue/preview-rules.ts";
import { encodeJpeg, toPixels } from "#workers/pictures/codecs.ts";
import { makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { webp } from "#tests/support/pictures.ts";
import { visit } from "#tests/support/visit.ts";

const DAY_MS = 24 * 60 * 60_000;
/** What Chrome sends for an image. */
const CHROME = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
/** What a browser sends that can't show AVIF. */
const OLDER = "image/webp,*/*";

/** A JPEG with real pixels: soft waves of colour. */
async function jpegOf(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    data.set(
      [128 + 90 * Math.sin(x / 17), 128 + 90 * Math.sin(y / 23), 128 + 90 * Math.sin((x + y) / 31), 255],
      4 * at,
    );
  }
  const bytes = await encodeJpeg(toPixels(data, width, height), [85]);
  if (!bytes) throw new Error("no JPEG");
  return bytes;
}

/** Uploads a photo, and waits until its AVIF is made. */
async function upload(files: Uint8Array<ArrayBuffer>[]): Promise<ProductImage> {
  const form = new FormData();
  for (const bytes of files) form.append("variant", new File([bytes], "photo"));
  const answer = await visit("/api/photos", { as: await makeUser(), form });
  expect(answer.status).toBe(200);
  return (await answer.json<{ data: ProductImage }>()).data;
}

function load(image: ProductImage, accept: string, more: Record<string, string> = {}): Promise<Response> {
  return visit(`/files/${image.key}/${image.widths[0]}.${image.format}`, { headers: { Accept: accept, ...more } });
}

const typeOf = ({ headers }: Response) => headers.get("Content-Type");

test("a browser that shows AVIF gets a smaller file from the same address, and others get the photo as uploaded", async () => {
  const original = await jpegOf(320, 240);
  const image = await upload([original]);
  expect(image).toMatchObject({ format: "jpg", widths: [320] });

  // The first answer fills the data centre's cache, the second comes from it.
  for (const _ of ["first", "again"]) {
    const [modern, older] = [await load(image, CHROME), await load(image, OLDER)];
    expect([typeOf(modern), typeOf(older)]).toEqual(["image/avif", "image/jpeg"]);
    for (const answer of [modern, older]) expect(answer.headers.get("Vary")).toContain("Accept");
    expect(modern.headers.get("ETag")).not.toBe(older.headers.get("ETag"));
    const bytes = new Uint8Array(await modern.arrayBuffer());
    expect(new TextDecoder("latin1").decode(bytes.subarray(4, 12))).toBe("ftypavif");
    expect(bytes.length).toBeLessThan(original.length);
    expect(new Uint8Array(await older.arrayBuffer())).toEqual(original);
  }
});

test("a browser's copy in one format doesn't count for the other", async () => {
  const image = await upload([await jpegOf(350, 260)]);
  const tag = (await load(image, CHROME)).headers.get("ETag") ?? "";
  expect((await load(image, CHROME, { "If-None-Match": tag })).status).toBe(304);
  expect((await load(image, OLDER, { "If-None-Match": tag })).status).toBe(200);
});

test("a photo that can't be decoded is served as it was uploaded", async () => {
  const image = await upload([webp({ width: 320, height: 240 })]);
  expect(typeOf(await load(image, CHROME))).toBe("image/webp");
});

test("a photo of more than a megapixel gets no AVIF", async () => {
  const image = await upload([await jpegOf(320, 520), await jpegOf(800, 1_300)]);
  const isStored = async (file: string) => (await env.MEDIA.head(`${image.key}/${file}`)) !== null;
  expect([await isStored("320.avif"), await isStored("800.jpg"), await isStored("800.avif")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("the AVIF is deleted with its photo", async () => {
  const image = await upload([await jpegOf(360, 270)]);
  const avif = `${image.key}/360.avif`;
  expect(await env.MEDIA.head(avif)).not.toBeNull();
  await sweepPhotos(servicesAt(DAY_MS + 60_000));
  expect(await env.MEDIA.head(avif)).toBeNull();
});

test("an upload succeeds where the AVIF can't be made", async () => {
  const PICTURES = new Proxy(env.PICTURES, { get: () => () => Promise.reject(new Error("away")) });
  const form = new FormData();
  form.append("variant", new File([await jpegOf(330, 220)], "photo"));
  const answer = await visit("/api/photos", { as: await makeUser(), form, bindings: { PICTURES } });
  expect(answer.status).toBe(200);
  const { data } = await answer.json<{ data: ProductImage }>();
  expect(typeOf(await load(data, CHROME))).toBe("image/jpeg");
});

test("a width whose AVIF can't be made keeps no other width from having one", async () => {
  const services = servicesAt();
  const written: string[] = [];
  const pictures: PictureMaker = {
    drawPreview: () => Promise.reject(new Error("not asked for")),
    writeAvif: async (file) => {
      written.push(file);
      if (file.endsWith("/320.jpg")) throw new Error("out of memory");
    },
  };
  const checked = await checkPhoto(
    [new File([await jpegOf(320, 240)], "small"), new File([await jpegOf(640, 480)], "large")],
    {},
  );
  if (!checked.ok) throw new Error(checked.code);
  const deferred: Promise<unknown>[] = [];
  const stored = await storePhoto(
    { ...services, pictures, defer: (work) => deferred.push(work) },
    await makeUser(),
    checked.photo,
  );
  expect(stored.ok).toBe(true);
  await expect(Promise.all(deferred)).rejects.toThrow("out of memory");
  expect(written.map((file) => file.split("/").at(-1))).toEqual(["320.jpg", "640.jpg"]);
});
