import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";

interface BadgeProps {
  tone?: Tone;
  children: ReactNode;
}

/** A small soft label. */
export function Badge({ tone = "gray", children }: BadgeProps) {
  return (
    <span className="badge" data-accent-color={tone}>
      {children}
    </span>
  );
}
