import "./import.css";
import { Form } from "react-router";
import { FILE_MAX } from "#app/catalogue/import/listing-columns.ts";
import type { BadRow, GoodRow, ImportPage, ListingImport } from "#app/catalogue/import/listing-imports.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { RefreshLink } from "#app/ui/refresh-link.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { BadRows, Counts, GoodItem, rowCount } from "./import-rows.tsx";
import { SendFile, type SendFileProps } from "./import-send-file.tsx";
import { useImportRunner } from "./use-import-runner.ts";

interface ImportViewProps {
  page: ImportPage;
  /** The seller has no M-Pesa number yet and must add it first. */
  needsPhone: boolean;
  /** Why the last press was refused. */
  error: string | null;
  /** Why the last file was refused. */
  fileErrors: SendFileProps["errors"];
}

/** Importing listings from a file, and exporting them. */
export function ImportView({ page, needsPhone, error, fileErrors }: ImportViewProps) {
  const { latest, bad, good, stockChanges } = page;
  if (page.access !== "verified") return <NoAccess access={page.access} />;
  if (needsPhone) return <PhoneFirst />;
  return (
    <>
      {error && (
        <Callout tone="red" role="alert">
          <p className="import__error">{error}</p>
        </Callout>
      )}
      {latest?.state === "ready" && <Preview file={latest} bad={bad} good={good} stockChanges={stockChanges} />}
      {latest?.state === "running" && <Progress file={latest} />}
      {(latest?.state === "done" || latest?.state === "cancelled") && (
        <Result file={latest} bad={bad} held={page.held} />
      )}
      {latest?.state !== "running" && (
        <SendFile key={latest?.id} again={latest?.state === "ready"} categories={page.categories} errors={fileErrors} />
      )}
      <Export listings={page.listings} />
      <LiveRegion text={latest ? announcement(latest) : ""} />
    </>
  );
}

/** What has become of the file, for screen readers. */
function announcement(file: ListingImport): string {
  const toImport = file.rows - file.badRows - file.unchangedRows;
  const imported = file.createdRows + file.updatedRows;
  if (file.state === "ready") return `${rowCount(toImport)} can be imported, ${rowCount(file.badRows)} with errors`;
  if (file.state === "running")
    return `${Math.floor(((imported + file.failedRows) / Math.max(1, toImport)) * 4) * 25}% imported`;
  return file.state === "done" ? `Import done: ${rowCount(imported)} imported` : "";
}

const SETTINGS = <LinkButton to="/profile?tab=settings">Open Settings</LinkButton>;

const NO_ACCESS = {
  student: {
    title: "Imports are for verified wholesalers",
    sentence:
      "You can list your products one by one in My Shop. If you sell in bulk, our team can tell you how to become a wholesaler.",
    action: <LinkButton to="/support">Contact Support</LinkButton>,
  },
  pending: {
    title: "We're checking your business document",
    sentence: "You can import listings once our team has approved it. Until then, list your products one by one.",
    action: <LinkButton to="/add-product">Add Product</LinkButton>,
  },
  missing: {
    title: "Upload your business document",
    sentence: "Our team hasn't got one from you yet. Once it has approved it, you can import listings.",
    action: SETTINGS,
  },
  rejected: {
    title: "Your business isn't verified yet",
    sentence: "Our team couldn't accept your business document. Upload a new one in Settings to import listings.",
    action: SETTINGS,
  },
} as const;

function NoAccess({ access }: { access: keyof typeof NO_ACCESS }) {
  return <EmptyState icon="badge-check" {...NO_ACCESS[access]} />;
}

function PhoneFirst() {
  return (
    <EmptyState
      icon="smartphone"
      title="Where should we send your money?"
      sentence="We pay you by M-Pesa once the buyer has the item. Add your number first, then import your listings."
      action={
        <LinkButton to={`/become-seller?next=${encodeURIComponent("/myshop/import")}`}>Add My M-Pesa Number</LinkButton>
      }
    />
  );
}

interface PreviewProps {
  file: ListingImport;
  bad: readonly BadRow[];
  good: readonly GoodRow[];
  stockChanges: number;
}

