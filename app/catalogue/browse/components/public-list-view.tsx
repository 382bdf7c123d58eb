import "./public-lists.css";
import type { ReactNode } from "react";
import type { Category } from "#app/catalogue/browse/browse.server.ts";
import type { PublicListing } from "#app/catalogue/browse/public-listings.server.ts";
import { publicCampusPath, publicCategoryPath } from "#app/public-links.ts";
import { brand } from "#app/ui/page/brand.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { MoneyPromise } from "#app/catalogue/product/components/money-promise.tsx";
import { PublicCard, PublicCards } from "./public-card.tsx";

/** Cards that are visible without scrolling. */
const FIRST = 4;

interface PublicListViewProps {
  title: string;
  listings: readonly PublicListing[];
  categories: readonly Category[];
  /** The names of the other campuses. */
  campuses: readonly string[];
  /** The full list, for members. */
  fullPath: string;
  /** Shown where nothing is for sale. */
  emptyTitle: string;
  /** How many deals were protected; null where too few were, and for a category. */
  protectedDeals?: string | null;
}

/** The public page of a category or a campus. It works without scripts. */
export function PublicListView(props: PublicListViewProps) {
  const { title, listings, categories, campuses, fullPath, emptyTitle, protectedDeals } = props;
  return (
    <div className="page stack stack--loose">
      <header>
        <h1>{title}</h1>
        <p className="quiet">Pay by M-Pesa. We hold your money until you have your item.</p>
        {protectedDeals && <MoneyPromise text={protectedDeals} />}
      </header>
      {listings.length > 0 ? (
        <PublicListings label={title} listings={listings} />
      ) : (
        <EmptyState icon="package" title={emptyTitle} sentence="Have a look at the other categories and campuses." />
      )}
      <SeeAll path={fullPath} />
      <OtherLists categories={categories} campuses={campuses} />
    </div>
  );
}

/** In the place of a list that never existed. `what`: "category" or "campus". */
export function UnknownList({
  what,
  listings,
  categories,
  campuses,
}: Pick<PublicListViewProps, "listings" | "categories" | "campuses"> & { what: string }) {
  return (
    <div className="page stack stack--loose">
      <EmptyState
        level={1}
        icon="search-x"
        title={`We can't find this ${what}`}
        sentence="Please check that you have the whole link. Or have a look at what is new."
      />
      <NewListings listings={listings} />
      <OtherLists categories={categories} campuses={campuses} />
    </div>
  );
}

/** What is new anywhere, for pages that have nothing of their own to show. */
export function NewListings({ listings }: { listings: readonly PublicListing[] }) {
  if (listings.length === 0) return null;
  const title = `New on ${brand.name}`;
  return (
    <section className="stack">
      <h2>{title}</h2>
      <PublicListings label={title} listings={listings} />
    </section>
  );
}

export function PublicListings({ label, listings }: { label: string; listings: readonly PublicListing[] }) {
  return (
    <PublicCards label={label}>
      {listings.map((listing, index) => (
        <PublicCard key={listing.id} listing={listing} priority={index < FIRST} />
      ))}
    </PublicCards>
  );
}

/** Leads to the full list. Visitors log in or sign up on the way, but a seller's page opens for them, too. */
export function SeeAll({ path }: { path: string }) {
  return (
    <p>
      <a className={buttonClass({ variant: "soft" })} href={path}>
        See all on {brand.name}
      </a>
    </p>
  );
}

function OtherLists({ categories, campuses }: Pick<PublicListViewProps, "categories" | "campuses">) {
  return (
    <>
      <Links title="Categories">
        {categories.map(({ id, name }) => (
          <PublicLink key={id} path={publicCategoryPath(id)} name={name} />
        ))}
      </Links>
      {campuses.length > 0 && (
        <Links title="Campuses">
          {campuses.map((name) => (
            <PublicLink key={name} path={publicCampusPath(name)} name={name} />
          ))}
        </Links>
      )}
    </>
  );
}

function Links({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav className="stack stack--tight" aria-label={`More ${title.toLowerCase()}`}>
      <h2 className="public-list__more">More {title.toLowerCase()}</h2>
      <ul className="row public-list__links" role="list">
        {children}
      </ul>
    </nav>
  );
}

function PublicLink({ path, name }: { path: string; name: string }) {
  return (
    <li>
      <a className="chip-quiet" href={path}>
        {name}
      </a>
    </li>
  );
}
