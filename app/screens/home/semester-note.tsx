import { type SemesterNews, semesterText } from "#app/accounts/profile/semester.ts";
import { NO_LIST_FILTERS, writeListFilters } from "#app/catalogue/browse/list-filters.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";

const OFFERS = {
  leaving: { list: "See what's leaving", sell: "Sell what you leave" },
  over: null,
  arriving: { list: "See what you can start with", sell: null },
} as const;

/** What the end or the beginning of the semester is good for: the things of the campus, and selling one's own. */
export function SemesterNote({ semester }: { semester: SemesterNews | null }) {
  const offers = semester && OFFERS[semester.time];
  if (!offers) return null;
  const filters = writeListFilters({ ...NO_LIST_FILTERS, campuses: [semester.campus], sort: "price-asc" });
  return (
    <section className="newest" aria-label="The semester">
      <Callout tone="gold" icon="graduation-cap">
        <p>{semesterText(semester)}</p>
        <div className="row">
          <LinkButton to={`/studentmarketplace?${filters.toString()}`} variant="soft" size="small">
            {offers.list}
          </LinkButton>
          {offers.sell && (
            <LinkButton to="/add-product" variant="soft" size="small">
              {offers.sell}
            </LinkButton>
          )}
        </div>
      </Callout>
    </section>
  );
}
