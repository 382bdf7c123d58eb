import type { ReactNode } from "react";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import type { Tone } from "#app/ui/tone.ts";

interface CalloutProps {
  tone?: Tone;
  icon?: IconName;
  title?: string;
  /**
   * "alert" for what comes later: a refused form, an answer. Not "status": many screen readers don't say a status that
   * comes together with its text.
   */
  role?: "alert";
  children?: ReactNode;
}

/** The icon of each tone. */
export const usualIcons = {
  gold: "info",
  gray: "info",
  orange: "clock",
  blue: "truck",
  green: "circle-check",
  red: "circle-alert",
} as const satisfies Record<Tone, IconName>;

/** A message within the page. */
export function Callout({ tone = "gray", icon = usualIcons[tone], title, role, children }: CalloutProps) {
  return (
    <div className="callout" data-accent-color={tone} role={role}>
      <div className="callout__icon">
        <Icon name={icon} />
      </div>
      <div className="callout__words">
        {title && <strong className="callout__title">{withWholeAmounts(title)}</strong>}
        {withWholeAmounts(children)}
      </div>
    </div>
  );
}
