import "./my-shop.css";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { accountTypeLabel } from "#app/accounts/login/account-type.ts";
import { countLabel } from "#app/catalogue/labels.ts";
import type { ShopHead } from "./my-shop.server.ts";
import { orderListPath, type Todo } from "./sales-rules.ts";
import { ReviewLink } from "#app/reviews/components/review-link.tsx";
import { shareableShop } from "#app/shops/share-shop.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { FeaturedMark } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { formatKes } from "#app/ui/money.ts";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";

/** The name of a seller's own shop, with a few facts. `listings`: their number now. */
export function ShopFacts({ head, listings }: { head: ShopHead; listings: number }) {
  const { shop } = head;
  const featured = shop?.featuredUntil !== null && shop?.featuredUntil !== undefined && shop.featuredUntil > head.now;
  return (
    <div className="stack stack--tight">
      <div className="row">
        <div className="shop-head__name">
          <h1>{shop?.name ?? "My Shop"}</h1>
          {head.activeListings > 0 && <ShareButton compact variant="ghost" shared={shareableShop(head)} />}
        </div>
        {featured && <FeaturedMark />}
      </div>
      <dl className="shop-head__facts">
        <Fact name={listings === 1 ? "Listing" : "Listings"}>{countLabel(listings)}</Fact>
        <Fact name={head.pendingOrders === 1 ? "Pending Order" : "Pending Orders"}>
          {countLabel(head.pendingOrders)}
        </Fact>
        <Fact name="Account Type">{accountTypeLabel(head)}</Fact>
      </dl>
      {head.stars.some((count) => count > 0) && (
        <p className="small">
          <ReviewLink personId={head.id} as="seller" stars={head.stars} />
        </p>
      )}
    </div>
  );
}

const TODO_ICONS: Record<Todo["kind"], IconName> = {
  answer: "circle-alert",
  contact: "message-circle",
  hand_over: "package-check",
  meeting: "clock",
  offer: "wallet",
  confirm: "package",
};

/** What the seller has to do next: the most urgent in one line. Nothing before they list something. */
export function ShopTodos({ head }: { head: ShopHead }) {
  const [first, ...others] = head.todos;
  if (!first) {
    return head.activeListings > 0 ? (
      <p className="quiet">Nothing to do right now. We email you when somebody buys.</p>
    ) : null;
  }
  return (
    <section className="card shop-todos" aria-label="To do">
      <TodoLink todo={first} />
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <ul role="list">
            {others.map((todo) => (
              <li key={todo.kind}>
                <TodoLink todo={todo} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function TodoLink({ todo: { kind, text, to } }: { todo: Todo }) {
  return (
    <Link className="shop-todo" to={to}>
      <Icon name={TODO_ICONS[kind]} />
      <span className="grow">{text}</span>
      <Icon name="chevron-right" />
    </Link>
  );
}

/** The figures of a seller's own shop. Each leads to what it counts. `activeListings`: their number now. */
export function ShopFigures({ head, activeListings }: { head: ShopHead; activeListings: number }) {
  return (
    <section className="shop-figures" aria-label="Your shop in figures" data-tour="shop-figures">
      <Figure icon="package" name="Active Listings" value={countLabel(activeListings)} to="/myshop#shop-lists" />
      <Figure icon="shopping-bag" name="Total Sales" value={head.sales.toLocaleString("en")} to={orderListPath()} />
      <Figure
        icon="wallet"
        name="Revenue"
        value={formatKes(head.revenue)}
        note={head.reaching === null ? undefined : `${formatKes(head.reaching)} after service fees and refunds`}
        to="/myshop/money"
      />
      <Figure
        icon="clock"
        name="Pending Orders"
        value={countLabel(head.pendingOrders)}
        to={orderListPath()}
        waiting={head.pendingOrders > 0}
      />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
    </div>
  );
}

interface FigureProps {
  icon: IconName;
  name: string;
  value: string;
  note?: string;
  to: string;
  /** Highlights it. */
  waiting?: boolean;
}

function Figure({ icon, name, value, note, to, waiting }: FigureProps) {
  return (
    <Link className={classNames("shop-figure card", waiting && "shop-figure--waiting")} to={to}>
      <span className="shop-figure__name">
        <Icon name={icon} size="small" />
        {name}
      </span>
      <strong className="shop-figure__value">{value}</strong>
      {note && <span className="quiet small">{withWholeAmounts(note)}</span>}
    </Link>
  );
}
