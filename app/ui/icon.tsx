import { classNames } from "./class-names.ts";
import type { IconName } from "./icon-names.ts";
import sprite from "./icons.svg?url&no-inline";

interface IconProps {
  name: IconName;
  /** 16, 20 (default) or 24 px. */
  size?: "small" | "medium" | "large";
  filled?: boolean;
}

/** An icon from the shared sprite, hidden from assistive technology. Name the control, not the icon. */
export function Icon({ name, size = "medium", filled }: IconProps) {
  return (
    <svg
      className={classNames("icon", `icon--${size}`, filled && "icon--filled")}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
