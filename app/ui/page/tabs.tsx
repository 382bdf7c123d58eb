import type { ReactNode } from "react";
import { Link, type To } from "react-router";
import { useCurrentInView } from "./use-current-in-view.ts";

interface Tab {
  to: To;
  label: string;
  current: boolean;
  /** A count after the label. */
  mark?: ReactNode;
  /** Its `data-tour`, by which the guided tour finds it. */
  tour?: string;
}

/** Tabs as links. The address holds the open one, so they work before scripts load. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useCurrentInView(tabs.find(({ current }) => current)?.label);
  return (
    <nav ref={row} className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <TabLink key={tab.label} {...tab} />
      ))}
    </nav>
  );
}

export function TabLink({ to, label, current, mark, tour }: Tab) {
  return (
    <Link className="tabs__tab" to={to} aria-current={current ? "page" : undefined} preventScrollReset data-tour={tour}>
      {label}
      {mark}
    </Link>
  );
}
