import { use } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { AnswerContext } from "#app/ui/page/answer-context.ts";
import type { IconName } from "./icon-names.ts";
import sprite from "./icons.svg?url&no-inline";

interface IconProps {
  name: IconName;
  /** 16 or 24 px instead of 20. */
  size?: "small" | "large";
  filled?: boolean;
}

/** The oldest browsers know no layers, and so no rule of ours. An icon would be as large as a photo. */
const UNSTYLED_SIZE = { width: 20, height: 20 };

/** An icon from the shared sprite, hidden from assistive technology. Name the control, not the icon. */
export function Icon({ name, size, filled }: IconProps) {
  // Browsers get no plain pages that they render themselves.
  const isPlain = import.meta.env.SSR && use(AnswerContext).plain;
  return (
    <svg
      {...(isPlain && UNSTYLED_SIZE)}
      className={classNames("icon", size && `icon--${size}`, filled && "icon--filled")}
      aria-hidden="true"
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
