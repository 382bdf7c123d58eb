import { useEffect, useRef, useState } from "react";
import { STEP_ROWS, type WholesaleValues } from "#app/catalogue/selling/listing-form-rules.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

interface WholesaleFieldsProps {
  values: WholesaleValues;
  errors: { of(name: string): string | undefined; put(name: string, error: string | null): void };
  /** Called when a row is removed, which isn't typing. */
  onChange: () => void;
}

interface Row {
  id: number;
  from: string;
  price: string;
}

/**
 * The smallest order, the price steps and the SKU, in the form of a verified wholesaler's listing. Without scripts all
 * rows of steps are shown.
 */
export function WholesaleFields({ values, errors, onChange }: WholesaleFieldsProps) {
  const [rows, setRows] = useState(() => rowsOf(values));
  const [used, setUsed] = useState(() => rows.filter(isFilled).length);
  /** The selector of what gets the focus once the rows have changed; null for nothing. */
  const focusNext = useRef<string | null>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (focusNext.current === null) return;
    list.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });

  function add() {
    setUsed(used + 1);
    focusNext.current = `[name="stepFrom${used + 1}"]`;
  }
  /** A draft fills in rows, too. */
  function showFilled(name: string) {
    const at = STEP_ROWS.findIndex((row) => name === `stepFrom${row}` || name === `stepPrice${row}`);
    if (at >= used) setUsed(at + 1);
  }
  function remove(id: number) {
    setRows([
      ...rows.filter((row) => row.id !== id),
      { id: Math.max(...rows.map((row) => row.id)) + 1, from: "", price: "" },
    ]);
    setUsed(used - 1);
    focusNext.current = "[data-add]";
    for (const row of STEP_ROWS) for (const field of [`stepFrom${row}`, `stepPrice${row}`]) errors.put(field, null);
    onChange();
  }
  return (
    <>
      <Field label="Smallest order" optional error={errors.of("minQuantity")} hint="Pieces. Buyers can't order fewer.">
        <TextField
          name="minQuantity"
          inputMode="numeric"
          defaultValue={values.minQuantity}
          maxLength={6}
          autoComplete="off"
        />
      </Field>
      <div
        className="step-fields"
        role="group"
        aria-labelledby="price-steps"
        ref={list}
        onInput={({ target }) => showFilled((target as HTMLInputElement).name)}
      >
        <p className="field__label" id="price-steps">
          Price steps <span className="field__optional">(optional)</span>
        </p>
        <p className="field__hint">A lower price for each piece of a larger order.</p>
        {rows.map((row, at) => {
          const number = STEP_ROWS[at];
          if (!number) return null;
          return (
            <StepRow
              key={row.id}
              row={row}
              number={number}
              isSpare={at >= used}
              errorOf={errors.of}
              onRemove={() => remove(row.id)}
            />
          );
        })}
        {used < STEP_ROWS.length && (
          <Button className="step-fields__scripted" variant="soft" icon="plus" data-add onClick={add}>
            Add a price step
          </Button>
        )}
      </div>
      <Field label="SKU" optional error={errors.of("sku")} hint="Your own code for this product. Buyers don't see it.">
        <TextField name="sku" defaultValue={values.sku} maxLength={40} autoComplete="off" />
      </Field>
    </>
  );
}

interface StepRowProps {
  row: Row;
  /** Its place, in the names of its fields. */
  number: (typeof STEP_ROWS)[number];
  /** Empty, and not asked for. */
  isSpare: boolean;
  errorOf: (name: string) => string | undefined;
  onRemove: () => void;
}

function StepRow({ row, number, isSpare, errorOf, onRemove }: StepRowProps) {
  return (
    <div className="step-fields__row" data-spare={isSpare || undefined}>
      <Field label="From" error={errorOf(`stepFrom${number}`)}>
        <TextField
          name={`stepFrom${number}`}
          aria-label={`Step ${number}: from how many pieces`}
          inputMode="numeric"
          defaultValue={row.from}
          maxLength={7}
          autoComplete="off"
        />
      </Field>
      <Field label="Price each" error={errorOf(`stepPrice${number}`)}>
        <AmountField name={`stepPrice${number}`} aria-label={`Step ${number}: price each`} defaultValue={row.price} />
      </Field>
      <IconButton
        className="step-fields__scripted"
        icon="trash-2"
        variant="ghost"
        label={`Remove step ${number}`}
        onClick={onRemove}
      />
    </div>
  );
}

/** All rows of the form, the filled ones first. */
function rowsOf(values: WholesaleValues): Row[] {
  const rows = STEP_ROWS.map((row) => ({ id: row, from: values[`stepFrom${row}`], price: values[`stepPrice${row}`] }));
  return [...rows.filter(isFilled), ...rows.filter((row) => !isFilled(row))];
}

function isFilled({ from, price }: Row): boolean {
  return from !== "" || price !== "";
}
