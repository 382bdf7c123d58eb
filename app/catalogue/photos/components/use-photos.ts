import { useEffect, useReducer, useRef, useState } from "react";
import {
  asFormPhotos,
  changePhotos,
  finishedImages,
  type FormPhoto,
  isUnderWay,
} from "#app/catalogue/photos/photo-list.ts";
import type { sendPhoto } from "#app/catalogue/photos/send-photo.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";
import { toast } from "#app/ui/feedback/toast.ts";

export interface Photos {
  list: readonly FormPhoto[];
  max: number;
  /** The keys of uploaded photos, in order. */
  images: ProductImage[];
  /** Some are still uploading. */
  busy: boolean;
  /** Some couldn't be uploaded. */
  failed: boolean;
  /** Files that are no photos. They aren't in the list, so the form goes without them. */
  refused: readonly string[];
  /** What screen readers announce about the last change. */
  said: string;
  add(files: Iterable<File>): void;
  retry(id: string): void;
  /** Removes a photo, uploaded or not. */
  remove(id: string): void;
  move(id: string, to: number): void;
  /** Replaces all photos. */
  replace(images: readonly ProductImage[]): void;
  /** Shows photos that were kept, unless some were chosen on this page. */
  fill(images: readonly ProductImage[]): void;
}

interface PhotosOf {
  initial: readonly ProductImage[];
  max: number;
  /** Only the two sides of a sale and our team may see them. */
  isPrivate?: boolean;
  /** Each may become the cover of a listing, whose preview chats show. */
  withPreview?: boolean;
  /** Squares of a person or a logo. */
  isPortrait?: boolean;
}

/**
 * The photos of a form. Each is made smaller and uploaded, and then known by its key. Uploads run one after the other,
 * because phones have little memory. Removing a photo cancels its upload.
 */
export function usePhotos({
  initial,
  max,
  isPrivate = false,
  withPreview = false,
  isPortrait = false,
}: PhotosOf): Photos {
  const [list, change] = useReducer(changePhotos, initial, asFormPhotos);
  const [said, say] = useState("");
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [files] = useState(openFiles);
  const running = useRef<{ id: string; abort: AbortController } | null>(null);
  const next = list.find(({ upload }) => upload.phase === "waiting");
  const working = list.some(({ upload }) => upload.phase === "preparing" || upload.phase === "sending");

  useEffect(() => {
    const file = next && files.fileOf(next.id);
    if (!file || working) return;
    const { id, name } = next;
    const abort = new AbortController();
    running.current = { id, abort };
    change({ type: "step", id, upload: { phase: "preparing" } });
    const onProgress = (share: number) => change({ type: "step", id, upload: { phase: "sending", share } });
    makeAndSend(file, withPreview, { isPrivate, isPortrait, signal: abort.signal, onProgress }).then(
      (image) => {
        change({ type: "step", id, upload: { phase: "done", image } });
        say(`${name} uploaded`);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const { words, isOfFile } = readFailure(error);
        say(`${name}: ${words}`);
        if (!isOfFile) return change({ type: "step", id, upload: { phase: "failed", error: words } });
        change({ type: "remove", id });
        setRefused((before) => [...before, `${name}: ${words}`]);
      },
    );
  }, [next, working, files, isPrivate, withPreview, isPortrait]);

  useEffect(
    () => () => {
      running.current?.abort.abort();
      files.revoke();
    },
    [files],
  );

  function forget(id: string): void {
    if (running.current?.id === id) running.current.abort.abort();
    files.forget(id);
  }
  return {
    list,
    max,
    images: finishedImages(list),
    busy: list.some(isUnderWay),
    failed: list.some((photo) => photo.upload.phase === "failed"),
    refused,
    said,
    add(chosen) {
      setRefused([]);
      const all = [...chosen];
      const photos = all.slice(0, Math.max(0, max - list.length)).map(files.add);
      change({ type: "add", photos, max });
      if (photos.length < all.length)
        toast.warning(max === 1 ? "You can add one photo" : `You can add up to ${max} photos`);
    },
    retry: (id) => change({ type: "step", id, upload: { phase: "waiting" } }),
    remove(id) {
      forget(id);
      change({ type: "remove", id });
      say("Photo removed");
    },
    move(id, to) {
      change({ type: "move", id, to });
      say(`Photo moved to position ${Math.min(Math.max(0, to), list.length - 1) + 1} of ${list.length}`);
    },
    replace(images) {
      for (const { id } of list) forget(id);
      change({ type: "replace", photos: asFormPhotos(images) });
    },
    fill: (images) => change({ type: "fill", photos: asFormPhotos(images) }),
  };
}

/** The chosen files and their previews, by the ids of their photos. */
function openFiles() {
  const kept = new Map<string, { file: File; preview: string }>();
  return {
    fileOf: (id: string) => kept.get(id)?.file,
    add(file: File): FormPhoto {
      const id = crypto.randomUUID();
      const preview = URL.createObjectURL(file);
      kept.set(id, { file, preview });
      return { id, name: file.name, preview, upload: { phase: "waiting" } };
    },
    forget(id: string): void {
      URL.revokeObjectURL(kept.get(id)?.preview ?? "");
      kept.delete(id);
    },
    /** Gives the previews' memory back. */
    revoke(): void {
      for (const { preview } of kept.values()) URL.revokeObjectURL(preview);
    },
  };
}

const FAILED = "We couldn't upload the photo. Please try again";

/** What went wrong, in words. `isOfFile`: it is no photo, so trying again doesn't help. */
function readFailure(error: unknown): { words: string; isOfFile: boolean } {
  if (!(error instanceof Error)) return { words: FAILED, isOfFile: false };
  return {
    words: error.name === "PhotoError" ? error.message : FAILED,
    isOfFile: "isOfFile" in error && Boolean(error.isOfFile),
  };
}

/** The code that prepares and sends photos is loaded with the first one. */
async function makeAndSend(
  file: File,
  withPreview: boolean,
  sending: Parameters<typeof sendPhoto>[1],
): Promise<ProductImage> {
  const [{ preparePhoto }, sender] = await Promise.all([
    import("#app/catalogue/photos/prepare-photo.ts"),
    import("#app/catalogue/photos/send-photo.ts"),
  ]).catch((error: unknown) => {
    sayPartMissing();
    throw error;
  });
  const prepared = await preparePhoto(file, { withPreview, isPortrait: sending.isPortrait });
  sending.signal.throwIfAborted();
  sending.onProgress(0);
  return sender.sendPhoto(prepared, sending);
}
