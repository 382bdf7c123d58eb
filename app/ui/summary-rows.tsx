import "./summary-rows.css";
import type { ReactNode } from "react";
import { withWholeAmounts } from "./amounts.tsx";
import { classNames } from "./class-names.ts";

export interface SummaryRow {
  label: string;
  value: ReactNode;
  total?: boolean;
}

/** Names and amounts, one per line. The total stands out. */
export function SummaryRows({ rows }: { rows: readonly SummaryRow[] }) {
  return (
    <dl className="summary">
      {rows.map((row) => (
        <div key={row.label} className={classNames("summary__row", row.total && "summary__row--total")}>
          <dt>{row.label}</dt>
          <dd>{withWholeAmounts(row.value)}</dd>
        </div>
      ))}
    </dl>
  );
}
