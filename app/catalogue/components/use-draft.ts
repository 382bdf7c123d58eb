import { type RefObject, useEffect, useRef, useState } from "react";
import { clearDraft, type ListingDraft, readDraft, writeDraft } from "#app/catalogue/listing-draft.ts";
import { readListingForm } from "#app/catalogue/listing-form-rules.ts";
import type { ListingEditor } from "#app/catalogue/listings.server.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { Photos } from "./use-photos.ts";

/** How long after the last keystroke a draft is saved, in ms. */
const PAUSE_MS = 400;

interface Draft {
  /** The draft that was found when the form opened; null when there was none or it was discarded. */
  found: ListingDraft | null;
  /** Saves the form's values, after a short pause. */
  keep(): void;
  /** Deletes the draft, because the form was sent. The form keeps its values. */
  forget(): void;
  /** Deletes the draft, and resets the form. */
  discard(): void;
}

/**
 * Saves a form's texts and photos on the device while they differ from their first values, also when the page closes.
 */
export function useDraft(editor: ListingEditor, form: RefObject<HTMLFormElement | null>, photos: Photos): Draft {
  const editedId = editor.editing ? editor.productId : null;
  const basedOn = editor.editing?.updatedAt ?? null;
  const [found, setFound] = useState<ListingDraft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const begunAt = useRef<number>(undefined);
  const productId = useRef(editor.productId);
  const latest = useRef(photos.images);
  const { replace } = photos;
  const restore = useRef(replace);

  useEffect(() => {
    latest.current = photos.images;
  });
  useEffect(() => {
    const draft = readDraft(editedId, basedOn, Date.now());
    if (!draft) return;
    begunAt.current = draft.begunAt;
    productId.current = draft.productId;
    restore.current(draft.images);
    // Only the browser knows of drafts, so the server's page has none.
    // oxlint-disable-next-line react/set-state-in-effect
    setFound(draft);
  }, [editedId, basedOn]);

  function save(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    begunAt.current ??= Date.now();
    if (form.current)
      writeDraft(editedId, {
        productId: productId.current,
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
  function forget(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    clearDraft(editedId);
  }
  return {
    found,
    keep: keepSoon,
    forget,
    discard() {
      forget();
      begunAt.current = undefined;
      productId.current = editor.productId;
      // The photos that are restored now aren't a change of the user's.
      keptKeys.current = keysOf(editor.editing?.images ?? []);
      setFound(null);
    },
  };
}

function keysOf(images: readonly ProductImage[]): string {
  return images.map(({ key }) => key).join(" ");
}
