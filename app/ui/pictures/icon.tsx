import { classNames } from "#app/ui/class-names.ts";
import type { IconName } from "./icon-names.ts";
import sprite from "./icons.svg?url&no-inline";

interface IconProps {
  name: IconName;
  /** 16 or 24 px instead of 20. */
  size?: "small" | "large";
  filled?: boolean;
}

/** An icon from the shared sprite, hidden from assistive technology. Name the control, not the icon. */
export function Icon({ name, size, filled }: IconProps) {
  return (
    <svg className={classNames("icon", size && `icon--${size}`, filled && "icon--filled")} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
