import { NavLink } from "react-router";
import type { ComponentProps, ReactNode } from "react";

/** A link in a row of choices, such as categories; marks the current page. */
export function ChipLink(props: ComponentProps<typeof NavLink>) {
  return <NavLink {...props} className="chip" />;
}

/** A row of chips that scrolls sideways. */
export function ChipRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className="chip-row" aria-label={label}>
      {children}
    </nav>
  );
}

/** A short fact: condition, campus. */
export function Chip({ children }: { children: ReactNode }) {
  return <span className="chip-quiet">{children}</span>;
}
