import { Link } from "react-router";
import { brand } from "./brand.ts";

/** The gold wordmark with its tagline, leading home. */
export function Wordmark({ to }: { to: string }) {
  return (
    <Link className="wordmark" to={to}>
      <BrandMark />
      <span>
        <span className="wordmark__name">{brand.name}</span>{" "}
        <span className="wordmark__tagline">{brand.tagline}</span>
      </span>
    </Link>
  );
}

/** The sign alone: a shopping bag under a graduation cap, on gold. Drawn the same in public/favicon.svg. */
function BrandMark() {
  return <img className="wordmark__mark" src="/favicon.svg" alt="" width="38" height="38" />;
}
