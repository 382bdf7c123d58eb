import { Form } from "react-router";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { COLUMN_HEADERS, COLUMNS, FILE_MAX, type OwnColumn } from "#app/catalogue/import/listing-columns.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

export interface SendFileProps {
  /** Another file waits for its start. */
  again: boolean;
  categories: readonly string[];
  /** The columns for what such a thing has: its brand, its size … */
  facts: readonly string[];
  /** Why the last file was refused. */
  errors: { file: string } | null;
}

/** The form that sends a file, with the template and what goes in each column. */
export function SendFile({ again, categories, facts, errors: refused }: SendFileProps) {
  const errors = useFieldErrors(refused);
  return (
    <section className="card stack import__card" aria-labelledby="import-send">
      <h2 id="import-send">{again ? "Send another file" : "Send a file"}</h2>
      <p>
        Fill in the template in Excel or Google Sheets and save it as CSV. We check the file first. Nothing changes
        until you start the import.
      </p>
      <p>
        <a className="text-link" href="/myshop/import/template.csv" download>
          Download the template
        </a>
      </p>
      <Form method="post" encType="multipart/form-data" className="stack" replace {...errors.form}>
        <Field label="CSV file" hint={`Up to ${FILE_MAX.rows} rows and 1 MB.`} error={errors.of("file")}>
          <FileField
            name="file"
            accept=".csv,text/csv,text/plain"
            accepted="CSV from Excel or Google Sheets"
            onChoose={() => errors.put("file", null)}
            sizeOf={(bytes) => `${Math.ceil(bytes / 1000).toLocaleString("en")} KB`}
          />
        </Field>
        <SubmitButton name="intent" value="check" busyLabel="Checking..." wide={false}>
          Check the File
        </SubmitButton>
      </Form>
      <details className="import__help">
        <summary>What goes in each column</summary>
        <dl>
          {COLUMNS.map((column) => (
            <div key={column}>
              <dt>{COLUMN_HEADERS[column]}</dt>
              <dd>{COLUMN_HELP[column]}</dd>
            </div>
          ))}
          <div>
            <dt>{facts.join(", ")}</dt>
            <dd>
              Optional, where a thing has them. Leave a cell empty where the name says it. Write “Not said” where the
              name seems to say something wrong.
            </dd>
          </div>
        </dl>
        <p>Photos aren't part of the file. Add them to each listing afterwards.</p>
      </details>
      <details className="import__help">
        <summary>Names of categories</summary>
        <p>{categories.join(", ")}</p>
      </details>
    </section>
  );
}

const COLUMN_HELP: Record<OwnColumn, string> = {
  sku: "Your own code for the product. Send the same SKU again to update that listing.",
  name: "What buyers read first.",
  description: "What's included, and anything a buyer should know. Several lines are fine.",
  price: "For one piece, in KES: 1500 or 1,500. 0 means free.",
  originalPrice: "Optional. Shown crossed out, so it must be higher than the price.",
  category: "The name of a category on Chuoni, such as those below.",
  condition: `${Object.values(CONDITION_LABELS).join(", ")}.`,
  stock: "How many pieces you have. Leave it empty if you make them to order.",
  minQuantity: "The fewest pieces in one order. Leave it empty for 1.",
  steps:
    "Lower prices for larger orders, as pieces:price. 12:85; 48:80 means KES 85 each from 12 pieces and KES 80 from 48.",
  takesOffers: "Yes if buyers can make an offer. Empty means no. It has no effect with a smallest order.",
  lowestOffer: "Optional. We decline offers below this price for you. Buyers never see it.",
};
