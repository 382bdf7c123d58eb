import "./member.css";
import type { ReactNode } from "react";
import type { Member } from "#app/accounts/member.server.ts";
import { accountTypeLabel } from "#app/accounts/login/account-type.ts";
import { LevelMark } from "./level-mark.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { formatMonth } from "#app/ui/dates.ts";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Badge } from "#app/ui/label-badge.tsx";

interface MemberHeaderProps {
  member: Member;
  /** On phones, shows only the name, so that the content below is in sight. */
  compact?: boolean;
  /** How many products are on their wishlist; undefined when the page doesn't know. */
  wishlist?: number;
  /** More facts as list items, such as links to the reviews about them. */
  reviews?: ReactNode;
  /** More small buttons, next to the others. */
  ways?: ReactNode;
  /** An IconButton for the corner. */
  corner?: ReactNode;
}

/** The head of a profile: name, counts, and buttons to become a seller or go Pro. */
export function MemberHeader({ member, compact, wishlist, reviews, ways, corner }: MemberHeaderProps) {
  const name = member.fullName || "Student";
  return (
    <header className={classNames("member", compact && "member--compact")}>
      <Avatar name={name} url={member.photoUrl} large className="member__initial" />
      <div className="member__words">
        <div className="member__name row">
          <h1>{name}</h1>
          <Badge tone="gold">{accountTypeLabel(member)}</Badge>
          <span className="small">
            <LevelMark level={member.level} />
          </span>
        </div>
        <ul className="member__facts quiet small" role="list">
          <li>
            <Icon name="map-pin" size="small" />
            {member.campusLocation || "Location not specified"}
          </li>
          <li>Member since {formatMonth(member.createdAt)}</li>
        </ul>
        <ul className="member__facts small" role="list">
          {member.isSeller && (
            <li>
              <strong className="numbers">{member.listings > 1000 ? "1,000+" : member.listings}</strong>{" "}
              {member.listings === 1 ? "Listing" : "Listings"}
            </li>
          )}
          {wishlist !== undefined && (
            <li>
              <strong className="numbers">{wishlist}</strong> saved
            </li>
          )}
          {reviews}
        </ul>
      </div>
      <div className="member__ways row">
        <LinkButton to="/profile?tab=settings" size="small" variant="soft" icon="pencil">
          Edit Profile
        </LinkButton>
        {!member.isSeller && (
          <LinkButton to="/become-seller" size="small" variant="soft" icon="store">
            Become a Seller
          </LinkButton>
        )}
        {!member.isPro && (
          <LinkButton to="/subscription" size="small" variant="soft">
            Go Pro
          </LinkButton>
        )}
        {ways}
      </div>
      {corner && <div className="member__corner">{corner}</div>}
    </header>
  );
}
