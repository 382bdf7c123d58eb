import { type FormEvent, useState } from "react";
import { managePath, type ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { postForm } from "#app/ui/forms/post-form.ts";
import { useLateNavigate } from "#app/ui/browser/use-late-navigate.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { listingChanges } from "./listing-state.ts";

interface Deletable {
  id: string;
  name: string;
  status: ProductStatus;
}

type Answer = { message: string } & ({ ok: true; madeAt: number } | { ok: false });

/**
 * Deletes a listing, below the form that edits it. It asks for confirmation in place, so that it works without scripts,
 * too.
 */
export function DeleteListing({ product: { id, name, status } }: { product: Deletable }) {
  const navigate = useLateNavigate();
  const path = managePath(id);
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = await postForm<Answer>(path, { intent: "delete" });
    if (answer?.ok) {
      // Lists that are remembered for Back still hold it.
      listingChanges.set(new Map(listingChanges.get()).set(id, { from: status, to: null, madeAt: answer.madeAt }));
      toast.success(answer.message);
      return navigate("/myshop", { replace: true });
    }
    toast.error(answer?.message ?? LISTING_TEXTS.delete_failed);
    setBusy(false);
  }
  return (
    <details className="delete-listing" id="delete">
      <summary className="delete-listing__summary">Delete Listing</summary>
      <form method="post" action={path} className="stack" onSubmit={(event) => void send(event)}>
        <input type="hidden" name="intent" value="delete" />
        <input type="hidden" name="from" value="/myshop" />
        <p>{LISTING_TEXTS.delete_question}</p>
        <SubmitButton
          danger
          variant="soft"
          wide={false}
          busy={busy}
          busyLabel="Deleting..."
          aria-label={`Delete Listing: ${name}`}
        >
          Delete Listing
        </SubmitButton>
      </form>
    </details>
  );
}
