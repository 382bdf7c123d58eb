import { FACT_MAX, type FactField, type FactFieldData } from "#app/catalogue/facts/fact-field-rules.ts";
import { factFieldsIn } from "#app/catalogue/selling/listing-form-rules.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

/** What the fields hold: empty for what the name says. */
export type FactValues = Readonly<Record<FactField, string>>;

interface FactFieldsProps {
  fields: readonly FactFieldData[];
  /** What they hold. */
  values: FactValues;
  onChange: (field: FactField, value: string) => void;
  errorOf: (field: string) => string | undefined;
}

/** What such a thing has: its brand, its size … All of it is optional. */
export function FactFields({ fields, values, onChange, errorOf }: FactFieldsProps) {
  // What was chosen stays while the server is asked what the listing is.
  const kept = factFieldsIn(values).filter((field) => values[field] && !fields.some((one) => one.field === field));
  const said = fields.filter((one) => one.said !== null && !values[one.field]);
  return (
    <>
      {fields.length > 0 && (
        <div className="fact-fields">
          {said.length > 0 && (
            <p className="quiet small fact-fields__said">
              From its name: {said.map((one) => `${one.label.toLowerCase()} ${one.said}`).join(", ")}. Change what isn't
              right.
            </p>
          )}
          {fields.map(({ field, label, kind, said: named, choices }) => (
            // Another kind of thing has other choices, among which the chosen one may be.
            <Field key={`${field} ${choices.map(({ value }) => value).join()}`} label={label} error={errorOf(field)}>
              {kind === "text" ? (
                <TextField
                  name={field}
                  defaultValue={values[field]}
                  onChange={({ currentTarget }) => onChange(field, currentTarget.value)}
                  autoComplete="off"
                  maxLength={FACT_MAX}
                  placeholder={named ?? "Optional"}
                />
              ) : (
                <Select
                  name={field}
                  defaultValue={values[field]}
                  onChange={({ currentTarget }) => onChange(field, currentTarget.value)}
                >
                  <option value="">{emptyText(named, values[field])}</option>
                  {choices.map(({ value, label: shown }) => (
                    <option key={value} value={value}>
                      {shown}
                    </option>
                  ))}
                  {(named !== null || values[field] === "none") && <option value="none">Not said</option>}
                </Select>
              )}
            </Field>
          ))}
        </div>
      )}
      {kept.map((field) => (
        <input key={field} type="hidden" name={field} value={values[field]} />
      ))}
    </>
  );
}

/** The choice that leaves it to the name. A closed field on a phone has room for few letters. */
function emptyText(named: string | null, chosen: string | undefined): string {
  if (named === null) return "Not said";
  return chosen ? `${named}, as its name says` : named;
}
