/** Rows of a file of listings, and how many there are. */
import type { BadRow, FileResult, GoodRow } from "#app/catalogue/import/file-result.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatPrice } from "#app/ui/money.ts";

/** "1 row", "193 rows". */
export function rowCount(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;
}

/** A row that will be imported. */
export function GoodItem({ row: { line, isNew, listing } }: { row: GoodRow }) {
  const steps = listing.terms.steps.map((step) => `${formatPrice(step.price)} each from ${step.fromQuantity}`);
  return (
    <li className="import__row">
      <span className="import__row-name">{listing.name}</span>
      <StatusBadge tone={isNew ? "green" : "blue"}>{isNew ? "New" : "Update"}</StatusBadge>
      <span className="import__row-facts">
        {[
          `Line ${line}`,
          listing.sku,
          formatPrice(listing.price),
          ...steps,
          listing.stock === null ? "made to order" : `${listing.stock.toLocaleString("en")} in stock`,
        ].join(" · ")}
      </span>
    </li>
  );
}

/** Numbers with their names. */
export function Counts({ counts }: { counts: readonly (readonly [name: string, count: number])[] }) {
  return (
    <dl className="import__counts">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each row that isn't imported, with its line, its columns and what to correct. */
export function BadRows({ file: { bad, badFile, counts }, title }: { file: FileResult; title: string }) {
  return (
    <div className="stack stack--tight">
      <h3>{title}</h3>
      <p>
        Rows with errors are left out. Correct them in your file and send it again, or{" "}
        <a className="text-link" href={csvAddress(badFile)} download="rows-to-correct.csv">
          download only these rows
        </a>{" "}
        with their errors.
      </p>
      <ul className="import__rows" role="list">
        {bad.map((row: BadRow) => (
          <li key={row.line} className="import__row">
            <span className="import__row-name">
              Line {row.line}
              {row.cells.sku !== "" && `, ${row.cells.sku}`}
            </span>
            <ul className="import__errors">
              {row.errorLines.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {counts.bad > bad.length && (
        <p className="quiet">and {rowCount(counts.bad - bad.length)} more. The download has all of them.</p>
      )}
    </div>
  );
}

/** The address of a file that the page has with it. The byte order mark tells Excel that it is UTF-8. */
function csvAddress(csv: string): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${csv}`)}`;
}
