import "#app/deals/components/deal-steps.css";
import { DealHistory } from "#app/deals/components/deal-history.tsx";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import type { ItemMoney } from "./item-money.server.ts";

/** Where the money of an item is, what happens next, and what has happened, as one side reads it. */
export function ItemMoneyView({ side, name, orderPath, isHeld, now, next, timeline }: ItemMoney) {
  const place = side === "buyer" ? "order" : "sale";
  return (
    <div className="page page--reading stack">
      <PageHeader
        title="Where is my money?"
        lead={name}
        back={{ to: orderPath, label: side === "buyer" ? "The Order" : "The Sale" }}
      />
      <Callout tone={now.tone} icon={now.icon} title={now.title}>
        {now.sentences.join(" ")}
      </Callout>
      {next && (
        <section className="stack stack--tight" aria-labelledby="next">
          <h2 id="next">What happens next</h2>
          <p>
            <strong>{withWholeAmounts(next.title)}</strong>
          </p>
          {[...(next.warning === null ? [] : [next.warning]), ...next.sentences].map((sentence) => (
            <p key={sentence}>{withWholeAmounts(sentence)}</p>
          ))}
          <div className="row">
            <LinkButton to={orderPath}>Open the {place === "order" ? "Order" : "Sale"}</LinkButton>
          </div>
        </section>
      )}
      <section className="card stack" aria-labelledby="so-far">
        <h2 id="so-far">What has happened</h2>
        <DealHistory
          entries={timeline.map(({ at, words }, index) => ({
            id: `${at}-${index}`,
            words,
            note: null,
            warning: null,
            createdAt: at,
          }))}
        />
      </section>
      <section className="stack stack--tight" aria-labelledby="ask">
        <h2 id="ask">Whom to ask</h2>
        <p>
          {side === "buyer" ? (
            <>
              Something is wrong with it? Use “Report Issue” on <TextLink to={orderPath}>the order</TextLink>
              {isHeld && ": that also stops the money"}.{" "}
              <TextLink to="/help/refunds">How do I get my money back?</TextLink>
            </>
          ) : (
            <>
              Your number is wrong, or the payout was refused? <TextLink to={orderPath}>The sale</TextLink> says what to
              do. <TextLink to="/help/payout-waiting">My money hasn't come</TextLink>
            </>
          )}
        </p>
        <p>
          Anything else: <TextLink to="/help/contact">ask our team</TextLink>. Give them the M-Pesa receipt, never your
          PIN.
        </p>
      </section>
    </div>
  );
}
