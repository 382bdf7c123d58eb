import { Children, type ReactNode } from "react";
import { type To } from "react-router";
import { classNames } from "./class-names.ts";
import { Link } from "./link.tsx";
import { Skeleton } from "./skeleton.tsx";

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
  /** A Photo with `fill`. */
  photo: ReactNode;
  price: ReactNode;
  /** One line of description. */
  note?: ReactNode;
  /** Short facts, joined by dots on one line. */
  facts?: readonly ReactNode[];
  /** At the upper left of the photo: a StatusBadge. */
  badge?: ReactNode;
  /** At the upper right of the photo: a PhotoButton. */
  corner?: ReactNode;
  /** Next to the price: small buttons. */
  actions?: ReactNode;
  /** A second link at the bottom. */
  foot?: ReactNode;
  /** The heading level of the name: 2 directly below the screen's title, 3 in a section. */
  level?: 2 | 3;
}

/** A photo with its price and name. Buttons and links inside stay above the card's own link. */
export function PhotoCard({
  to,
  name,
  shape,
  photo,
  price,
  note,
  facts,
  badge,
  corner,
  actions,
  foot,
  level = 2,
}: PhotoCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <article
      className={classNames("photo-card", Boolean(note || actions || foot) && "photo-card--rich")}
      data-shape={shape}
      data-tour="product-card"
    >
      <div className="photo-card__photo">
        {photo}
        {badge && <div className="photo-card__badge">{badge}</div>}
      </div>
      <div className="photo-card__words">
        <div className="photo-card__first">
          {price}
          {actions && <div className="photo-card__actions">{actions}</div>}
        </div>
        <Heading className="photo-card__name">
          <Link className="photo-card__link" to={to} viewTransition>
            {name}
          </Link>
        </Heading>
        {note && <p className="photo-card__note">{note}</p>}
        {facts && <p className="photo-card__facts">{Children.map(facts, (fact) => fact && <span>{fact} </span>)}</p>}
        {foot && <div className="photo-card__foot">{foot}</div>}
      </div>
      {corner && <div className="photo-card__corner">{corner}</div>}
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
          <div key={index} className="photo-card" data-shape={shape}>
            <div className="photo-card__photo">
              <span className="skeleton photo photo--fill" />
            </div>
            <div className="photo-card__words">
              <Skeleton shape="text" className="skeleton--short" />
              <Skeleton shape="text" />
              <Skeleton shape="text" className="skeleton--short" />
            </div>
          </div>
        ))}
      </ProductGrid>
    </div>
  );
}
