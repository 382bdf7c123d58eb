import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  clearDraft,
  hasNewPhotos,
  type ListingDraft,
  readDraft,
  writeDraft,
} from "#app/catalogue/selling/listing-draft.ts";
import {
  changedFields,
  type ListingValues,
  mergeDraft,
  readListingForm,
} from "#app/catalogue/selling/listing-form-rules.ts";
import type { ListingEditor } from "#app/catalogue/selling/listings.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { OPENED } from "#app/platform/edit-rules.ts";
import { fillForm } from "#app/ui/forms/fill-control.ts";
import type { Photos } from "#app/catalogue/photos/components/use-photos.ts";

/** How long after the last keystroke a draft is saved, in ms. */
const PAUSE_MS = 400;

interface FoundDraft {
  /** What a draft held that was found when the form opened, and not discarded since; null without one. */
  restored: ListingValues | null;
  /**
   * The product's id. It stays the same when the page reloads its data, because the first answer may have been lost,
   * and a listing that is sent again is listed once.
   */
  productId: string;
  /**
   * The stock that the seller saw, with the draft or when the form opened. When the page reloads its data, the number
   * in the form stays, so this stays, too.
   */
  stockSeen: string;
  /** The same for what an edit was opened with (`writeOpened`), so that a sale or another edit meanwhile is merged. */
  opened: string | null;
}

export interface Draft extends FoundDraft {
  /** Saves the form's values, after a short pause. */
  keep(): void;
  /** Deletes the draft, because the form was sent. The form keeps its values. */
  forget(): void;
  /** Gives the draft another id, because its own is that of a listing. */
  renew(): void;
  /** Deletes the draft, and resets the form. */
  discard(): void;
}

interface DraftOf {
  editor: ListingEditor;
  /** What the form holds at first. */
  first: ListingValues;
  /** What an edit opens with (`writeOpened`); null for a new listing. */
  opens: string | null;
  /** The form came back with errors and what was typed, which a draft is older than. */
  isAnswered: boolean;
  form: RefObject<HTMLFormElement | null>;
  photos: Photos;
}

/**
 * Saves a form's texts and photos on the device while they differ from their first values, also when the page closes. A
 * draft fills in the form without replacing it, because somebody may be typing in it since before this script came.
 */
export function useDraft({ editor, first, opens, isAnswered, form, photos }: DraftOf): Draft {
  const editedId = editor.editing ? editor.productId : null;
  const without = { restored: null, productId: editor.productId, stockSeen: first.stockSeen, opened: opens };
  const [found, setFound] = useState<FoundDraft>(without);
  // Undefined while no photo has been added.
  const begunAt = useRef<number>(undefined);
  const latest = useRef(photos.images);
  const restoreNow = useRef<typeof restore>(undefined);

  useEffect(() => {
    latest.current = photos.images;
    restoreNow.current = restore;
  });
  useEffect(
    () => restoreNow.current?.(readDraft(editedId, Date.now())),
    // Once: a version that is loaded later has no draft yet.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [],
  );

  function restore(draft: ListingDraft | null): void {
    if (!form.current) return;
    const { elements } = form.current;
    const now = readListingForm(new FormData(form.current));
    // Typed before this script came, or with the answer.
    const typed = changedFields(first, now).filter((field) => elements.namedItem(field));
    if (typed.length > 0 || isAnswered) saving.soon();
    if (!draft || isAnswered) return;
    if (hasNewPhotos(draft)) begunAt.current = draft.begunAt;
    const values = mergeDraft(draft.values, now, typed);
    photos.fill(draft.images);
    fillForm(form.current, { ...values });
    setFound({ restored: values, productId: draft.productId, stockSeen: values.stockSeen, opened: draft.opened });
  }
  function save(): void {
    if (!form.current) return;
    const fields = new FormData(form.current);
    const sent = fields.get(OPENED);
    const kept = { images: latest.current, opened: typeof sent === "string" ? sent : null };
    begunAt.current = hasNewPhotos(kept) ? (begunAt.current ?? Date.now()) : undefined;
    writeDraft(editedId, {
      productId: found.productId,
      values: readListingForm(fields),
      ...kept,
      begunAt: begunAt.current ?? Date.now(),
    });
  }
  const saving = useSaving(save);

  const keys = keysOf(photos.images);
  const keptKeys = useRef(keys);
  useEffect(() => {
    if (keptKeys.current === keys) return;
    keptKeys.current = keys;
    saving.soon();
  });

  function forget(): void {
    saving.cancel();
    clearDraft(editedId);
  }
  return {
    ...found,
    keep: saving.soon,
    forget,
    renew() {
      setFound({ ...found, productId: crypto.randomUUID() });
      saving.soon();
    },
    discard() {
      forget();
      begunAt.current = undefined;
      // The photos that are restored now aren't a change of the user's.
      keptKeys.current = keysOf(editor.editing?.images ?? []);
      setFound(without);
    },
  };
}

/** Saves after a short pause, or at once where somebody leaves before it is over. */
function useSaving(save: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  function cancel(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
  }
  const saveNow = useRef(save);
  useEffect(() => {
    saveNow.current = () => {
      cancel();
      save();
    };
  });
  useEffect(() => {
    const flush = () => timer.current && saveNow.current();
    window.addEventListener("pagehide", flush);
    return () => window.removeEventListener("pagehide", flush);
  }, []);
  // A link leads away before the pause is over. Later than this, the form's fields are gone.
  useLayoutEffect(() => () => void (timer.current && saveNow.current()), []);
  return {
    soon(): void {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => saveNow.current(), PAUSE_MS);
    },
    cancel,
  };
}

function keysOf(images: readonly ProductImage[]): string {
  return images.map(({ key }) => key).join(" ");
}
