/** The pictures worker. The app calls its methods through the binding PICTURES. */
import { WorkerEntrypoint } from "cloudflare:workers";
import type { PictureMaker, PreviewContent } from "#app/catalogue/preview-rules.ts";
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

  override fetch(): Response {
    return new Response("Not found", { status: 404 });
  }
}
