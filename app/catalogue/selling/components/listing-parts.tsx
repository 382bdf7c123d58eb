/** The parts of the form of a listing, from the first to the last. */
import { hasTerms, type ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import type { ListingEditor } from "#app/catalogue/selling/listings.server.ts";
import { PHOTOS_MAX } from "#app/catalogue/photos/photo-list.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { useJson } from "#app/ui/browser/use-json.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import type { FieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { CategoryField } from "./category-field.tsx";
import { MoreFields } from "./more-fields.tsx";
import { OfferFields } from "./offer-fields.tsx";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import type { Photos } from "#app/catalogue/photos/components/use-photos.ts";
import { StockFields } from "./stock-fields.tsx";
import { TypeField } from "./type-field.tsx";
import { usePost } from "./use-post.tsx";
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
        label={`Photos (up to ${PHOTOS_MAX})`}
        name="photos"
        fileName="photoFile"
        firstIs="Cover"
        error={error}
      />
    </div>
  );
}

/** `guide`: what such a thing usually goes for, in words. */
export function NameAndPrice({ editor, values, errors, guide }: PartProps & { guide: string | null }) {
  const { data } = useJson<{ wanted: string | null }>(editor.editing && `/product/${editor.productId}/wanted`);
  const fee = editor.feeText && `Service fee when it sells: ${editor.feeText}`;
  const said = [guide, data?.wanted, fee].filter(Boolean).join(". ");
  const post = usePost(editor.editing === null);
  return (
    <>
      <Field
        label="Product name"
        tour="product-name"
        error={errors.of("name")}
        hint={editor.editing ? undefined : "Or paste your whole WhatsApp post."}
      >
        <TextField
          name="name"
          defaultValue={values.name}
          autoComplete="off"
          aria-required
          placeholder="For example, Casio fx-991ES Plus"
          {...post.field}
        />
      </Field>
      {post.panel}
      <Field label="Price" tour="product-price" error={errors.of("price")} hint={said}>
        <AmountField name="price" defaultValue={values.price} aria-required placeholder="0 to give it away" />
      </Field>
    </>
  );
}

export function WhatItIs({
  editor,
  values,
  errors,
  draft,
  typedSerial,
  onGuide,
}: PartProps & { typedSerial: string | undefined; onGuide: (text: string | null) => void }) {
  return (
    <TypeField
      first={editor.type}
      categories={editor.categories}
      defaultValue={values.type}
      error={errors.of("type")}
      onChoose={draft.keep}
      onGuide={onGuide}
      factValues={draft.restored ?? values}
      serialEnding={editor.serialEnding}
      typedSerial={typedSerial}
      errorOf={errors.of}
    />
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

/** The fields of stock and selling, for their errors. Those of price steps are numbered. */
const SELLING_FIELDS = /^(?:originalPrice|stock|lowestOffer|minQuantity|sku|step\w+)$/;

interface SellingProps extends PartProps {
  /** What these fields say now, in words. */
  said: string;
  /** The stock that the seller saw. */
  seen: string;
}

export function StockAndSelling({ editor, values, errors, draft, said, seen }: SellingProps) {
  const { editing, isWholesaler } = editor;
  return (
    <MoreFields title="Stock and selling" said={said} mustOpen={errors.some((name) => SELLING_FIELDS.test(name))}>
      <StockFields values={values} seen={seen} error={errors.of("stock")} />
      <Field
        label="Original price"
        optional
        error={errors.of("originalPrice")}
        hint="Shown crossed out beside your price."
      >
        <AmountField name="originalPrice" defaultValue={values.originalPrice} />
      </Field>
      <OfferFields values={values} error={errors.of("lowestOffer")} />
      {isWholesaler && <WholesaleFields values={values} errors={errors} onChange={draft.keep} />}
      {!isWholesaler && editing && hasTerms(editing.values) && (
        <Callout>
          Your smallest order, price steps and SKU stay as they are. You can change them once our team has approved your
          business document.
        </Callout>
      )}
    </MoreFields>
  );
}

export function Description({ editor, values, errors }: PartProps) {
  return (
    <Field label="Description" tour="product-description" error={errors.of("description")}>
      <TextArea
        name="description"
        rows={editor.editing ? 5 : 2}
        defaultValue={values.description}
        aria-required
        placeholder="What works, what doesn't, what's included"
      />
    </Field>
  );
}
