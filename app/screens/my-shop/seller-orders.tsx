import "./my-shop.css";
import { type FormEvent, useEffect, useMemo } from "react";
import { Form, Link, useFetcher, useNavigation } from "react-router";
import type { OrderListPage, OrderListQuery, ShopHead } from "./my-shop.server.ts";
import {
  ORDER_GROUP_LABELS,
  ORDER_GROUPS,
  type OrderGroup,
  ORDER_SEARCH_ERROR,
  readOrderNumber,
} from "./sales-rules.ts";
import { CountBadge } from "#app/ui/badge.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChipRow } from "#app/ui/chip.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { MoreLink } from "#app/ui/more-link.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { SearchField } from "#app/ui/forms/search-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { SellerOrderItems } from "./seller-order-items.tsx";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";

interface SellerOrdersProps {
  orderList: OrderListPage;
  /** The number of open items in each group. */
  groups: ShopHead["groups"];
  asked: Pick<OrderListQuery, "group" | "search">;
}

/** A seller's orders: all of them, one group, or the one with a certain number. */
export function SellerOrders({ orderList, groups, asked }: SellerOrdersProps) {
  const searches = asked.search !== "";
  return (
    <div className="stack" data-tour="shop-orders">
      <div className="order-tools">
        <Groups counts={groups} current={searches ? undefined : asked.group} />
        <Search
          search={asked.search}
          error={orderList.searchError}
          tour={orderList.items.length > 0 ? "orders-search" : undefined}
        />
      </div>
      {orderList.items.length > 0 ? (
        <SellerOrderPages key={`${asked.group}:${asked.search}`} first={orderList} group={asked.group} />
      ) : (
        !orderList.searchError && <NoOrders {...asked} />
      )}
    </div>
  );
}

/** "Show more" appends the next page, and without scripts leads to it. */
function SellerOrderPages({ first, group }: { first: OrderListPage; group: OrderGroup | null }) {
  const fetcher = useFetcher<{ orderList: OrderListPage } | FailedPage>();
  const pages = useMorePages({ orderList: first }, fetcher, {
    rowsOf: ({ orderList }) => orderList.items,
    nextOf: ({ orderList: { next } }) => next && `/myshop?tab=orders${group ? `&show=${group}` : ""}&after=${next}`,
  });
  const { rows: items, nextPath, isSeveral } = pages;
  return (
    <>
      <SellerOrderItems items={items} />
      <LiveRegion text={isSeveral ? `${items.length} orders shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} />}
    </>
  );
}

/** The guided tour explains the groups that contain orders. */
const TOUR_TARGETS: Readonly<Record<OrderGroup, string | undefined>> = {
  new: "orders-new",
  processing: "orders-processing",
  shipped: "orders-in-transit",
  delivered: undefined,
  cancelled: undefined,
};

interface GroupsProps {
  counts: Partial<Record<OrderGroup, number>>;
  /** Undefined when no group is shown. */
  current: OrderGroup | null | undefined;
}

function Groups({ counts, current }: GroupsProps) {
  return (
    <ChipRow label="Orders by status">
      <Link className="chip" to="?tab=orders" aria-current={current === null ? "page" : undefined} preventScrollReset>
        All
      </Link>
      {ORDER_GROUPS.map((group) => (
        <Link
          key={group}
          className="chip order-group"
          data-group={group}
          data-tour={counts[group] ? TOUR_TARGETS[group] : undefined}
          to={`?tab=orders&show=${group}`}
          aria-current={current === group ? "page" : undefined}
          preventScrollReset
        >
          {ORDER_GROUP_LABELS[group]}
          <CountBadge count={counts[group] ?? 0} />
          {counts[group] ? <span className="visually-hidden">, {counts[group]}</span> : null}
        </Link>
      ))}
    </ChipRow>
  );
}

interface SearchProps {
  search: string;
  error: string | null;
  /** The value of `data-tour`, by which the guided tour finds it. */
  tour: string | undefined;
}

function Search({ search, error, tour }: SearchProps) {
  const { state } = useNavigation();
  const answered = useMemo(() => (error ? { q: error } : null), [error]);
  const errors = useFieldErrors(answered);
  const { ref: form } = errors.form;

  // An emptied search shows all orders again.
  useEffect(() => {
    const input = form.current?.elements.namedItem("q");
    if (!(input instanceof HTMLInputElement)) return;
    const onSearch = () => input.value === "" && search !== "" && form.current?.requestSubmit();
    input.addEventListener("search", onSearch);
    return () => input.removeEventListener("search", onSearch);
  }, [form, search]);

  function check(event: FormEvent<HTMLFormElement>) {
    const typed = String(new FormData(event.currentTarget).get("q") ?? "");
    if (typed.trim() === "" || readOrderNumber(typed) !== null) return;
    event.preventDefault();
    errors.show({ q: ORDER_SEARCH_ERROR });
  }
  return (
    <Form
      className="order-search"
      role="search"
      onSubmit={check}
      preventScrollReset
      noValidate
      {...errors.form}
      data-tour={tour}
    >
      <input type="hidden" name="tab" value="orders" />
      <Field label="Find an order by its number" error={errors.of("q")}>
        <SearchField
          text={search}
          icon="search"
          placeholder="0a1b2c3d"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          after={
            <Button type="submit" size="small" variant="ghost" busy={state === "loading"}>
              Find
            </Button>
          }
        />
      </Field>
    </Form>
  );
}

const NOTHING: Record<OrderGroup, string> = {
  new: "No new orders.",
  processing: "Orders you have contacted the buyer about, and those that need your answer, appear here.",
  shipped: "Orders you have shipped appear here until the buyer has checked them.",
  delivered: "Delivered orders appear here.",
  cancelled: "Cancelled and refunded orders appear here.",
};

function NoOrders({ group, search }: Pick<OrderListQuery, "group" | "search">) {
  if (search !== "") {
    return (
      <EmptyState
        icon="search-x"
        title="No order found"
        sentence="Check the order number in the email about the sale."
        action={
          <LinkButton to="?tab=orders" variant="soft">
            Show all orders
          </LinkButton>
        }
      />
    );
  }
  if (group) return <EmptyState icon="package" title="Nothing here right now" sentence={NOTHING[group]} />;
  return (
    <EmptyState
      icon="package"
      title="No orders yet"
      sentence="Orders appear here when a buyer pays for one of your listings."
    />
  );
}
