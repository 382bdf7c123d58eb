import "#app/ui/summary-rows.css";
import "./orders.css";
import { PhotoStrip } from "#app/catalogue/photos/components/photo-strip.tsx";
import { type Change, changeWords } from "#app/catalogue/change-words.ts";
import type { OrderedListing } from "#app/orders/ordered-listing.server.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

interface OrderedListingProps {
  /** Null where the copy was erased. */
  ordered: OrderedListing | null;
  name: string;
}

/** A listing as it was ordered, and what its seller has changed since. */
export function OrderedListingFacts({ ordered, name }: OrderedListingProps) {
  if (!ordered) return null;
  return (
    <>
      {ordered.changes.length > 0 && <ChangesNotice changes={ordered.changes} />}
      <details className="ordered">
        <summary>As it was ordered</summary>
        <div className="stack">
          <SummaryRows rows={ordered.facts} />
          {ordered.description !== "" && <p className="ordered__words">{ordered.description}</p>}
          {ordered.policies !== "" && <ShopWords title="The shop's policies" words={ordered.policies} />}
          {ordered.about !== "" && <ShopWords title="About the shop" words={ordered.about} />}
          <PhotoStrip label="Photos when it was ordered" images={ordered.images} name={name} />
        </div>
      </details>
    </>
  );
}

function ShopWords({ title, words }: { title: string; words: string }) {
  return (
    <div>
      <p className="quiet small">{title}</p>
      <p className="ordered__words">{words}</p>
    </div>
  );
}

function ChangesNotice({ changes }: { changes: readonly Change[] }) {
  return (
    <Callout tone="orange" icon="info">
      Changed since the order: {changes.map(changeWords).join("; ")}. What was ordered counts.
    </Callout>
  );
}
