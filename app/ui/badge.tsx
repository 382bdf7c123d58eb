import type { ReactNode } from "react";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { Icon } from "./pictures/icon.tsx";
import type { Tone } from "./tone.ts";

interface BadgeProps {
  tone: Tone;
  children: ReactNode;
}

/** A status in its colour, with a dot: orange processing, blue in transit, green delivered or paid, red failed. */
export function StatusBadge({ tone, children }: BadgeProps) {
  return (
    <span className="badge status-badge" data-accent-color={tone}>
      {children}
    </span>
  );
}

/** A number on an icon: nothing at zero, "99+" above 99. The control's label must say what it counts. */
export function CountBadge({ count }: { count: number }) {
  if (count < 1) return null;
  return (
    <span className="count" aria-hidden="true">
      {count > 99 ? "99+" : count}
    </span>
  );
}

/** Marks a shop with a running plan, and its listings. */
export function FeaturedMark() {
  return (
    <span className="badge featured-mark" data-accent-color="gold">
      <Icon name="star" size="small" filled />
      {OWN_LABELS.badges.featured}
    </span>
  );
}
