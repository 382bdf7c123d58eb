import "./member.css";
import { accountTypeLabel } from "#app/accounts/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatMonth } from "#app/ui/dates.ts";
import { Icon } from "#app/ui/icon.tsx";

interface Member {
  fullName: string;
  campusLocation: string | null;
  isSeller: boolean;
  isPro: boolean;
  /** Ms since 1970. */
  createdAt: number;
}

/** Who the profile is of (commerce spec §2, profile). */
export function MemberHeader({ member }: { member: Member }) {
  const name = member.fullName || "Student";
  return (
    <header className="member">
      <span className="member__initial" aria-hidden="true">
        {name.charAt(0)}
      </span>
      <div className="member__words">
        <div className="row">
          <h1>{name}</h1>
          <Badge tone="gold">{accountTypeLabel(member)}</Badge>
        </div>
        <ul className="member__facts quiet small" role="list">
          <li>
            <Icon name="map-pin" size="small" />
            {member.campusLocation || "Location not specified"}
          </li>
          <li>Member since {formatMonth(member.createdAt)}</li>
        </ul>
      </div>
    </header>
  );
}
