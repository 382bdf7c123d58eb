import "#app/orders/components/order-rows.css";
import "./centre.css";
import { Form, Link, useFetcher } from "react-router";
import { groupByDay } from "#app/notifications/centre-rules.ts";
import { dayStart } from "#app/platform/east-africa-time.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatDay } from "#app/ui/dates.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { MoreLink } from "#app/ui/more-link.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";
import type { CentreEntry, CentrePage } from "./centre.server.ts";
import { NOTIFICATIONS_PATH } from "./notifications-path.ts";

interface CentreViewProps {
  first: CentrePage;
  /** How many are unread. */
  unread: number;
  /** Ms since 1970, when the server made the page. */
  now: number;
}

/** What somebody was told, by day and thing; "Show more" appends the next page, and without scripts leads to it. */
export function CentreView({ first, unread, now }: CentreViewProps) {
  const fetcher = useFetcher<CentrePage | FailedPage>();
  const pages = useMorePages(first, fetcher, {
    rowsOf: (page) => page.entries,
    nextOf: ({ next }) => (next === null ? null : `${NOTIFICATIONS_PATH}?before=${next}`),
  });
  const { rows: entries, nextPath, isSeveral } = pages;
  return (
    <div className="page page--reading notifications stack">
      <PageHeader
        title="Notifications"
        lead={<TextLink to="/settings/notifications">Notification settings</TextLink>}
        actions={
          unread > 0 && (
            <Form method="post">
              <input type="hidden" name="upTo" value={first.entries[0]?.id} />
              <Button type="submit" variant="soft" size="small">
                Mark all as read
              </Button>
            </Form>
          )
        }
      />
      {entries.length === 0 && (
        <EmptyState
          icon="bell"
          title="Nothing new yet"
          sentence="What happens with your orders, offers and listings will appear here."
          action={<LinkButton to="/studentmarketplace">Start Shopping</LinkButton>}
        />
      )}
      {groupByDay(entries).map(({ day, groups }) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{formatDay(dayStart(day), now)}</h2>
          <ul className="order-rows" role="list">
            {groups.map((group) => (
              <li key={group.id}>
                {group.entries.map((entry, at) => (
                  <Entry key={entry.id} entry={entry} name={at === 0 ? nameOf(group.entries) : null} />
                ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <LiveRegion text={isSeveral ? `${entries.length} notifications shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} />}
    </div>
  );
}

/** Not every notification about a thing knows its name: that of a payout doesn't. */
function nameOf(entries: readonly CentreEntry[]): string | null {
  return entries.find(({ name }) => name !== null)?.name ?? null;
}

/** The name of the thing stands once, with the newest about it. */
function Entry({ entry, name }: { entry: CentreEntry; name: string | null }) {
  return (
    <Link className="order-row" to={`${NOTIFICATIONS_PATH}/${entry.id}`}>
      <span className="order-row__words">
        <span className="order-row__line">
          <span className={entry.isRead ? "quiet" : "order-row__name"}>{entry.heading}</span>
          {!entry.isRead && (
            <span className="badge" data-accent-color="gold">
              New
            </span>
          )}
        </span>
        <span className="order-row__fact">{[name, entry.amount, entry.time].filter(Boolean).join(" · ")}</span>
      </span>
    </Link>
  );
}
