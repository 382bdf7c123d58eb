/** How the form of a listing is sent, and what follows. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { FetcherWithComponents } from "react-router";
import type { ListingErrors, ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import type { Photos } from "#app/catalogue/photos/components/use-photos.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { useLateNavigate } from "#app/ui/browser/use-late-navigate.ts";
import { withJust } from "#app/ui/feedback/just.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import type { FieldErrors } from "#app/ui/forms/use-field-errors.ts";

export interface ListingRefusal {
  ok: false;
  code?: "posted" | "newcomer";
  /** Of the listing that has the form's id. */
  productId?: string;
  errors: ListingErrors;
  values?: ListingValues;
  images?: ProductImage[];
  /** The serial number that was typed. */
  serial?: string;
  opened?: string;
}

interface Acceptance {
  ok: true;
  productId: string;
  message: string;
  /** A new listing that buyers see now. */
  isLive: boolean;
}

/** The answer of the form's address. */
export type ListingAnswer = Acceptance | ListingRefusal;

type Saving = FetcherWithComponents<ListingAnswer>;

/** Checks the form before it is sent. Its script loads when the seller begins to write. */
type FindErrors = (form: FormData) => ListingErrors;

/** If that script doesn't load, the server alone checks the form. */
const findNone: FindErrors = () => ({});

interface SendingOf {
  saving: Saving;
  /** Where the form is sent. */
  action: string;
  errors: FieldErrors;
  photos: Photos;
  /** No new category is being added. */
  isSettled: boolean;
}

/** Sends the form without leaving the page, once nothing of it is under way and no error is found. */
export function useSending({ saving, action, errors, photos, isSettled }: SendingOf) {
  // The button was pressed before the checks had come, or while photos were still uploading. The form is sent
  // afterwards.
  const [pressed, setPressed] = useState(false);
  const [findErrors, setFindErrors] = useState<FindErrors | null>(null);
  const underWay = !findErrors || photos.busy || !isSettled;
  const { ref: form } = errors.form;

  useEffect(() => {
    if (pressed && !underWay) form.current?.requestSubmit();
  }, [pressed, underWay, form]);

  async function loadChecks(): Promise<void> {
    const { findListingErrors } = await import("#app/catalogue/selling/listing-rules.ts");
    setFindErrors(() => findListingErrors);
  }
  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (saving.state !== "idle") return;
    setPressed(!findErrors);
    if (!findErrors) return void loadChecks().catch(() => setFindErrors(() => findNone));
    const sent = new FormData(event.currentTarget);
    const found: ListingErrors = {
      ...findErrors(sent),
      ...(photos.failed && { photos: "Try uploading the photo again, or remove it" }),
    };
    if (Object.keys(found).length > 0) return errors.show(found);
    if (underWay) return setPressed(true);
    sent.delete("photoFile");
    sent.append("scripted", "yes");
    void saving.submit(sent, { method: "post", action, encType: "multipart/form-data" });
  }
  return {
    send,
    loadChecks: () => void loadChecks().catch(() => undefined),
    isBusy: saving.state !== "idle" || (pressed && underWay),
    busyLabel: pressed && photos.busy ? "Waiting for photos..." : "Saving...",
  };
}

/** Deletes the draft of a listing that is saved, says so, and goes on: to the product, unless `onSaved` does it. */
export function useOnceSaved(saving: Saving, forgetDraft: () => void, onSaved?: (productId: string) => void): void {
  const navigate = useLateNavigate();
  // The draft is deleted as soon as the listing is saved. On a slow network the screen's data takes longer, and the
  // seller may leave before it arrives.
  const accepted = saving.data?.ok === true;
  const forget = useRef(forgetDraft);
  useEffect(() => {
    forget.current = forgetDraft;
  });
  useEffect(() => {
    if (accepted) forget.current();
  }, [accepted]);

  // Navigating while the router still reloads the screen's data would end at the right address with the wrong screen.
  const saved = saving.data?.ok && saving.state === "idle" ? saving.data : null;
  const finish = useRef<(done: Acceptance) => void>(undefined);
  useEffect(() => {
    finish.current = ({ productId, message, isLive }) => {
      forgetDraft();
      if (!isLive) toast.success(message);
      onSaved?.(productId);
      if (isLive) navigate(withJust(`/product/${productId}`, "listed"));
      else if (!onSaved) navigate(`/product/${productId}`);
    };
  });
  useEffect(() => {
    if (saved) finish.current?.(saved);
  }, [saved]);
}
