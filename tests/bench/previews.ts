import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import sharp from "sharp";
import type { PictureMaker, PreviewContent } from "#app/catalogue/preview-rules.ts";
import { root } from "#scripts/folders.ts";
import { builtWorker } from "#scripts/serve.ts";
import { findWorkerd, readUsage } from "./workerd.ts";

interface PreviewMeasure {
  photo: string;
  /** Bytes of the photo's file and of its preview. */
  photoBytes: number;
  bytes: number;
  /** CPU time of workerd for one preview, after the first. */
  cpuMs: number;
  /** CPU time of the first preview, which compiles the WebAssembly. */
  firstCpuMs: number;
  /** The most memory that workerd had in use, beyond what it has without a preview, in MB. */
  memoryMb: number;
}

const RUNS = 20;
const WORKER = "chuoni-pictures";

const CONTENT: Omit<PreviewContent, "photo"> = {
  name: "Casio fx-991EX Classwiz scientific calculator, hardly used",
  price: 1_500,
  originalPrice: 2_200,
  condition: "like_new",
  location: "Main Campus",
};

type Format = "webp" | "jpeg" | "png";

/** A photo of random pixels costs a decoder and an encoder more than any real one. */
async function noise(width: number, height: number, format: Format): Promise<Buffer> {
  const picture = sharp({
    create: { width, height, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 60 } },
  });
  return picture.toFormat(format, format === "png" ? {} : { quality: 80 }).toBuffer();
}

/** How much the preview of a listing costs in the pictures worker, for photos of several formats and sizes. */
export async function measurePreviews(): Promise<PreviewMeasure[]> {
  const real = readFileSync(join(root, "docs/marketplace.webp"));
  const photos: [string, Buffer | null][] = [
    ["none", null],
    ["WebP 1280 wide, a screenshot", real],
    ["WebP 800 × 1067, noise", await noise(800, 1067, "webp")],
    ["JPEG 800 × 1067, noise", await noise(800, 1067, "jpeg")],
    ["PNG 800 × 1067, noise", await noise(800, 1067, "png")],
    ["WebP 800 × 2400, noise", await noise(800, 2400, "webp")],
    ["JPEG 2048 × 1536, noise", await noise(2048, 1536, "jpeg")],
    ["PNG 2048 × 1536, noise", await noise(2048, 1536, "png")],
    ["WebP 2048 × 1536, noise", await noise(2048, 1536, "webp")],
  ];
  const measures: PreviewMeasure[] = [];
  for (const [name, photo] of photos) measures.push(await measureOne(name, photo));
  return measures;
}

async function measureOne(photo: string, bytes: Buffer | null): Promise<PreviewMeasure> {
  // A new workerd for each, because WebAssembly never gives memory back.
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [builtWorker("pictures", {})],
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
    }),
  );
  await miniflare.ready;
  try {
    const workerd = await findWorkerd();
    if (bytes) await (await miniflare.getR2Bucket("MEDIA", WORKER)).put("img/a/800.webp", bytes);
    const pictures = (await miniflare.getWorker(WORKER)) as unknown as PictureMaker;
    const content = { ...CONTENT, photo: bytes ? { file: "img/a/800.webp", tone: "#d8d4cc" } : null };
    const before = readUsage(workerd);
    const preview = await pictures.drawPreview(content);
    const first = readUsage(workerd);
    for (let run = 0; run < RUNS; run += 1) await pictures.drawPreview(content);
    const last = readUsage(workerd);
    return {
      photo,
      photoBytes: bytes?.length ?? 0,
      bytes: preview?.length ?? 0,
      firstCpuMs: first.cpuMs - before.cpuMs,
      cpuMs: (last.cpuMs - first.cpuMs) / RUNS,
      memoryMb: last.peakMb - before.mb,
    };
  } finally {
    await miniflare.dispose();
  }
}

export function printPreviews(measures: readonly PreviewMeasure[]): void {
  console.log("\nPreviews: the pictures worker in workerd");
  console.table(
    measures.map(({ photo, photoBytes, bytes, firstCpuMs, cpuMs, memoryMb }) => ({
      photo,
      "photo, KB": Math.round(photoBytes / 1000),
      "preview, KB": Math.round(bytes / 1000),
      "first, ms CPU": Math.round(firstCpuMs),
      "next, ms CPU": Math.round(cpuMs),
      "memory, MB": Math.round(memoryMb),
    })),
  );
}
