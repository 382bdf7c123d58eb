import "./import.css";
import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { FILE_MAX } from "#app/catalogue/import/listing-columns.ts";
import type { FileResult } from "#app/catalogue/import/file-result.ts";
import type { ImportPage } from "#app/catalogue/import/import-page.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { BadRows, Counts, GoodItem, rowCount } from "./import-rows.tsx";
import { SendFile, type SendFileProps } from "./import-send-file.tsx";

/** A file that was sent, and what became of it. */
export type SentFile = FileResult & { at: number } & (
    | { isImported: false; text: string; checked: string }
    | { isImported: true }
  );

interface ImportViewProps {
  page: ImportPage;
  /** The file that was last sent; null before one is. */
  file: SentFile | null;
  /** The seller has no M-Pesa number yet and must add it first. */
  needsPhone: boolean;
  /** Why the last press was refused. */
  error: string | null;
  /** Why the last file was refused. */
  fileErrors: SendFileProps["errors"];
}

/** Importing listings from a file, and exporting them. */
export function ImportView({ page, file, needsPhone, error, fileErrors }: ImportViewProps) {
  const result = useRef<HTMLDivElement>(null);
  const at = file?.at;
  // The answer comes above the form, which may be all that the screen shows.
  useEffect(() => {
    if (at !== undefined) result.current?.scrollIntoView({ block: "start" });
  }, [at]);
  if (page.access !== "verified") return <NoAccess access={page.access} />;
  if (needsPhone) return <PhoneFirst />;
  return (
    <>
      {error && (
        <Callout tone="red" role="alert">
          <p className="import__error">{error}</p>
        </Callout>
      )}
      {file && (
        <div ref={result} className="stack">
          {file.isImported ? <Result file={file} held={page.held} /> : <Preview file={file} />}
        </div>
      )}
      {page.feeText && (
        <p className="quiet small">Service fee when something sells: {withWholeAmounts(page.feeText)}</p>
      )}
      <SendFile
        key={at}
        again={file?.isImported === false}
        categories={page.categories}
        facts={page.facts}
        errors={fileErrors}
      />
      <Export listings={page.listings} />
      <LiveRegion text={file ? announcement(file) : ""} />
    </>
  );
}

/** What has become of the file, for screen readers. */
function announcement({ isImported, counts }: SentFile): string {
  const good = rowCount(counts.created + counts.updated);
  if (isImported) return `Import done: ${good} imported`;
  return `${good} can be imported, ${rowCount(counts.bad)} with errors`;
}

const SETTINGS = <LinkButton to={settingsPath("documents")}>Open Settings</LinkButton>;

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

function Preview({ file }: { file: SentFile & { isImported: false } }) {
  const { counts, stockChanges, good } = file;
  const toImport = counts.created + counts.updated;
  return (
    <section className="card stack import__card" aria-labelledby="import-preview">
      <div className="stack stack--tight">
        <h2 id="import-preview">Check before you import</h2>
        <p className="import__file">{file.fileName}</p>
      </div>
      <Counts
        counts={[
          ["New listings", counts.created],
          ["Updates", counts.updated],
          ["No changes", counts.unchanged],
          ["Rows with errors", counts.bad],
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
          {counts.bad === 0
            ? "Your listings match this file. There is nothing to import."
            : "There is nothing to import. Correct the rows with errors and send the file again."}
        </Callout>
      )}
      <div className="row">
        {toImport > 0 && (
          <Form method="post" encType="multipart/form-data" replace>
            <input type="hidden" name="fileName" value={file.fileName} />
            <input type="hidden" name="text" value={file.text} />
            <input type="hidden" name="checked" value={file.checked} />
            <SubmitButton name="intent" value="import" busyLabel="Importing..." wide={false}>
              {`Import ${rowCount(toImport)}`}
            </SubmitButton>
          </Form>
        )}
        <LinkButton to="/myshop/import" replace variant="soft">
          Discard This File
        </LinkButton>
      </div>
      {toImport > 0 && (
        <p className="quiet">If the connection breaks meanwhile, press again. Nothing is imported twice.</p>
      )}
      {counts.bad > 0 && <BadRows file={file} title="Rows with errors" />}
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

function Result({ file, held }: { file: SentFile; held: number }) {
  const { counts } = file;
  return (
    <section className="card stack import__card" aria-labelledby="import-result">
      <div className="stack stack--tight">
        <h2 id="import-result">Import done</h2>
        <p className="import__file">
          {file.fileName}, {formatDateTime(file.at)}
        </p>
      </div>
      <Counts
        counts={[
          ["New listings", counts.created],
          ["Updates", counts.updated],
          ["No changes", counts.unchanged],
          ["Not imported", counts.bad],
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
      {counts.created > 0 && (
        <Callout tone="gold" icon="camera">
          New listings show a placeholder until you add photos. In My Shop, press “Add photos” on a listing.
        </Callout>
      )}
      {counts.bad > 0 && <BadRows file={file} title="Rows that were not imported" />}
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
