/** The pictures worker. The app calls its methods through the binding PICTURES. */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { PictureMaker, PreviewContent } from "#app/catalogue/preview-rules.ts";
import { avifFile } from "#app/catalogue/photo-rules.ts";
import { encodeAvif } from "./codecs.ts";
import { drawPreview } from "./draw-preview.ts";

/** Bindings of the pictures worker, as declared in its `wrangler.toml`. */
export interface PicturesEnv {
  /** Public, content-addressed pictures. */
  MEDIA: R2Bucket;
}

/** Bytes of a photo's file that are read. The variant that a preview or an AVIF is made of is far smaller. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;

export default class Pictures extends WorkerEntrypoint<PicturesEnv> implements PictureMaker {
  /** A photo that is gone, too large or can't be read is left out. */
  async drawPreview(content: PreviewContent): Promise<Uint8Array<ArrayBuffer> | null> {
    const photo = content.photo && (await this.#readFile(content.photo.file));
    try {
      return await drawPreview(content, photo);
    } catch (error) {
      console.error(JSON.stringify({ level: "error", event: "drawing_failed", error: String(error).slice(0, 200) }));
      return null;
    }
  }

  /** Does nothing for a file that is gone, too large or can't be read, or that has an AVIF already. */
  async writeAvif(file: string): Promise<void> {
    const target = avifFile(file);
    if (target === null || (await this.env.MEDIA.head(target))) return;
    const bytes = await this.#readFile(file);
    const avif = bytes && (await encodeAvif(bytes, Number(/(\d+)\.avif$/.exec(target)?.[1])));
    if (!avif || avif.length >= bytes.length) return;
    await this.env.MEDIA.put(target, avif, { httpMetadata: { contentType: "image/avif" } });
  }

  /** Null for a file that is gone or too large. */
  async #readFile(file: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = await this.env.MEDIA.get(file);
    if (found && found.size <= FILE_BYTES_MAX) return new Uint8Array(await found.arrayBuffer());
    await found?.body.cancel();
    return null;
  }

  override fetch(): Response {
    return new Response("Not found", { status: 404 });
  }
}
