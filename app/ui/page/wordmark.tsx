import { Link, type LinkProps } from "react-router";
import { brand } from "./brand.ts";
import sprite from "#app/ui/pictures/icons.svg?url&no-inline";

/**
 * The gold wordmark with its tagline. It links to the home page, or visitors to the front page, which is a document of
 * its own.
 */
export function Wordmark(link: Pick<LinkProps, "to" | "reloadDocument">) {
  return (
    <Link className="wordmark" {...link}>
      <BrandMark />
      <span className="wordmark__words">
        <span className="wordmark__name">{brand.name}</span> <span className="wordmark__tagline">{brand.tagline}</span>
      </span>
    </Link>
  );
}

/** The logo alone: a shopping bag under a graduation cap, on gold. The drawing is public/favicon.svg. */
export function BrandMark() {
  return (
    <svg className="wordmark__mark" viewBox="0 0 64 64" width="38" height="38" aria-hidden="true">
      <use href={`${sprite}#sign`} />
    </svg>
  );
}
