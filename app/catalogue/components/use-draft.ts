import { type RefObject, useEffect, useRef, useState } from "react";
import { clearDraft, draftKey, type ListingDraft, readDraft, writeDraft } from "#app/catalogue/listing-draft.ts";
import { readListingForm } from "#app/catalogue/listing-rules.ts";
import type { ListingDesk } from "#app/catalogue/listings.server.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { Photos } from "./use-photos.ts";

/** How long after the last keystroke a draft is kept, ms. */
const PAUSE_MS = 400;

interface Draft {
  /** What was found when the form opened; null where there was none or it was thrown away. */
  found: ListingDraft | null;
  /** Keeps what the form now holds, in a moment. */
  keep(): void;
  /** Throws the draft away: it was sent, or is not wanted. */
  discard(): void;
}

/** Keeps a form's texts and photos on the device while they differ from what was opened, also when the page closes. */
export function useDraft(desk: ListingDesk, form: RefObject<HTMLFormElement | null>, photos: Photos): Draft {
  const key = draftKey(desk.sellerId, desk.editing ? desk.productId : null);
  const basedOn = desk.editing?.updatedAt ?? null;
  const [found, setFound] = useState<ListingDraft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const begunAt = useRef<number>(undefined);
  const latest = useRef(photos.images);
  const { replace } = photos;
  const restore = useRef(replace);

  useEffect(() => {
    latest.current = photos.images;
  });
  useEffect(() => {
    const draft = readDraft(key, basedOn, Date.now());
    if (!draft) return;
    begunAt.current = draft.begunAt;
    restore.current(draft.images);
    // Only the browser knows of drafts, so that the server's page comes without.
    // oxlint-disable-next-line react/set-state-in-effect
    setFound(draft);
  }, [key, basedOn]);

  function save(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    begunAt.current ??= Date.now();
    if (form.current)
      writeDraft(key, {
        values: readListingForm(new FormData(form.current)),
        images: latest.current,
        basedOn,
        begunAt: begunAt.current,
      });
  }
  const saveNow = useRef(save);
  useEffect(() => {
    saveNow.current = save;
  });
  useEffect(() => {
    const flush = () => timer.current && saveNow.current();
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      clearTimeout(timer.current);
    };
  }, []);

  const keys = keysOf(photos.images);
  const keptKeys = useRef(keys);
  useEffect(() => {
    if (keptKeys.current === keys) return;
    keptKeys.current = keys;
    keepSoon();
  });

  function keepSoon(): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => saveNow.current(), PAUSE_MS);
  }
  return {
    found,
    keep: keepSoon,
    discard() {
      clearTimeout(timer.current);
      timer.current = undefined;
      begunAt.current = undefined;
      // The photos that come back now are no change of anybody's.
      keptKeys.current = keysOf(desk.editing?.images ?? []);
      clearDraft(key);
      setFound(null);
    },
  };
}

function keysOf(images: readonly ProductImage[]): string {
  return images.map(({ key }) => key).join(" ");
}