function Preview({ file, bad, good, stockChanges }: PreviewProps) {
  const toImport = file.rows - file.badRows - file.unchangedRows;
  return (
    <section className="card stack import__card" aria-labelledby="import-preview">
      <div className="stack stack--tight">
        <h2 id="import-preview">Check before you import</h2>
        <p className="import__file">{file.fileName}</p>
      </div>
      <Counts
        counts={[
          ["New listings", file.newRows],
          ["Updates", toImport - file.newRows],
          ["No changes", file.unchangedRows],
          ["Rows with errors", file.badRows],
        ]}
      />
      {stockChanges > 0 && (
        <Callout tone="orange">
          {stockChanges === 1 ? "1 row changes" : `${stockChanges.toLocaleString("en")} rows change`} the stock of a
          listing. If you sold something since you made the file, correct those numbers first.
        </Callout>
      )}
      {toImport === 0 && (
        <Callout>
          {file.badRows === 0
            ? "Your listings match this file. There is nothing to import."
            : "There is nothing to import. Correct the rows with errors and send the file again."}
        </Callout>
      )}
      <div className="row">
        {toImport > 0 && (
          <IntentForm file={file} intent="start" label={`Import ${rowCount(toImport)}`} busyLabel="Starting..." />
        )}
        <IntentForm file={file} intent="cancel" label="Discard This File" busyLabel="Discarding..." quiet />
      </div>
      {bad.length > 0 && <BadRows rows={bad} total={file.badRows} title="Rows with errors" />}
      {good.length > 0 && (
        <div className="stack stack--tight">
          <h3>
            {toImport > good.length ? `The first ${good.length} of ${rowCount(toImport)}` : "What we will import"}
          </h3>
          <ul className="import__rows" role="list">
            {good.map((row) => (
              <GoodItem key={row.line} row={row} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Progress({ file }: { file: ListingImport }) {
  useImportRunner();
  const total = file.rows - file.badRows - file.unchangedRows;
  const done = file.createdRows + file.updatedRows + file.failedRows;
  return (
    <section className="card stack import__card" aria-labelledby="import-progress">
      <div className="stack stack--tight">
        <h2 id="import-progress">Importing your listings</h2>
        <p className="import__file">{file.fileName}</p>
      </div>
      <div className="import__progress">
        <progress value={done} max={total} aria-labelledby="import-progress" />
        <p className="numbers">
          {done.toLocaleString("en")} of {rowCount(total)}
        </p>
      </div>
      <p>You can leave this page. The import goes on, and you find it here again.</p>
      <div className="row">
        <RefreshLink variant="soft" failed="We couldn't load the progress. Please check your connection.">
          Refresh
        </RefreshLink>
        <IntentForm file={file} intent="cancel" label="Cancel Import" busyLabel="Cancelling..." quiet />
      </div>
    </section>
  );
}

function Result({ file, bad, held }: { file: ListingImport; bad: readonly BadRow[]; held: number }) {
  const imported = file.createdRows + file.updatedRows;
  const left = file.badRows + file.failedRows;
  const isDone = file.state === "done";
  if (!isDone && imported === 0) return null;
  return (
    <section className="card stack import__card" aria-labelledby="import-result">
      <div className="stack stack--tight">
        <h2 id="import-result">{isDone ? "Import done" : "Import cancelled"}</h2>
        <p className="import__file">
          {file.fileName}, {formatDateTime(file.updatedAt)}
        </p>
      </div>
      {!isDone && <p>What was imported before stays. The other rows changed nothing.</p>}
      <Counts
        counts={[
          ["New listings", file.createdRows],
          ["Updates", file.updatedRows],
          ["No changes", file.unchangedRows],
          ["Not imported", isDone ? left : file.rows - imported - file.unchangedRows],
        ]}
      />
      {held > 0 && (
        <Callout tone="orange" icon="eye">
          Our team is taking a look at{" "}
          {held === 1 ? "1 of your listings" : `${held.toLocaleString("en")} of your listings`} before{" "}
          {held === 1 ? "it is" : "they are"} published. My Shop says why. This usually takes less than a day. We'll
          email you.
        </Callout>
      )}
      {file.createdRows > 0 && (
        <Callout tone="gold" icon="camera">
          New listings show a placeholder until you add photos. In My Shop, press “Add photos” on a listing.
        </Callout>
      )}
      {bad.length > 0 && <BadRows rows={bad} total={left} title="Rows that were not imported" />}
      <div className="row">
        <LinkButton to="/myshop">Open My Shop</LinkButton>
      </div>
    </section>
  );
}

function Export({ listings }: { listings: number }) {
  const parts = Array.from({ length: Math.ceil(listings / FILE_MAX.rows) }, (_, index) => index + 1);
  return (
    <section className="card stack import__card" aria-labelledby="import-export">
      <h2 id="import-export">Export your listings</h2>
      {listings === 0 ? (
        <p>Your listings appear here once you have some.</p>
      ) : (
        <>
          <p>
            Download your listings with the same columns, change them in a spreadsheet, and send the file here. If a
            listing has no SKU, the file has its number instead: leave that as it is. Leave the last column as it is,
            too: so what you change on the site meanwhile stays.
          </p>
          <div className="row">
            {parts.map((part) => (
              <a
                key={part}
                className="text-link"
                href={`/myshop/import/listings.csv${part > 1 ? `?part=${part}` : ""}`}
                download
              >
                {parts.length === 1 ? `Export ${listings.toLocaleString("en")} listings` : `Export part ${part}`}
              </a>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

interface IntentFormProps {
  file: ListingImport;
  intent: "start" | "cancel";
  label: string;
  busyLabel: string;
  quiet?: boolean;
}

function IntentForm({ file, intent, label, busyLabel, quiet }: IntentFormProps) {
  return (
    <Form method="post" replace>
      <input type="hidden" name="importId" value={file.id} />
      <SubmitButton
        name="intent"
        value={intent}
        busyLabel={busyLabel}
        wide={false}
        variant={quiet ? "soft" : undefined}
      >
        {label}
      </SubmitButton>
    </Form>
  );
}
