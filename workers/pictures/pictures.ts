/** The pictures worker. The app calls its methods through the binding PICTURES. */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { PictureMaker, PreviewContent } from "#app/catalogue/preview-rules.ts";
import { avifFile } from "#app/catalogue/photo-rules.ts";
import { encodeAvif, readPixels } from "./codecs.ts";
import { drawPreview } from "./draw-preview.ts";

/** Bindings of the pictures worker, as declared in its `wrangler.toml`. */
export interface PicturesEnv {
  /** Public, content-addressed pictures. */
  MEDIA: R2Bucket;
}

export default class Pictures extends WorkerEntrypoint<PicturesEnv> implements PictureMaker {
  /** Draws a preview. A photo that is gone or can't be read is left out. */
  async drawPreview(content: PreviewContent): Promise<Uint8Array<ArrayBuffer>> {
    const file = content.photo && (await this.env.MEDIA.get(content.photo.file));
    return drawPreview(content, file ? new Uint8Array(await file.arrayBuffer()) : null);
  }

  /** Does nothing for a file that is gone, can't be read, or has an AVIF already. */
  async writeAvif(file: string): Promise<void> {
    const target = avifFile(file);
    if (target === null || (await this.env.MEDIA.head(target))) return;
    const found = await this.env.MEDIA.get(file);
    if (!found) return;
    const bytes = new Uint8Array(await found.arrayBuffer());
    const pixels = await readPixels(bytes);
    // A decoder that ignored the camera's orientation would show it sideways.
    const avif = pixels && target.endsWith(`/${pixels.width}.avif`) && (await encodeAvif(pixels));
    if (!avif || avif.length >= bytes.length) return;
    await this.env.MEDIA.put(target, avif, { httpMetadata: { contentType: "image/avif" } });
  }

  override fetch(): Response {
    return new Response("Not found", { status: 404 });
  }
}
