import type { ExplainedMoney, FoundMoney, SearchedMoney } from "./explain.server.ts";
import { FOUND_MAX } from "./money-rules.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { formatKes } from "#app/ui/money.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { AdminPage, AdminRow, AdminSearch, Facts, More } from "#app/team/components/page-parts.tsx";

const TITLE = "Explain a Payment";

/** The search for a payment, and what it found. */
export function ExplainSearchView({ counts, search, found, lines }: SearchedMoney & { search: string }) {
  return (
    <AdminPage
      title={TITLE}
      lead="From the request to pay to the payout or refund, on one page."
      back={{ to: "/admin/money", label: "Money" }}
      counts={counts}
    >
      <AdminSearch
        search={search}
        label="Receipt, phone or its ending, order or plan, email, or name of the buyer or seller"
      />
      {lines.map(({ id, closedAt }) => (
        <Callout key={id} tone="orange">
          M-Pesa lists this receipt, and it {closedAt === null ? "waits" : "waited"} under{" "}
          <TextLink to="/admin/money/lists">M-Pesa's lists</TextLink>.
        </Callout>
      ))}
      {found.length > 0 ? (
        <ul className="admin__rows" role="list">
          {found.map((money) => (
            <Found key={money.id} money={money} />
          ))}
          {found.length === FOUND_MAX && (
            <li className="quiet small">{`These are the latest ${FOUND_MAX}. Enter more to find older ones.`}</li>
          )}
        </ul>
      ) : (
        search !== "" && (
          <EmptyState
            icon="search-x"
            title="No results"
            sentence="Enter a whole receipt, at least the last three digits of a number, at least eight characters of an order, or a name."
          />
        )
      )}
    </AdminPage>
  );
}

function Found({ money: { kind, id, amount, at, payer, sellers } }: { money: FoundMoney }) {
  const what = kind === "order" ? `Order ${shortOrderId(id)}` : "Plan";
  return (
    <AdminRow
      head={
        <TextLink className="admin__page" to={`?${kind}=${id}`}>
          {`${formatKes(amount)} by ${payer || "a deleted account"}`}
        </TextLink>
      }
    >
      <p className="quiet small">
        {[what, formatDateTime(at), sellers && `sold by ${sellers.replaceAll(",", ", ")}`].filter(Boolean).join(", ")}
      </p>
    </AdminRow>
  );
}

/** What happened to the money of an order or plan. */
export function ExplainedMoneyView({ counts, title, payer, places, waiting, timeline }: ExplainedMoney) {
  const { paid, held, toSellers, kept, toBuyer, unconfirmed } = places;
  return (
    <AdminPage
      title={TITLE}
      lead={`${title}, by ${payer || "a deleted account"}.`}
      back={{ to: "/admin/money/explain", label: "Search again" }}
      counts={counts}
    >
      <Facts
        facts={[
          ["Paid", formatKes(paid)],
          ["Held", held > 0 && formatKes(held)],
          ["To sellers", toSellers > 0 && formatKes(toSellers)],
          ["Service fee", kept > 0 && formatKes(kept)],
          ["Back to the buyer", toBuyer > 0 && formatKes(toBuyer)],
          ["Of that not confirmed yet", unconfirmed > 0 && formatKes(unconfirmed)],
        ]}
      />
      {waiting.length > 0 && (
        <Callout tone="orange" title="What it waits for">
          {waiting.map(({ id, words }) => (
            <p key={id}>{withWholeAmounts(words)}</p>
          ))}
        </Callout>
      )}
      <ol className="admin__rows" role="list">
        {timeline.map(({ at, words, body }, place) => (
          // Entries have no ids, and their order never changes.
          <li key={place} className="admin__row">
            <p>
              <span className="quiet small numbers">{formatDateTime(at)}</span>
              <br />
              {withWholeAmounts(words)}
            </p>
            {body !== null && (
              <More label="What M-Pesa sent">
                <pre className="admin__raw">{body || "Empty, or erased with the account"}</pre>
              </More>
            )}
          </li>
        ))}
      </ol>
    </AdminPage>
  );
}
