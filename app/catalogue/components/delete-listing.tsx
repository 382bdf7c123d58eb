import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { LISTING_TEXTS } from "#app/catalogue/listing-texts.ts";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { managePath, useManageListing } from "./listing-changes.ts";

/**
 * Deletes a listing, below the form that edits it. It asks for confirmation in place, so that it works without scripts,
 * too.
 */
export function DeleteListing({ productId, name }: { productId: string; name: string }) {
  const { remove } = useManageListing({ id: productId, status: "active" });
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    if (await remove()) return navigate("/myshop", { replace: true });
    setBusy(false);
  }
  return (
    <details className="delete-listing" id="delete">
      <summary className="delete-listing__summary">Delete Listing</summary>
      <form method="post" action={managePath(productId)} className="stack" onSubmit={(event) => void send(event)}>
        <input type="hidden" name="intent" value="delete" />
        <input type="hidden" name="from" value="/myshop" />
        <p>{LISTING_TEXTS.delete_question}</p>
        <SubmitButton
          tone="red"
          variant="soft"
          wide={false}
          size="medium"
          busy={busy}
          busyLabel="Deleting..."
          aria-label={`Delete ${name}`}
        >
          Delete Listing
        </SubmitButton>
      </form>
    </details>
  );
}
