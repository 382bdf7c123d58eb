import type { ReactNode } from "react";

/** One part of the page, with the name of its file in app/ui. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="stack">
      <h2>{name}</h2>
      {children}
    </section>
  );
}

/** A line of samples that wraps. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="row">{children}</div>;
}
