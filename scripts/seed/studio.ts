/** The photo studio of the demo campus: places 3D renders of objects on lit backdrops. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { z } from "zod";
import { PORTRAIT_SIDES, variantSizes } from "#app/catalogue/photos/photo-rules.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { cache, replaceFile, root } from "#scripts/folders.ts";
import { type Backdrop, isSeenFromAbove, lightSvg, setSvg, shadeSvg, type Stage } from "./backdrops.ts";
import { chanceOf } from "./chance.ts";
import { averageColour, darken, lay, type Pixels, shadeOf, thumbnail, visibleBox } from "./pixels.ts";
import { opaqueSpot, type Wear, wearSvg } from "./wear.ts";

/** Raised when the studio changes, so that cached pictures are made again. */
const STUDIO_EDITION = 4;
const QUALITY = 74;
/** Of what people took at home. */
const SNAP_QUALITY = 70;

export const SHAPES = {
  square: { width: 800, height: 800 },
  portrait: { width: 800, height: 1000 },
  tall: { width: 800, height: 1067 },
  banner: { width: 1600, height: 500 },
  snap: { width: 560, height: 560 },
  "tall-snap": { width: 560, height: 660 },
} as const satisfies Record<string, { width: number; height: number }>;

export interface Placement {
  /** Code points of an object of @lobehub/fluent-emoji-3d, the name of a drawing in `objects/`, or a drawing itself. */
  object: string;
  /** The longer side as a share of the picture's shorter side. */
  size: number;
  /** The centre as shares of width and height. Standing objects stand on `y`. */
  x?: number;
  y?: number;
  /** Degrees. */
  turn?: number;
  /** Degrees of hue. */
  hue?: number;
  /** 1 keeps the colours unchanged. */
  saturation?: number;
  /** 1 keeps the light unchanged. */
  brightness?: number;
  /** Other colours for those of a drawing in `objects/`. */
  paint?: Record<string, string>;
  mirrored?: boolean;
  /** What use has left on it. */
  wear?: Wear;
  /** Its most worn place is in the middle of the picture. Not together with `turn` or `mirrored`. */
  isCloseUp?: boolean;
}

export interface Recipe {
  stage: Stage;
  backdrop: Backdrop;
  shape: keyof typeof SHAPES;
  things: Placement[];
}

/** A finished picture: the fields of the product row, and its variants' bytes by width. */
export interface Photo {
  image: ProductImage;
  variants: Map<number, Buffer>;
}

/** The file that an object's picture comes from. */
export function objectFile(object: string): string {
  const drawing = join(import.meta.dirname, "objects", `${object}.svg`);
  return existsSync(drawing) ? drawing : join(root, "node_modules/@lobehub/fluent-emoji-3d/assets", `${object}.webp`);
}

const CachedImage = z.object({
  key: z.string(),
  width: z.number(),
  height: z.number(),
  widths: z.array(z.number()),
  tone: z.string(),
  thumbhash: z.string(),
});
const folder = join(cache, "seed-photos");

/** Takes the photo, or finds it in the cache. The same recipe gives the same picture. */
export async function takePhoto(recipe: Recipe): Promise<Photo> {
  const name = recipeHash(recipe);
  const known = join(folder, `${name}.json`);
  if (!existsSync(known)) await develop(recipe, name);
  const image = CachedImage.parse(JSON.parse(readFileSync(known, "utf8")));
  return {
    image,
    variants: new Map(image.widths.map((width) => [width, readFileSync(join(folder, `${name}-${width}.webp`))])),
  };
}

function recipeHash(recipe: Recipe): string {
  const files = recipe.things.filter(({ object }) => !isDrawing(object)).map(({ object }) => objectFile(object));
  const drawings = files.filter((file) => file.endsWith(".svg"));
  const hash = createHash("sha256").update(JSON.stringify([STUDIO_EDITION, recipe]));
  for (const file of drawings) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 32);
}

async function develop(recipe: Recipe, name: string): Promise<void> {
  const { width, height } = SHAPES[recipe.shape];
  const isSnap = recipe.shape.endsWith("snap");
  // Nobody sees a snap on a card, and there are many.
  const widths = isSnap ? [width] : (variantSizes({ width, height }) ?? []).map((size) => size.width);
  const picture = await compose(recipe);
  const pictures = await Promise.all(widths.map((size) => (size === width ? picture : narrow(picture, size))));
  const quality = isSnap ? SNAP_QUALITY : QUALITY;
  const variants = await Promise.all(pictures.map((size) => encode(size, quality)));
  const image: ProductImage = { key: keyOf(variants), width, height, widths, ...impression(pictures[0] ?? picture) };
  mkdirSync(folder, { recursive: true });
  widths.forEach((size, at) => writeFileSync(join(folder, `${name}-${size}.webp`), variants[at] ?? Buffer.alloc(0)));
  // Last: a picture that has it is whole.
  replaceFile(join(folder, `${name}.json`), JSON.stringify(image));
}

