import { EMPTY_LISTING, type ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

interface StockFieldsProps {
  values: ListingValues;
  /** The stock that the seller knows of: from the form's opening, or from the last answer. */
  seen: string;
  error: string | undefined;
}

/** How many pieces there are, in the form of a listing. The number is hidden while "Made to order" is ticked. */
export function StockFields({ values, seen, error }: StockFieldsProps) {
  return (
    <div className="stock-fields">
      <input type="hidden" name="stockSeen" value={seen} />
      <Field
        label="How many do you have?"
        error={error}
        hint="At 3 or fewer, buyers see “Only 3 left”. Each sale lowers the number."
      >
        <TextField
          name="stock"
          inputMode="numeric"
          defaultValue={values.stock || EMPTY_LISTING.stock}
          maxLength={7}
          autoComplete="off"
        />
      </Field>
      <Checkbox id="made-to-order" name="madeToOrder" value="on" defaultChecked={values.madeToOrder === "on"}>
        Made to order (no limit)
      </Checkbox>
    </div>
  );
}
