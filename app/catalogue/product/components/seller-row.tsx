import "./seller-row.css";
import type { ComponentProps } from "react";
import { Link } from "react-router";
import { LevelMark } from "#app/accounts/components/level-mark.tsx";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import { FeaturedMark } from "#app/ui/badge.tsx";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Rating } from "#app/ui/rating.tsx";

interface SellerRowProps {
  /** Their shop's page. */
  href: string;
  name: string;
  /** Their face or logo. */
  picture: Pick<ComponentProps<typeof Avatar>, "name" | "url">;
  /** What somebody checked about them, beyond an email address. */
  verified: VerifiedLevel | null;
  /** The verified name of a business, if it differs from `name`. */
  verifiedAs: string | null;
  featured: boolean | undefined;
  rating: ComponentProps<typeof Rating>["rating"];
  /** What stands beside the rating, such as their campus. */
  facts: readonly (string | null)[];
  /** How fast they answer; null when too few have asked. */
  answers: string | null;
}

/** Who sells a product, as one way to their shop. */
export function SellerRow({
  href,
  name,
  picture,
  verified,
  verifiedAs,
  featured,
  rating,
  facts,
  answers,
}: SellerRowProps) {
  return (
    <section aria-label="Seller">
      <Link className="seller-row" to={href}>
        <Avatar {...picture} />
        <span className="seller-row__words">
          <span className="seller-row__line">
            <span className="seller-row__name">{name}</span>
            {verified && <LevelMark level={verified} name={verifiedAs} inLink />}
            {featured && <FeaturedMark />}
          </span>
          <span className="quiet">
            <Rating rating={rating} />
            {["", ...facts].filter((part) => part !== null).join(" · ")}
          </span>
          {answers && <span className="quiet">{answers}</span>}
        </span>
        <span className="seller-row__go">
          View Shop
          <Icon name="chevron-right" size="small" />
        </span>
      </Link>
    </section>
  );
}
