/** The parts of the form of a listing, from the first to the last. */
import { hasTerms, type ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import type { ListingEditor } from "#app/catalogue/selling/listings.server.ts";
import { PHOTOS_MAX } from "#app/catalogue/photos/photo-list.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import type { FieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { CategoryField } from "./category-field.tsx";
import { OfferFields } from "./offer-fields.tsx";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import type { Photos } from "#app/catalogue/photos/components/use-photos.ts";
import { StockFields } from "./stock-fields.tsx";
import { TypeField } from "./type-field.tsx";
import { WholesaleFields } from "./wholesale-fields.tsx";
import type { Draft } from "./use-draft.ts";

interface PartProps {
  editor: ListingEditor;
  /** What the form holds at first. */
  values: ListingValues;
  errors: FieldErrors;
  draft: Draft;
}

const CHOICES = Object.entries(CONDITION_LABELS).map(([value, label]) => ({ value, label }));

export function PhotosField({ photos, error }: { photos: Photos; error: string | undefined }) {
  return (
    <div data-tour="product-image">
      <PhotoField
        photos={photos}
        label="Photos"
        name="photos"
        fileName="photoFile"
        firstIs="Cover"
        error={error}
        hint={`Up to ${PHOTOS_MAX} photos. The first one is the cover.`}
      />
    </div>
  );
}

export function NameAndType({ editor, values, errors, draft }: PartProps) {
  return (
    <>
      <Field label="Product name" tour="product-name" error={errors.of("name")}>
        <TextField
          name="name"
          defaultValue={values.name}
          autoComplete="off"
          aria-required
          placeholder="For example, Casio fx-991ES Plus"
        />
      </Field>
      <TypeField
        first={editor.type}
        categories={editor.categories}
        defaultValue={values.type}
        error={errors.of("type")}
        onChoose={draft.keep}
        factValues={draft.restored ?? values}
        errorOf={errors.of}
      />
    </>
  );
}

export function Prices({ values, errors }: PartProps) {
  return (
    <div className="listing-form__prices">
      <Field label="Price" tour="product-price" error={errors.of("price")} hint="Enter 0 to give it away.">
        <AmountField name="price" defaultValue={values.price} aria-required />
      </Field>
      <Field label="Original price" error={errors.of("originalPrice")} hint="Optional. Shown crossed out.">
        <AmountField name="originalPrice" defaultValue={values.originalPrice} />
      </Field>
    </div>
  );
}

/** `onSettle`: told whether no new category is being added. */
export function CategoryAndCondition({
  editor,
  values,
  errors,
  draft,
  onSettle,
}: PartProps & { onSettle: (isSettled: boolean) => void }) {
  return (
    <>
      <Field label="Category" tour="product-category" error={errors.of("category")}>
        <CategoryField
          known={editor.categories}
          defaultValue={values.category}
          onChoose={(settled) => {
            onSettle(settled);
            errors.put("category", null);
            draft.keep();
          }}
        />
      </Field>
      <RadioCards
        legend="Condition"
        name="condition"
        choices={CHOICES}
        defaultValue={values.condition || "new"}
        beside
        error={errors.of("condition")}
      />
    </>
  );
}

/** `seen`: the stock that the seller saw. */
export function StockAndSelling({ editor, values, errors, draft, seen }: PartProps & { seen: string }) {
  const { editing, isWholesaler } = editor;
  return (
    <fieldset className="listing-form__section">
      <legend className="listing-form__legend">Stock and selling</legend>
      <StockFields values={values} seen={seen} error={errors.of("stock")} />
      <OfferFields values={values} error={errors.of("lowestOffer")} />
      {isWholesaler && <WholesaleFields values={values} errors={errors} onChange={draft.keep} />}
      {!isWholesaler && editing && hasTerms(editing.values) && (
        <Callout>
          Your smallest order, price steps and SKU stay as they are. You can change them once our team has approved your
          business document.
        </Callout>
      )}
    </fieldset>
  );
}

export function Description({ values, errors }: PartProps) {
  return (
    <Field
      label="Description"
      tour="product-description"
      error={errors.of("description")}
      hint="Say what works, what doesn't, and what's included."
    >
      <TextArea name="description" rows={5} defaultValue={values.description} aria-required />
    </Field>
  );
}
