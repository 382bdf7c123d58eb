import { Link } from "react-router";
import { Children, type ReactNode } from "react";
import type { To } from "react-router";
import { withWholeAmounts } from "./amounts.tsx";
import { Skeleton } from "./feedback/skeleton.tsx";

export type PhotoShape = "tall" | "square" | "wide";

/** The shape of a photo of this size in the grid. */
export function photoShape(width: number | null | undefined, height: number | null | undefined): PhotoShape {
  if (!width || !height) return "square";
  if (height / width > 1.15) return "tall";
  return height / width < 0.87 ? "wide" : "square";
}

/** Cards in 4, 3 or 2 columns, by the width of the screen. Children have a data-shape, like PhotoCard. */
export function ProductGrid({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="product-grid-box">
      <div className="product-grid" role={label ? "group" : undefined} aria-label={label}>
        {children}
      </div>
    </div>
  );
}

interface PhotoCardProps {
  /** The target of the card. The whole card is this one link. */
  to: To;
  name: ReactNode;
  shape: PhotoShape;
  /** A bare Photo. */
  photo: ReactNode;
  /** A Price. */
  price: ReactNode;
  /** One line of description. */
  note?: ReactNode;
  /** A short fact. */
  fact?: string;
  /** More of them, joined by dots on one line. What has no room is cut off at its end. */
  moreFacts?: readonly ReactNode[];
  /** At the upper left of the photo: StatusBadges. */
  badge?: ReactNode;
  /** At the upper right of the photo. */
  corner?: ReactNode;
  /** At the lower right of the photo: a small button. Or next to the price, why there is none. */
  action?: ReactNode;
  /** Further links at the bottom. */
  foot?: ReactNode;
  /** The heading level of the name: 2 directly below the screen's title, 3 in a section. */
  level?: 2 | 3;
  /** Visible without scrolling. */
  priority?: boolean;
  /**
   * Asks the server for the link's route. One card does it for all cards of a page. Those with `priority` always do.
   */
  discover?: boolean;
}

/**
 * A photo with its price and name. Buttons and links inside stay above the card's own link. All parts are children of
 * the card, which lays them out: a page has many cards, so each element and each class counts.
 */
export function PhotoCard({
  to,
  name,
  shape,
  photo,
  price,
  note,
  fact,
  moreFacts,
  badge,
  corner,
  action,
  foot,
  level = 2,
  priority,
  discover = priority,
}: PhotoCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <article
      className={note ? "photo-card" : "photo-card photo-card--plain"}
      data-shape={shape === "square" ? undefined : shape}
      data-tour={priority ? "product-card" : undefined}
    >
      {photo}
      <Heading>
        <Link to={to} viewTransition discover={discover ? "render" : "none"}>
          {withWholeAmounts(name)}
        </Link>
      </Heading>
      {badge && <div className="photo-card__badge">{badge}</div>}
      {price}
      {action}
      {fact && (
        <p className="facts">
          {moreFacts ? `${fact} ` : fact}
          {Children.map(moreFacts, (more) => more && [<span key="more">{more}</span>, " "])}
        </p>
      )}
      {note && <p>{note}</p>}
      {foot}
      {corner}
    </article>
  );
}

const skeletonShapes: readonly PhotoShape[] = ["square", "tall", "wide", "square", "tall", "square", "square", "wide"];

/** The grid's skeleton while its cards load, with 8 of them by default. */
export function ProductGridSkeleton({ count = skeletonShapes.length }: { count?: number }) {
  return (
    <div aria-busy="true" role="status" aria-label="Loading products">
      <ProductGrid>
        {skeletonShapes.slice(0, count).map((shape, index) => (
          <div key={index} className="photo-card photo-card--plain" data-shape={shape}>
            <span className="skeleton photo" />
            <Skeleton shape="text" className="skeleton--short" />
            <Skeleton shape="text" />
            <Skeleton shape="text" className="skeleton--short" />
          </div>
        ))}
      </ProductGrid>
    </div>
  );
}
