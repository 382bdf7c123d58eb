import "./payments.css";
import "./seller-money.css";
import type { ReactNode } from "react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatSigned } from "#app/ui/money.ts";
import { brand } from "#app/ui/page/brand.ts";

interface PaperProps {
  /** What it is: "Receipt". */
  kind: string;
  title: string;
  /** What stands below the title. */
  line: ReactNode;
  children: ReactNode;
}

/** A sheet with our letterhead, to read and to print. */
export function Paper({ kind, title, line, children }: PaperProps) {
  return (
    <section className="paper" aria-labelledby="paper-title">
      <p className="paper__letterhead" aria-hidden="true">
        <strong>{brand.name}</strong> {brand.tagline}
        <span>{kind}</span>
      </p>
      <header className="paper__head">
        <h2 id="paper-title">{title}</h2>
        <p className="paper__brand">{line}</p>
      </header>
      {children}
    </section>
  );
}

interface PaperLineProps {
  what: ReactNode;
  /** KES, with its sign. */
  amount: number;
  /** Facts that aren't known are left out. */
  facts: readonly (string | null)[];
  /** What stands below the amount. */
  below?: string;
}

/** A line of money on a sheet, in a list `money-lines`. */
export function PaperLine({ what, amount, facts, below }: PaperLineProps) {
  return (
    <li>
      <p className="money-line__row">
        <span>{what}</span>
        <strong className="money-line__amount">{formatSigned(amount)}</strong>
      </p>
      <p className="money-line__row money-line__facts">
        <span>{facts.filter((fact) => fact !== null).join(", ")}</span>
        {below && <span className="money-line__amount">{below}</span>}
      </p>
    </li>
  );
}

/** What can be done with a sheet. `csv`: the address of its file. */
export function PaperActions({ csv }: { csv?: string }) {
  return (
    <div className="confirmation__next">
      {csv && (
        <LinkButton to={csv} reloadDocument variant="soft">
          Download CSV
        </LinkButton>
      )}
      <Button className="scripted" variant="ghost" icon="printer" onClick={() => window.print()}>
        Print
      </Button>
    </div>
  );
}
