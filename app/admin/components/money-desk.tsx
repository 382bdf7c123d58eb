import type { ReactNode } from "react";
import type { MoneyList, MoneyPage } from "#app/admin/money.server.ts";
import { Desk, FilterLinks } from "./desk-parts.tsx";

interface MoneyDeskProps {
  counts: MoneyPage["counts"];
  current: MoneyList | "ledger";
  search: string;
  children: ReactNode;
}

/** The money desk around one of its lists, or the ledger. */
export function MoneyDesk({ counts, current, search, children }: MoneyDeskProps) {
  return (
    <Desk title="Money" counts={counts}>
      <FilterLinks
        label="Lists"
        name="show"
        current={current}
        keep={{ q: search }}
        choices={[
          { value: "discrepancies", label: "Discrepancies", count: counts.discrepancies },
          { value: "refunds", label: "Refunds", count: counts.refunds },
          { value: "payouts", label: "Payouts", count: counts.parked },
          { value: "attempts", label: "Payments" },
          { value: "callbacks", label: "Callbacks" },
          { value: "ledger", label: "Ledger" },
        ]}
      />
      {children}
    </Desk>
  );
}
