import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { Tone } from "./tone.ts";

interface BadgeProps {
  tone?: Tone;
  children: ReactNode;
}

/** A small soft label. */
export function Badge({ tone = "gray", children }: BadgeProps) {
  return (
    <span className="rt-Badge rt-r-size-2 rt-variant-soft" data-accent-color={tone}>
      {children}
    </span>
  );
}

/** Marks a person whose documents were approved. `name` is the name in them, if it differs from the one shown. */
export function VerifiedMark({ name }: { name?: string | null }) {
  return (
    <span className="verified">
      <Icon name="badge-check" size="small" />
      {name ? `Verified as ${name}` : "Verified"}
    </span>
  );
}