/** A portrait from a square drawing, with the variants of every portrait. */
export async function takePortrait(svg: string): Promise<Photo> {
  const largest = PORTRAIT_SIDES.at(-1) ?? 320;
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(largest, largest)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture = { data, width: info.width, height: info.height };
  const pictures = await Promise.all(
    PORTRAIT_SIDES.map((side) => (side === largest ? picture : narrow(picture, side))),
  );
  const variants = await Promise.all(pictures.map((size) => encode(size)));
  return {
    image: {
      key: keyOf(variants),
      width: largest,
      height: largest,
      widths: [...PORTRAIT_SIDES],
      ...impression(picture),
    },
    variants: new Map(PORTRAIT_SIDES.map((side, at) => [side, variants[at] ?? Buffer.alloc(0)])),
  };
}

/** Names are computed from contents. */
function keyOf(variants: Buffer[]): string {
  const hash = createHash("sha256").update(variants.at(-1) ?? "");
  return `img/${hash.digest("hex").slice(0, 32)}`;
}

function asRaw({ width, height }: { width: number; height: number }) {
  return { raw: { width, height, channels: 3 } } as const;
}

async function narrow(picture: Pixels, width: number): Promise<Pixels> {
  const { data, info } = await sharp(picture.data, asRaw(picture))
    .resize(width)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function encode(picture: Pixels, quality = QUALITY): Promise<Buffer> {
  return sharp(picture.data, asRaw(picture)).webp({ quality, effort: 2 }).toBuffer();
}

const IMPRESSION_WIDTH = 60;

/** The placeholder of the picture until it loads. */
function impression(picture: Pixels): Pick<ProductImage, "tone" | "thumbhash"> {
  const small = thumbnail(picture, IMPRESSION_WIDTH);
  return {
    tone: averageColour(small),
    thumbhash: Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)).toString("base64"),
  };
}

async function compose(recipe: Recipe): Promise<Pixels> {
  const empty = await emptyStage(recipe);
  const picture = { ...empty, data: new Uint8Array(empty.data) };
  for (const thing of recipe.things)
    placeThing(
      picture,
      recipe.stage,
      thing,
      await cutOut(thing, Math.round(thing.size * Math.min(picture.width, picture.height))),
    );
  return picture;
}

/** Light and shade are drawn this many times smaller. It isn't visible, and takes a tenth of the time. */
const SOFT = 5;
const emptyStages = new Map<string, Promise<Pixels>>();

function emptyStage({ stage, backdrop, shape }: Recipe): Promise<Pixels> {
  const name = `${stage} ${backdrop} ${shape}`;
  const known = emptyStages.get(name);
  if (known) return known;
  const made = buildStage(stage, backdrop, SHAPES[shape]);
  emptyStages.set(name, made);
  return made;
}

async function buildStage(
  stage: Stage,
  backdrop: Backdrop,
  { width, height }: { width: number; height: number },
): Promise<Pixels> {
  const shade = await sharp(Buffer.from(shadeSvg(stage, backdrop, width, height, 1 / SOFT)))
    .blur(22 / SOFT)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const small = await sharp(Buffer.from(lightSvg(stage, backdrop, width, height, 1 / SOFT)))
    .composite([{ input: shade }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const light = {
    data: await sharp(small.data, asRaw(small.info))
      .resize(width, height, { fit: "fill", kernel: "cubic" })
      .raw()
      .toBuffer(),
    width,
    height,
  };
  if (stage === "sweep") return light;
  const piece = await sharp(Buffer.from(setSvg(stage, backdrop, width, height)))
    .ensureAlpha()
    .raw()
    .toBuffer();
  lay(light, { data: piece, width, height }, 0, 0);
  return light;
}

interface Cutout extends Pixels {
  /** Its most worn place, as shares of width and height, before it was turned. */
  spot: { x: number; y: number };
}

/** The object without transparent margins, at the requested size. */
async function cutOut(thing: Placement, side: number): Promise<Cutout> {
  const plain = await rawOf(asCutout(await sourceOf(thing)).resize(side, side, { fit: "inside", kernel: "lanczos3" }));
  const spot = opaqueSpot(plain, chanceOf(`spot ${thing.wear?.of ?? thing.object}`));
  return { ...(await finish(thing, plain, thing.wear ? wearSvg(thing.wear, plain, spot) : null)), spot };
}

/** With its marks, mirrored and turned. What is laid over in a pipeline isn't turned by it. */
async function finish({ mirrored, turn }: Placement, plain: Pixels, wear: string | null): Promise<Pixels> {
  const worn =
    wear === null ? plain : await rawOf(asCutout(plain).composite([{ input: Buffer.from(wear), blend: "atop" }]));
  if (!mirrored && !turn) return worn;
  const placed = asCutout(worn);
  if (mirrored) placed.flop();
  if (turn) placed.rotate(turn, { background: "#00000000" });
  return rawOf(placed);
}

function asCutout({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } });
}

