import type { ReactNode } from "react";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { MoneyFilter, MoneyList, MoneyPage } from "./money.server.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { ageText } from "#app/team/age-rules.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminSearch, FilterLinks, Pager } from "#app/team/components/page-parts.tsx";
import { MoneyFrame } from "./money-frame.tsx";
import { Attempt, Callback, Discrepancy, Payout, Refund } from "./money-rows.tsx";

interface MoneyViewProps {
  page: MoneyPage;
  filter: MoneyFilter;
  search: string;
  begun: boolean;
  answer: AdminFormAnswer | null;
}

const OPEN_WORDS: Record<MoneyList, string> = {
  discrepancies: "Open",
  refunds: "Open",
  payouts: "Unpaid",
  attempts: "In progress",
  callbacks: "Not applied",
};

/** The money page: payments, payouts, refunds, callbacks and discrepancies. */
export function MoneyView({ page, filter, search, begun, answer }: MoneyViewProps) {
  const { list, next, counts, waiting } = page;
  const isSomething = counts.money > 0;
  return (
    <MoneyFrame counts={counts} waiting={waiting} current={list} search={search}>
      <AdminSearch search={search} label="Receipt, phone number or order number" keep={{ show: list }} />
      {search === "" ? (
        <FilterLinks
          label={OPEN_WORDS[list]}
          name="only"
          current={filter}
          keep={{ show: list }}
          choices={[
            { value: "open", label: OPEN_WORDS[list] },
            { value: "all", label: "All" },
          ]}
        />
      ) : (
        <p className="quiet small">All results for “{search}”, open and closed.</p>
      )}
      {page.rows.length === 0 ? (
        <EmptyState
          icon={search ? "search-x" : "circle-check"}
          title={search ? "No results" : isSomething ? "Nothing open in this list" : "Nothing to do here"}
          sentence={
            search
              ? "Enter a full receipt, a full phone number, or at least the first eight characters of an order number."
              : undefined
          }
        />
      ) : (
        <ul className="admin__rows" role="list">
          {rowsOf(page, answer)}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </MoneyFrame>
  );
}

function rowsOf(page: MoneyPage, answer: AdminFormAnswer | null): ReactNode {
  const waits = (createdAt: number, isOpen: boolean) => (isOpen ? `Waits ${ageText(page.now - createdAt)}` : null);
  switch (page.list) {
    case "discrepancies":
      return page.rows.map((row) => (
        <Discrepancy key={row.id} row={row} age={waits(row.createdAt, row.resolvedAt === null)} answer={answer} />
      ));
    case "refunds":
      return page.rows.map((row) => (
        <Refund key={row.id} row={row} age={waits(row.createdAt, !TRANSFER.isDone(row.state))} answer={answer} />
      ));
    case "payouts":
      return page.rows.map((row) => (
        <Payout key={row.id} row={row} age={waits(row.createdAt, !TRANSFER.isDone(row.state))} answer={answer} />
      ));
    case "attempts":
      return page.rows.map((row) => <Attempt key={row.id} row={row} answer={answer} />);
    case "callbacks":
      return page.rows.map((row) => <Callback key={row.id} row={row} />);
  }
}
