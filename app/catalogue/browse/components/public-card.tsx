import "./public-card.css";
import type { ReactNode } from "react";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import type { PublicListing } from "#app/catalogue/browse/public-listings.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { Price } from "#app/ui/price.tsx";
import { publicPhoto } from "#app/catalogue/photos/components/public-photo.ts";

/** The width of a card's photo, in 4, 3 or 2 columns. As on a member's card, a phone takes the smallest photo. */
const SIZES = "(max-width: 768px) 24vw, (max-width: 1024px) 31vw, 280px";

/** The cards of a public page, in 4, 3 or 2 columns. */
export function PublicCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="public-cards" role="list" aria-label={label}>
      {children}
    </ul>
  );
}

/**
 * A product for sale. It leads to its public page, and works without scripts. `priority`: visible without scrolling.
 */
export function PublicCard({ listing, priority }: { listing: PublicListing; priority?: boolean }) {
  const saver = useDataSaver();
  return (
    <li>
      <a className="public-card" href={publicProductPath(listing)}>
        <img {...publicPhoto(listing.image, { sizes: SIZES, saver, priority })} className="public-card__photo" alt="" />
        <span className="public-card__name">{listing.name}</span>
        <Price amount={listing.price} original={listing.originalPrice} />
        <span className="public-card__facts">
          {[listing.condition && CONDITION_LABELS[listing.condition], listing.location, listing.stockLabel]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </a>
    </li>
  );
}