async function rawOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function isDrawing(object: string): boolean {
  return object.startsWith("<svg");
}

/** Sharp enough for a close-up. */
const DENSITY = 72 * 2.8;

/** A listing's photos show the same thing, one after the other. */
const SOURCES_KEPT = 12;
const sources = new Map<string, Promise<Pixels>>();

/** The object in its colours, without transparent margins. Colours change here, where it is small. */
function sourceOf({ object, paint, hue, saturation, brightness }: Placement): Promise<Pixels> {
  const name = JSON.stringify([object, paint, hue, saturation, brightness]);
  const known = sources.get(name);
  if (known) return known;
  const made = drawn(object, paint).then((whole) => {
    const trimmed = asCutout(whole).extract(visibleBox(whole));
    if (hue !== undefined || saturation !== undefined || brightness !== undefined)
      trimmed.modulate({ hue: hue ?? 0, saturation: saturation ?? 1, brightness: brightness ?? 1 });
    return rawOf(trimmed);
  });
  sources.set(name, made);
  for (const oldest of [...sources.keys()].slice(0, -SOURCES_KEPT)) sources.delete(oldest);
  return made;
}

function drawn(object: string, paint: Record<string, string> = {}): Promise<Pixels> {
  if (isDrawing(object)) return rawOf(sharp(Buffer.from(object), { density: DENSITY }));
  const file = objectFile(object);
  if (!file.endsWith(".svg")) return rawOf(sharp(file));
  let svg = readFileSync(file, "utf8");
  for (const [from, to] of Object.entries(paint)) svg = svg.replaceAll(from, to);
  return rawOf(sharp(Buffer.from(svg), { density: DENSITY }));
}

/** Draws the object's shadows, then the object. */
function placeThing(picture: Pixels, stage: Stage, thing: Placement, cutout: Cutout): void {
  const lying = isSeenFromAbove(stage);
  const { x, y } = thing.isCloseUp ? closeUpPlace(picture, cutout) : placeOf(picture, thing, lying);
  // Most of a close-up's shadow is outside.
  if (thing.isCloseUp) shadeNear(picture, cutout, x, y);
  else if (lying) shadeLying(picture, cutout, x, y);
  else shadeStanding(picture, cutout, x, y);
  lay(picture, cutout, Math.round(x - cutout.width / 2), Math.round(y - (lying ? cutout.height / 2 : cutout.height)));
}

function placeOf(picture: Pixels, { x = 0.5, y }: Placement, lying: boolean) {
  return { x: x * picture.width, y: (y ?? (lying ? 0.5 : 0.8)) * picture.height };
}

/** The centre of a cutout that is larger than the picture. The picture's edge stays within it, or near it. */
function closeUpPlace(picture: Pixels, { width, height, spot }: Cutout) {
  const along = (room: number, size: number, share: number) => {
    const reach = Math.max(0, (size - room) / 2 + room * 0.12);
    return room / 2 + Math.max(-reach, Math.min(reach, (0.5 - share) * size));
  };
  return { x: along(picture.width, width, spot.x), y: along(picture.height, height, spot.y) };
}

/** The shadow of a standing object: one wide and soft, one narrow where it touches the floor. */
function shadeStanding(picture: Pixels, cutout: Pixels, x: number, floor: number): void {
  const { width, height } = cutout;
  const foot = Math.max(8, Math.round(height * 0.1));
  darken(picture, shadeOf(cutout, 0, width * 1.06, Math.max(20, height * 0.14), 18), x + width * 0.03, floor - 7, 0.32);
  darken(picture, shadeOf(cutout, height - foot, width, Math.max(10, height * 0.035), 6), x, floor - 2, 0.42);
}

/** Seen from above, the light comes from the upper left. */
function shadeLying(picture: Pixels, cutout: Pixels, x: number, y: number): void {
  darken(picture, shadeOf(cutout, 0, cutout.width, cutout.height, 22), x + 22, y + 34, 0.3);
  darken(picture, shadeOf(cutout, 0, cutout.width, cutout.height, 6), x + 6, y + 9, 0.26);
}

function shadeNear(picture: Pixels, cutout: Pixels, x: number, y: number): void {
  darken(picture, shadeOf(cutout, 0, cutout.width, cutout.height, 18), x + 14, y + 22, 0.34);
}
