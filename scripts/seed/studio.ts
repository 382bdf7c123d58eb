/** The photo studio of the demo campus: sets 3D renders of objects on lit backdrops, as a seller with taste would. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { z } from "zod";
import type { ProductImage } from "#app/db/schema.ts";
import { cache, root } from "#scripts/places.ts";
import { type Backdrop, lightSvg, setSvg, shadeSvg, type Stage } from "./backdrops.ts";

/** Raised when the studio itself changes, so that cached pictures are made again. */
const STUDIO_EDITION = 1;
/** Widths of the variants, px; the objects are rendered too small for more. */
const WIDTHS = [320, 800] as const;
const QUALITY = 78;

export const SHAPES = {
  square: { width: 800, height: 800 },
  portrait: { width: 800, height: 1000 },
  tall: { width: 800, height: 1067 },
  banner: { width: 1600, height: 500 },
} as const satisfies Record<string, { width: number; height: number }>;

export interface Placement {
  /** Code points of an object of @lobehub/fluent-emoji-3d, or the name of a drawing in `objects/`. */
  object: string;
  /** Longer side as a share of the picture's shorter side. */
  size: number;
  /** Centre, as shares of width and height; standing objects stand on `y`. */
  x?: number;
  y?: number;
  /** Degrees. */
  turn?: number;
  /** Degrees of hue. */
  hue?: number;
  /** 1 leaves the colours as strong as they are. */
  saturation?: number;
  mirrored?: boolean;
}

export interface Recipe {
  stage: Stage;
  backdrop: Backdrop;
  shape: keyof typeof SHAPES;
  things: Placement[];
}

/** A finished picture: what the product row says about it, and its variants' bytes by width. */
export interface Photo {
  image: ProductImage;
  variants: Map<number, Buffer>;
}

/** The file that an object's picture comes from. */
export function objectFile(object: string): string {
  const drawing = join(import.meta.dirname, "objects", `${object}.svg`);
  return existsSync(drawing) ? drawing : join(root, "node_modules/@lobehub/fluent-emoji-3d/assets", `${object}.webp`);
}

const CachedImage = z.object({ key: z.string(), width: z.number(), height: z.number(), widths: z.array(z.number()), tone: z.string(), thumbhash: z.string() });
const folder = join(cache, "seed-photos");

/** Takes the photo, or finds it among those taken before: the same recipe gives the same picture. */
export async function takePhoto(recipe: Recipe): Promise<Photo> {
  const name = recipeHash(recipe);
  const known = join(folder, `${name}.json`);
  if (!existsSync(known)) await develop(recipe, name);
  const image = CachedImage.parse(JSON.parse(readFileSync(known, "utf8")));
  return { image, variants: new Map(image.widths.map((width) => [width, readFileSync(join(folder, `${name}-${width}.webp`))])) };
}

function recipeHash(recipe: Recipe): string {
  const drawings = recipe.things.map(({ object }) => objectFile(object)).filter((file) => file.endsWith(".svg"));
  const hash = createHash("sha256").update(JSON.stringify([STUDIO_EDITION, recipe]));
  for (const file of drawings) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 32);
}

async function develop(recipe: Recipe, name: string): Promise<void> {
  const { width, height } = SHAPES[recipe.shape];
  const widths = recipe.shape === "banner" ? [800, 1600] : [...WIDTHS];
  const picture = { data: await compose(recipe), width, height };
  const small = await shrink(picture, widths[0] ?? width);
  const variants = await Promise.all([encode(small), encode(picture)]);
  const hash = createHash("sha256").update(variants[1]).digest("hex").slice(0, 32);
  const image: ProductImage = { key: `img/${hash}`, width, height, widths, ...(await impression(small)) };
  mkdirSync(folder, { recursive: true });
  widths.forEach((size, at) => writeFileSync(join(folder, `${name}-${size}.webp`), variants[at] ?? Buffer.alloc(0)));
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(image));
}

/** Raw pixels: 4 bytes each in a cutout, 3 in a picture. */
interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

function raw({ width, height }: Pixels, channels: 1 | 3 | 4) {
  return { raw: { width, height, channels } };
}

