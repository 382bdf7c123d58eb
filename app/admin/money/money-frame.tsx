import type { ReactNode } from "react";
import type { MoneyList, MoneyPage } from "./money.server.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { AdminPage, FilterLinks } from "#app/team/components/page-parts.tsx";

interface MoneyFrameProps {
  counts: MoneyPage["counts"];
  waiting: MoneyPage["waiting"];
  current: MoneyList | "ledger";
  search: string;
  children: ReactNode;
}

/** The frame of the money pages: the tabs and the search, around a list or the ledger. */
export function MoneyFrame({ counts, waiting, current, search, children }: MoneyFrameProps) {
  return (
    <AdminPage title="Money" counts={counts}>
      <FilterLinks
        label="Money lists"
        name="show"
        current={current}
        keep={{ q: search }}
        choices={[
          { value: "discrepancies", label: "Discrepancies", count: counts.discrepancies },
          { value: "refunds", label: "Refunds", count: counts.refunds },
          { value: "payouts", label: "Payouts", count: counts.payouts },
          { value: "attempts", label: "Payments" },
          { value: "callbacks", label: "Callbacks" },
          { value: "ledger", label: "Ledger" },
        ]}
      />
      <p className="row admin__links">
        <TextLink to="/admin/money/lists">
          {`Compare with M-Pesa's list${counts.lines > 0 ? ` (${counts.lines})` : ""}`}
        </TextLink>
        <TextLink to="/admin/money/explain">Explain a payment</TextLink>
      </p>
      {waiting.length > 0 && (
        <Callout tone="orange">
          {waiting.map(({ list, text }) => (
            <p key={list}>
              <TextLink to={`/admin/money?show=${list}`}>{text}</TextLink>
            </p>
          ))}
        </Callout>
      )}
      {children}
    </AdminPage>
  );
}
