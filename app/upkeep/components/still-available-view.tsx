import "#app/basket/components/basket.css";
import { Form } from "react-router";
import { BasketLine } from "#app/basket/components/basket-line.tsx";
import type { UnansweredListing } from "#app/upkeep/still-available.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { formatKes } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Price } from "#app/ui/price.tsx";

const BACK = { to: "/myshop", label: "My Shop" };

interface StillAvailableProps {
  listings: readonly UnansweredListing[];
  /** Why the last press changed nothing; null when it did. */
  error: string | null;
}

/** The seller's listings that wait for an answer, each answered with one press. It works without scripts. */
export function StillAvailableView({ listings, error }: StillAvailableProps) {
  if (listings.length === 0)
    return (
      <div className="page">
        <EmptyState
          level={1}
          icon="package-check"
          title="Nothing to confirm"
          sentence="When a listing hasn't changed for 30 days, we ask you here whether you still have it."
          action={<LinkButton to="/myshop">Go to My Shop</LinkButton>}
        />
      </div>
    );
  const [gone, asked] = [listings.filter(({ isGone }) => isGone), listings.filter(({ isGone }) => !isGone)];
  const isOne = listings.length === 1;
  return (
    <div className="page page--reading stack basket">
      <PageHeader
        title="Still Available?"
        lead="Buyers trust a campus where things are really there. One tap for each is enough."
        back={BACK}
        actions={!isOne && <RenewAll listings={listings} />}
      />
      {error && <Callout tone="red">{error}</Callout>}
      <Listings title="Not shown any more" listings={gone} isOne={isOne} />
      <Listings title="Not changed for 30 days" listings={asked} isOne={isOne} />
    </div>
  );
}

function RenewAll({ listings }: Pick<StillAvailableProps, "listings">) {
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="renew" />
      {listings.map(({ id }) => (
        <input key={id} type="hidden" name="productId" value={id} />
      ))}
      <Button type="submit">All {listings.length} are still available</Button>
    </Form>
  );
}

interface ListingsProps extends Pick<StillAvailableProps, "listings"> {
  title: string;
  isOne: boolean;
}

function Listings({ title, listings, isOne }: ListingsProps) {
  if (listings.length === 0) return null;
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul className="cart" role="list">
        {listings.map((listing) => (
          <Listing key={listing.id} listing={listing} isOne={isOne} />
        ))}
      </ul>
    </section>
  );
}

function Listing({ listing, isOne }: { listing: UnansweredListing; isOne: boolean }) {
  const { id, name, price, image, updatedAt, isGone, lower, lowerFee } = listing;
  return (
    <BasketLine
      product={{ productId: id, name, image, available: true, listed: true, left: null, soldOut: false }}
      facts={
        <>
          <Price amount={price} />
          <p className="quiet">
            {isGone ? "Buyers find it in no list. " : ""}Last change {formatDate(updatedAt)}
          </p>
          {lowerFee && (
            <p className="quiet small">
              At {formatKes(lower ?? price)}: {withWholeAmounts(lowerFee)}
            </p>
          )}
        </>
      }
      actions={
        <Form method="post" className="row">
          <input type="hidden" name="productId" value={id} />
          <input type="hidden" name="price" value={price} />
          <Answer intent="renew" variant={isOne ? "solid" : "soft"} name={name}>
            {isGone ? "Bring it back" : "Still available"}
          </Answer>
          {lower !== null && (
            <Answer intent="lower" variant="soft" name={name}>
              {`Lower to ${formatKes(lower)}`}
            </Answer>
          )}
          {lower === null && price > 0 && (
            <LinkButton to={`/product/${id}/edit`} variant="soft" size="small" aria-label={`Change price of ${name}`}>
              Change price
            </LinkButton>
          )}
          <Answer intent="sold" variant="ghost" name={name}>
            Sold
          </Answer>
        </Form>
      }
    />
  );
}

interface AnswerProps {
  intent: "renew" | "lower" | "sold";
  variant: "solid" | "soft" | "ghost";
  /** The listing's. */
  name: string;
  children: string;
}

function Answer({ intent, variant, name, children }: AnswerProps) {
  return (
    <Button
      type="submit"
      name="intent"
      value={intent}
      variant={variant}
      size="small"
      aria-label={`${children}: ${name}`}
    >
      {children}
    </Button>
  );
}
