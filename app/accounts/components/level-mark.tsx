import "./verified.css";
import { Link } from "react-router";
import { LEVELS, type VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { Tone } from "#app/ui/tone.ts";

export const LEVEL_LOOKS: Record<keyof typeof LEVELS, { icon: IconName; tone: Tone }> = {
  email: { icon: "mail-check", tone: "gray" },
  student: { icon: "graduation-cap", tone: "green" },
  business: { icon: "badge-check", tone: "blue" },
};

export interface LevelMarkProps {
  level: VerifiedLevel;
  /** The name in the documents, if it differs from the one shown. */
  name?: string | null;
  /** It stands in a link, so it leads nowhere. */
  inLink?: boolean;
}

/** Marks what has been verified about somebody, and leads to what that means. */
export function LevelMark({ level, name, inLink }: LevelMarkProps) {
  if (level === "none") return null;
  const { title } = LEVELS[level];
  const { icon, tone } = LEVEL_LOOKS[level];
  const mark = (
    <>
      <Icon name={icon} size="small" />
      {name ? `${title}: ${name}` : title}
    </>
  );
  return inLink ? (
    <span className="verified" data-accent-color={tone}>
      {mark}
    </span>
  ) : (
    <Link className="verified" data-accent-color={tone} to="/verified">
      {mark}
    </Link>
  );
}
