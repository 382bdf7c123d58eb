import type { ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

interface OfferFieldsProps {
  values: ListingValues;
  error: string | undefined;
}

/** Whether buyers can make offers, in the form of a listing. The lowest price shows while the box is ticked. */
export function OfferFields({ values, error }: OfferFieldsProps) {
  return (
    <div className="offer-fields">
      <Checkbox id="takes-offers" name="takesOffers" value="on" defaultChecked={values.takesOffers === "on"}>
        Let buyers make offers
      </Checkbox>
      <p className="quiet small">
        A buyer names a lower price, and you accept it, decline it or name another. Big changes to the listing end open
        offers.
      </p>
      <Field
        label="Lowest price you'd accept (only you see this)"
        error={error}
        optional
        hint="We politely decline lower offers for you, without saying what your lowest price is."
      >
        <AmountField name="lowestOffer" defaultValue={values.lowestOffer} />
      </Field>
    </div>
  );
}
