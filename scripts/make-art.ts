/**
 * Draws the pictures of public/art, the touch icon and the icons of the installed app: `node scripts/make-art.ts`. The
 * objects are the 3D renders of @lobehub/fluent-emoji-3d (MIT), named by their code points.
 */
import sharp, { type OverlayOptions } from "sharp";
import { brand } from "#app/ui/page/brand.ts";

interface Tile {
  code: string;
  background: string;
}

/** A picture of the login and sign-up screens: objects on soft studio colours, row by row. */
type Wall = readonly Tile[];

/** What students trade. */
const campus: Wall = [
  { code: "1f3a7", background: "#f6e7c1" },
  { code: "1f4da", background: "#dfeae2" },
  { code: "1f45f", background: "#f3ddd3" },
  { code: "1f4bb", background: "#e4e6f2" },
  { code: "1f392", background: "#fbf3dc" },
  { code: "1f3b8", background: "#dcebf0" },
  { code: "1f9e5", background: "#f6e3e6" },
  { code: "1f4f1", background: "#f6e7c1" },
  { code: "1f6b2", background: "#e2ecd9" },
  { code: "1fa91", background: "#efe4f2" },
  { code: "231a", background: "#dfeae2" },
  { code: "1f4f7", background: "#fbf3dc" },
];

/** Furniture for a student's room. */
const room: Wall = [
  { code: "1f4a1", background: "#f6e7c1" },
  { code: "1fab4", background: "#e2ecd9" },
  { code: "1fad6", background: "#f3ddd3" },
  { code: "1f6cb-fe0f", background: "#e4e6f2" },
  { code: "1f373", background: "#fbf3dc" },
  { code: "1f3ae", background: "#dcebf0" },
  { code: "1f9fa", background: "#f6e3e6" },
  { code: "1f6cf-fe0f", background: "#f6e7c1" },
  { code: "1f50c", background: "#e2ecd9" },
  { code: "1f372", background: "#efe4f2" },
  { code: "1fa9e", background: "#dfeae2" },
  { code: "1f3c0", background: "#fbf3dc" },
];

/** The steps of a deal. */
const deal: Wall = [
  { code: "1f4ac", background: "#dcebf0" },
  { code: "2b50", background: "#fbf3dc" },
  { code: "1f9fe", background: "#f6e3e6" },
  { code: "1f4f2", background: "#f6e7c1" },
  { code: "1f91d", background: "#e2ecd9" },
  { code: "1f4e6", background: "#f3ddd3" },
  { code: "1f512", background: "#e4e6f2" },
  { code: "2705", background: "#dfeae2" },
  { code: "1f69a", background: "#f6e7c1" },
  { code: "1f514", background: "#efe4f2" },
  { code: "1f6cd-fe0f", background: "#dcebf0" },
  { code: "1f4b0", background: "#fbf3dc" },
];

const columns = 3;
const tileSize = 260;
const gap = 20;

function objectFile(code: string): string {
  return `node_modules/@lobehub/fluent-emoji-3d/assets/${code}.webp`;
}

async function drawTile({ code, background }: Tile): Promise<Buffer> {
  const face = `<svg width="${tileSize}" height="${tileSize}"><rect width="100%" height="100%" rx="36" fill="${background}"/></svg>`;
  const thing = await sharp(objectFile(code)).resize(176, 176, { fit: "inside" }).toBuffer();
  return sharp(Buffer.from(face))
    .composite([{ input: thing, gravity: "centre" }])
    .png()
    .toBuffer();
}

async function drawWall(wall: Wall, name: string): Promise<void> {
  const pitch = tileSize + gap;
  const tiles = await Promise.all(
    wall.map(async (tile, index): Promise<OverlayOptions> => ({
      input: await drawTile(tile),
      left: (index % columns) * pitch,
      top: Math.floor(index / columns) * pitch,
    })),
  );
  const rows = Math.ceil(wall.length / columns);
  await sharp({
    create: {
      width: columns * pitch - gap,
      height: rows * pitch - gap,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    },
  })
    .composite(tiles)
    .webp({ quality: 74, alphaQuality: 80, effort: 6, smartSubsample: true })
    .toFile(`public/art/${name}.webp`);
}

for (const [name, wall] of Object.entries({ campus, room, deal })) await drawWall(wall, name);

const gold = "#e7c65f";
const sign = "public/favicon.svg";

/**
 * Our logo on gold up to the edges. Phones cut it to any shape, but keep the inner 80 percent (W3C manifest, maskable).
 */
async function drawMaskable(size: number): Promise<void> {
  const inner = Math.round(size * 0.72);
  const drawn = await sharp(sign, { density: 600 }).resize(inner, inner).toBuffer();
  await sharp({ create: { width: size, height: size, channels: 4, background: gold } })
    .composite([{ input: drawn, gravity: "centre" }])
    .png({ palette: true })
    .toFile(`public/icons/maskable-${size}.png`);
}

/** A line of text in the font of our headings, in pixels of its height. The font's license is in public/fonts. */
function drawText(words: string, height: number, colour: string): Promise<Buffer> {
  return sharp({
    text: {
      text: `<span foreground="${colour}">${words}</span>`,
      // The comma ends the family's name, which would be read as a weight otherwise.
      font: "Bricolage Grotesque 96pt ExtraBold, Bold",
      fontfile: "scripts/fonts/bricolage-grotesque-700.ttf",
      height,
      width: 620,
      rgba: true,
    },
  })
    .png()
    .toBuffer();
}

/** What chats show for a link to a page that has no picture of its own: 1200 × 630 px. */
async function drawSharePicture(): Promise<void> {
  const columnsShown = 2;
  const things = await Promise.all(
    campus.slice(0, 2 * columnsShown).map(async (tile, index): Promise<OverlayOptions> => ({
      input: await drawTile(tile),
      left: 610 + (index % columnsShown) * (tileSize + gap),
      top: 45 + Math.floor(index / columnsShown) * (tileSize + gap),
    })),
  );
  await sharp({ create: { width: 1200, height: 630, channels: 3, background: "#ffffff" } })
    .composite([
      ...things,
      { input: await sharp(sign, { density: 600 }).resize(120, 120).toBuffer(), left: 60, top: 150 },
      { input: await drawText(brand.name, 96, "#1c1a14"), left: 60, top: 310 },
      { input: await drawText(brand.tagline, 40, "#5c5646"), left: 60, top: 440 },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile("public/art/share.jpg");
}

await drawSharePicture();
await sharp(sign, { density: 300 })
  .resize(180, 180)
  .flatten({ background: gold })
  .png({ palette: true })
  .toFile("public/apple-touch-icon.png");
for (const size of [192, 512]) {
  await sharp(sign, { density: 600 }).resize(size, size).png({ palette: true }).toFile(`public/icons/icon-${size}.png`);
  await drawMaskable(size);
}
