import "./my-shop.css";
import { dayStart } from "#app/platform/east-africa-time.ts";
import { FIGURE_DAYS, FIGURE_LABELS, type FigureDays, FIGURES, type Figures } from "#app/upkeep/listing-days-rules.ts";
import type { ListingFigures, ShopFigures } from "#app/upkeep/listing-days.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TabLinks } from "#app/ui/page/tabs.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { changeText, chartDays } from "#app/ui/charts/chart-rules.ts";
import { DayChart } from "#app/ui/charts/day-chart.tsx";

interface ListingFiguresProps {
  figures: ShopFigures;
  days: FigureDays;
}

/** What a seller's listings bring: numbers, views by day, and the listings that bring most. */
export function ListingFiguresView({ figures, days }: ListingFiguresProps) {
  const { listing, total } = figures;
  const isEmpty = FIGURES.every((figure) => total[figure] === 0);
  return (
    <div className="page page--reading stack">
      <PageHeader
        title="Figures"
        lead={listing ? listing.name : "What your listings bring"}
        back={listing ? { to: figuresPath(days), label: "All listings" } : { to: "/myshop", label: "My Shop" }}
      />
      <TabLinks
        label="Time"
        tabs={FIGURE_DAYS.map((choice) => ({
          to: figuresPath(choice, listing?.id),
          label: `${choice} days`,
          current: choice === days,
        }))}
      />
      {isEmpty ? (
        <EmptyState
          icon="eye"
          title="Nothing yet"
          sentence="When people open, save, ask about or buy your listings, you see it here within an hour or two."
          action={<LinkButton to={listing ? `/product/${listing.id}` : "/myshop"}>See what buyers see</LinkButton>}
        />
      ) : (
        <Days figures={figures} days={days} />
      )}
      {figures.listings && figures.listings.length > 0 && <Listings listings={figures.listings} days={days} />}
      <p className="quiet small">
        Views are visits of other people, without bots, and are counted within about an hour. Saves are those that are
        still on a wishlist. Orders are paid ones that weren't cancelled.
      </p>
    </div>
  );
}

function figuresPath(days: FigureDays, listing?: string): string {
  return `/myshop/figures?days=${days}${listing === undefined ? "" : `&listing=${listing}`}`;
}

function Days({ figures: { counted, today, total, before }, days }: ListingFiguresProps) {
  const first = today - days + 1;
  const range = `from ${formatDate(dayStart(first))} to ${formatDate(dayStart(today))}`;
  const views = new Map(counted.map((row) => [row.day, row.views]));
  const shown = chartDays(views, today, days).map((day) => (before === null ? { ...day, before: null } : day));
  return (
    <section className="card sales__body" aria-label="By day">
      <dl className="shop-figures">
        {FIGURES.map((figure) => {
          const change = changeText(total[figure], before?.[figure] ?? null);
          return (
            <div key={figure}>
              <dt className="shop-figure__name">{FIGURE_LABELS[figure]}</dt>
              <dd className="shop-figure__value">{total[figure].toLocaleString("en")}</dd>
              {change !== null && <dd className="quiet small numbers">{change}</dd>}
            </div>
          );
        })}
      </dl>
      {before !== null && <p className="quiet small">Compared with the {days} days before</p>}
      {total.views > 0 && (
        <DayChart
          title="Views by day"
          days={shown}
          label={`Views by day: ${total.views} ${range}`}
          write={(count) => (count === 1 ? "1 view" : `${count.toLocaleString("en")} views`)}
        />
      )}
      <details className="sales__table sales__table--figures">
        <summary className="text-link small">Show as a table</summary>
        <table role="table">
          <thead role="rowgroup">
            <FigureHeads first="Day" />
          </thead>
          <tbody role="rowgroup">
            {counted
              .filter(({ day }) => day >= first)
              .toSorted((one, other) => other.day - one.day)
              .map((day) => (
                <tr key={day.day} role="row">
                  <th role="rowheader" scope="row">
                    {formatDate(dayStart(day.day))}
                  </th>
                  <FigureCells figures={day} />
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function Listings({ listings, days }: { listings: readonly ListingFigures[]; days: FigureDays }) {
  return (
    <section className="stack sales__table sales__table--figures" aria-labelledby="by-listing">
      <h2 id="by-listing">By listing</h2>
      <table role="table">
        <thead role="rowgroup">
          <FigureHeads first="Listing" />
        </thead>
        <tbody role="rowgroup">
          {listings.map((listing) => (
            <tr key={listing.id} role="row">
              <th role="rowheader" scope="row">
                <TextLink to={figuresPath(days, listing.id)}>{listing.name}</TextLink>
              </th>
              <FigureCells figures={listing} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function FigureHeads({ first }: { first: string }) {
  return (
    <tr role="row">
      <th role="columnheader" scope="col">
        {first}
      </th>
      {FIGURES.map((figure) => (
        <th key={figure} role="columnheader" scope="col">
          {FIGURE_LABELS[figure]}
        </th>
      ))}
    </tr>
  );
}

function FigureCells({ figures }: { figures: Figures }) {
  return FIGURES.map((figure) => (
    <td key={figure} role="cell">
      {figures[figure].toLocaleString("en")}
    </td>
  ));
}
