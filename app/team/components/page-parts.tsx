import type { ReactNode } from "react";
import { Form, Link, useLocation } from "react-router";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SearchField } from "#app/ui/forms/search-field.tsx";
import { useCurrentInView } from "#app/ui/page/use-current-in-view.ts";
import { AdminFrame } from "./admin-frame.tsx";

interface AdminPageProps {
  title: string;
  lead?: ReactNode;
  /** The list that a page about one thing belongs to. */
  back?: { to: string; label: string };
  counts: AdminCounts;
  children: ReactNode;
}

/** An admin page of its own: the frame, the title and the content. */
export function AdminPage({ title, lead, back, counts, children }: AdminPageProps) {
  return (
    <AdminFrame counts={counts}>
      <div className="stack admin">
        <PageHeader title={title} lead={lead} back={back} />
        {children}
      </div>
    </AdminFrame>
  );
}

interface FilterLinksProps {
  label: string;
  /** The parameter of the filter. The first choice needs none. */
  name: string;
  choices: readonly { value: string; label: string; count?: number }[];
  current: string;
  /** Other parameters to keep. */
  keep?: Record<string, string | null>;
}

/** A list's filter, as links. The address holds the current choice. */
export function FilterLinks({ label, name, choices, current, keep = {} }: FilterLinksProps) {
  const row = useCurrentInView(current);
  return (
    <nav ref={row} className="chip-row" aria-label={label}>
      {choices.map(({ value, label: words, count }, place) => (
        <Link
          key={value}
          className="chip"
          to={searchOf({ ...keep, [name]: place === 0 ? null : value })}
          aria-current={value === current ? "page" : undefined}
          preventScrollReset
        >
          {words}
          {count !== undefined && count > 0 && <span className="numbers">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

interface AdminSearchProps {
  /** The current search text. */
  search: string;
  /** The label, which says what can be searched. */
  label: string;
  /** Other parameters to keep. */
  keep?: Record<string, string>;
}

/** The search of an admin page. The address holds the search text. */
export function AdminSearch({ search, label, keep = {} }: AdminSearchProps) {
  return (
    <Form className="admin__search" role="search">
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SearchField text={search} icon="search" placeholder={label} aria-label={label} maxLength={60} />
      <Button type="submit" variant="soft">
        Search
      </Button>
    </Form>
  );
}

function searchOf(parameters: Record<string, string | null>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value);
  return `?${search.toString()}`;
}

/** Links to the next page of a list, and back to the first. */
export function Pager({ next, begun }: { next: string | null; begun: boolean }) {
  const { search } = useLocation();
  const at = (after: string | null) => {
    const parameters = new URLSearchParams(search);
    if (after) parameters.set("after", after);
    else parameters.delete("after");
    return `?${parameters.toString()}`;
  };
  return (
    <PageLinks
      label="Pages"
      left={begun && { to: at(null), words: "First page" }}
      right={next !== null && { to: at(next), words: "Next page" }}
    />
  );
}

interface PageLinksProps {
  label: string;
  left: PageLink | null | false;
  right: PageLink | null | false;
  /** Whether the page stays where it is scrolled to. */
  inPlace?: boolean;
}

interface PageLink {
  to: string;
  words: string;
}

/** Links to the pages on both sides of this one. */
export function PageLinks({ label, left, right, inPlace }: PageLinksProps) {
  if (!left && !right) return null;
  return (
    <nav className="row" aria-label={label}>
      {left && (
        <Link className="admin__page" to={left.to} preventScrollReset={inPlace}>
          <Icon name="arrow-left" size="small" />
          {left.words}
        </Link>
      )}
      {right && (
        <Link className="admin__page admin__page--right" to={right.to} preventScrollReset={inPlace}>
          {right.words}
          <Icon name="arrow-right" size="small" />
        </Link>
      )}
    </nav>
  );
}

/** A row of an admin page's list: its heading with the status, then the facts and actions. `id`: links lead to it. */
export function AdminRow({ id, head, children }: { id?: string; head: ReactNode; children: ReactNode }) {
  return (
    <li id={id} className="admin__row">
      <div className="admin__row-head">{head}</div>
      {children}
    </li>
  );
}

/** Labels and values, side by side. Empty values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="admin__facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Details that are hidden until somebody opens them. */
export function More({ label, open, children }: { label: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="admin__more" open={open || undefined}>
      <summary className="text-link">{label}</summary>
      {children}
    </details>
  );
}
