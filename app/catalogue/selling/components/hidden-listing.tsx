/** What a seller reads about their listing that nobody else sees. */
import "./hidden-listing.css";
import type { HiddenListing } from "#app/catalogue/products.server.ts";
import { HELD_LABEL, heldBecause, heldSentence } from "#app/catalogue/selling/held-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";

const TAKEN_DOWN = "Our team took this listing down. We've emailed you the reason.";

export function HiddenBadge({ hidden: { heldFor } }: { hidden: HiddenListing }) {
  return (
    <StatusBadge tone={heldFor === null ? "red" : "orange"}>{heldFor === null ? "Taken down" : HELD_LABEL}</StatusBadge>
  );
}

/** One sentence, for a card. */
export function HiddenNote({ hidden: { heldFor } }: { hidden: HiddenListing }) {
  return (
    <p className="own-listing__hidden small">
      {heldFor === null ? TAKEN_DOWN : `Not published yet, ${heldBecause(heldFor)}.`}
    </p>
  );
}

/** For the listing's own page. */
export function HiddenNotice({ hidden: { heldFor } }: { hidden: HiddenListing }) {
  return (
    <Callout tone={heldFor === null ? "red" : "orange"} icon="eye">
      {heldFor === null ? TAKEN_DOWN : `${heldSentence(heldFor)} You can still edit it. Our team sees your changes.`}
    </Callout>
  );
}