async function shrink(picture: Pixels, width: number): Promise<Pixels> {
  const { data, info } = await sharp(picture.data, raw(picture, 3)).resize(width).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function encode(picture: Pixels): Promise<Buffer> {
  return sharp(picture.data, raw(picture, 3)).webp({ quality: QUALITY, effort: 2 }).toBuffer();
}

/** What stands in for the picture until it is there. */
async function impression(picture: Pixels): Promise<Pick<ProductImage, "tone" | "thumbhash">> {
  const { data, info } = await sharp(picture.data, raw(picture, 3)).resize(100, 100, { fit: "inside" }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const average = await sharp(data, { raw: info }).removeAlpha().resize(1, 1, { fit: "fill" }).raw().toBuffer();
  return {
    tone: `#${average.toString("hex").slice(0, 6)}`,
    thumbhash: Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64"),
  };
}

async function compose(recipe: Recipe): Promise<Buffer> {
  const { width, height } = SHAPES[recipe.shape];
  const layers: OverlayOptions[] = [];
  for (const thing of recipe.things) layers.push(...(await placeThing(thing, recipe.stage, width, height)));
  const empty = await emptyStage(recipe);
  return sharp(empty, { raw: { width, height, channels: 3 } }).composite(layers).removeAlpha().raw().toBuffer();
}

/** Light and shade are worked out this many times smaller: nobody sees it, and it takes a tenth of the time. */
const SOFT = 5;
const emptyStages = new Map<string, Promise<Buffer>>();

function emptyStage({ stage, backdrop, shape }: Recipe): Promise<Buffer> {
  const name = `${stage} ${backdrop} ${shape}`;
  const known = emptyStages.get(name);
  if (known) return known;
  const made = buildStage(stage, backdrop, SHAPES[shape]);
  emptyStages.set(name, made);
  return made;
}

async function buildStage(stage: Stage, backdrop: Backdrop, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const shade = await sharp(Buffer.from(shadeSvg(stage, backdrop, width, height, 1 / SOFT))).blur(22 / SOFT).png({ compressionLevel: 0 }).toBuffer();
  const small = await sharp(Buffer.from(lightSvg(stage, backdrop, width, height, 1 / SOFT))).composite([{ input: shade }]).png({ compressionLevel: 0 }).toBuffer();
  const light = await sharp(small).resize(width, height, { fit: "fill", kernel: "cubic" }).removeAlpha().raw().toBuffer();
  if (stage === "sweep") return light;
  const piece = Buffer.from(setSvg(stage, backdrop, width, height));
  return sharp(light, { raw: { width, height, channels: 3 } }).composite([{ input: piece }]).removeAlpha().raw().toBuffer();
}

async function placeThing(thing: Placement, stage: Stage, width: number, height: number): Promise<OverlayOptions[]> {
  const cutout = await cutOut(thing, Math.round(thing.size * Math.min(width, height)));
  const lying = stage === "lay";
  const x = Math.round((thing.x ?? 0.5) * width - cutout.width / 2);
  const y = Math.round((thing.y ?? (lying ? 0.5 : 0.8)) * height - (lying ? cutout.height / 2 : cutout.height));
  const shadows = lying ? await lyingShadows(cutout, x, y) : await standingShadows(cutout, x, y);
  return Promise.all([...shadows, { ...cutout, x, y }].map((layer) => insideFrame(layer, width, height)));
}

/** The object without the air around it, as large as asked for. */
async function cutOut(thing: Placement, side: number): Promise<Pixels> {
  const file = objectFile(thing.object);
  const source = sharp(file, file.endsWith(".svg") ? { density: 72 * 2.4 } : {});
  const trimmed = await source.trim({ background: "#00000000", threshold: 1 }).png({ compressionLevel: 0 }).toBuffer();
  const large = sharp(trimmed).resize(side, side, { fit: "inside", kernel: "lanczos3" }).sharpen();
  if (thing.mirrored) large.flop();
  if (thing.hue !== undefined || thing.saturation !== undefined) large.modulate({ hue: thing.hue ?? 0, saturation: thing.saturation ?? 1 });
  if (thing.turn) large.rotate(thing.turn, { background: "#00000000" });
  const { data, info } = await large.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

type Layer = Pixels & { x: number; y: number };

/** The dark that an object standing on the floor leaves there: one wide and soft, one narrow where it touches. */
async function standingShadows(cutout: Pixels, x: number, y: number): Promise<Layer[]> {
  const floor = y + cutout.height;
  const silhouette = await alphaOf(cutout);
  const foot = Math.max(8, Math.round(cutout.height * 0.1));
  const sole = { data: silhouette.data.subarray((cutout.height - foot) * cutout.width), width: cutout.width, height: foot };
  const [wide, touch] = await Promise.all([
    shadowOf(silhouette, { width: Math.round(cutout.width * 1.06), height: Math.max(20, Math.round(cutout.height * 0.14)), blur: 18, strength: 0.32 }),
    shadowOf(sole, { width: cutout.width, height: Math.max(10, Math.round(cutout.height * 0.035)), blur: 6, strength: 0.42 }),
  ]);
  return [
    { ...wide, x: Math.round(x + cutout.width * 0.53 - wide.width / 2), y: Math.round(floor - wide.height * 0.56) },
    { ...touch, x: Math.round(x + cutout.width / 2 - touch.width / 2), y: Math.round(floor - touch.height * 0.55) },
  ];
}

/** Seen from above, the light comes from the upper left. */
async function lyingShadows(cutout: Pixels, x: number, y: number): Promise<Layer[]> {
  const silhouette = await alphaOf(cutout);
  const [far, near] = await Promise.all([
    shadowOf(silhouette, { ...silhouette, blur: 22, strength: 0.3 }),
    shadowOf(silhouette, { ...silhouette, blur: 6, strength: 0.26 }),
  ]);
  const centred = (layer: Pixels, dx: number, dy: number) => ({
    ...layer,
    x: Math.round(x + cutout.width / 2 - layer.width / 2 + dx),
    y: Math.round(y + cutout.height / 2 - layer.height / 2 + dy),
  });
  return [centred(far, 22, 34), centred(near, 6, 9)];
}

/** One byte a pixel. */
async function alphaOf(cutout: Pixels): Promise<Pixels> {
  return { ...cutout, data: await sharp(cutout.data, raw(cutout, 4)).extractChannel(3).toColourspace("b-w").raw().toBuffer() };
}

interface Shadow {
  width: number;
  height: number;
  /** Standard deviation, px. */
  blur: number;
  /** 1 would be opaque. */
  strength: number;
}

/** The silhouette in a warm dark, stretched to the size asked for and blurred. */
async function shadowOf(silhouette: Pixels, { width, height, blur, strength }: Shadow): Promise<Pixels> {
  const shrunk = Math.max(1, Math.min(SOFT, blur / 2));
  const margin = Math.ceil((blur * 3) / shrunk);
  const small = await sharp(silhouette.data, raw(silhouette, 1))
    .resize(Math.max(1, Math.round(width / shrunk)), Math.max(1, Math.round(height / shrunk)), { fit: "fill" })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: "#000000" })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const large = { width: Math.round(small.info.width * shrunk), height: Math.round(small.info.height * shrunk) };
  const spread = await sharp(small.data, { raw: { width: small.info.width, height: small.info.height, channels: 1 } })
    .blur(blur / shrunk)
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const tinted = tint(spread, strength);
  const data = await sharp(tinted, { raw: { width: small.info.width, height: small.info.height, channels: 4 } })
    .resize(large.width, large.height, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return { data, ...large };
}

const SHADOW_COLOUR = [0x2a, 0x1a, 0x12] as const;

function tint(alpha: Buffer, strength: number): Buffer {
  const pixels = Buffer.alloc(alpha.length * 4);
  alpha.forEach((value, at) => {
    pixels.set(SHADOW_COLOUR, at * 4);
    pixels[at * 4 + 3] = Math.round(value * strength);
  });
  return pixels;
}

/** Cuts off what would stand outside the picture, which sharp refuses to place. */
async function insideFrame(layer: Layer, width: number, height: number): Promise<OverlayOptions> {
  const left = Math.max(0, layer.x);
  const top = Math.max(0, layer.y);
  const visible = { left: left - layer.x, top: top - layer.y, width: Math.min(width, layer.x + layer.width) - left, height: Math.min(height, layer.y + layer.height) - top };
  if (visible.width === layer.width && visible.height === layer.height) return { input: layer.data, ...raw(layer, 4), left, top };
  const data = await sharp(layer.data, raw(layer, 4)).extract(visible).raw().toBuffer();
  return { input: data, ...raw({ ...visible, data }, 4), left, top };
}
