import "./listing-form.css";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, useFetcher } from "react-router";
import {
  editTexts,
  EMPTY_LISTING,
  hasTerms,
  type ListingErrors,
  type ListingValues,
} from "#app/catalogue/selling/listing-form-rules.ts";
import type { ListingEditor } from "#app/catalogue/selling/listings.server.ts";
import { PHOTOS_MAX } from "#app/catalogue/photos/photo-list.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { OPENED, writeOpened } from "#app/platform/edit-rules.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { useLateNavigate } from "#app/ui/browser/use-late-navigate.ts";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { toast, type ToastOptions } from "#app/ui/feedback/toast.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { CategoryField } from "./category-field.tsx";
import { OfferFields } from "./offer-fields.tsx";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import { StockFields } from "./stock-fields.tsx";
import { TypeField } from "./type-field.tsx";
import { WholesaleFields } from "./wholesale-fields.tsx";
import { useDraft } from "./use-draft.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";

/** The answer of the form's address. */
type Answer =
  | { ok: true; productId: string; message: string; whatsApp: string | null }
  | {
      ok: false;
      code?: "posted" | "newcomer";
      errors: ListingErrors;
      values?: ListingValues;
      images?: ProductImage[];
      opened?: string;
    };

interface ListingFormProps {
  editor: ListingEditor;
  /** The last result, for browsers without scripts. */
  answer?: Answer | null;
  /** Called once the listing is saved. By default the product is shown. */
  onSaved?: (productId: string) => void;
}

/** Checks the form before it is sent. Its script loads when the seller begins to write. */
type FindErrors = (form: FormData) => ListingErrors;

/** If that script doesn't load, the server alone checks the form. */
const findNone: FindErrors = () => ({});

const CHOICES = Object.entries(CONDITION_LABELS).map(([value, label]) => ({ value, label }));

/** Where to add the M-Pesa number. From there the way leads back to a new listing. */
const PHONE_PATH = `/become-seller?next=${encodeURIComponent("/add-product")}`;

/** Adds or edits a product, on a page of its own or in a dialog. A seller without an M-Pesa number adds it first. */
export function ListingForm(props: ListingFormProps) {
  if (!props.editor.needsPhone) return <Fields {...props} />;
  return (
    <EmptyState
      icon="smartphone"
      title="Where should we send your money?"
      sentence="We pay you by M-Pesa once the buyer has the item. Add your number first, then list your product."
      action={<LinkButton to={PHONE_PATH}>Add My M-Pesa Number</LinkButton>}
    />
  );
}

/** The form. The browser keeps its values as a draft until it is sent. */
function Fields({ editor, answer = null, onSaved }: ListingFormProps) {
  const { editing } = editor;
  const saving = useFetcher<Answer>();
  const navigate = useLateNavigate();
  const refused = answerOf(saving.data) ?? answerOf(answer);
  const errors = useFieldErrors(refused?.errors);
  const photos = usePhotos({
    initial: answerOf(answer)?.images ?? editing?.images ?? [],
    max: PHOTOS_MAX,
    withPreview: true,
  });
  const answered = answerOf(answer)?.values;
  const values = answered ?? editing?.values ?? EMPTY_LISTING;
  const draft = useDraft({
    editor,
    first: values,
    opens: openedTexts(editor),
    isAnswered: Boolean(answered),
    form: errors.form.ref,
    photos,
  });
  const [discarded, setDiscarded] = useState(0);
  const [categorySettled, setCategorySettled] = useState(true);
  // The button was pressed before the checks had come, or while photos were still uploading. The form is sent
  // afterwards.
  const [pressed, setPressed] = useState(false);
  const [findErrors, setFindErrors] = useState<FindErrors | null>(null);
  const underWay = !findErrors || photos.busy || !categorySettled;
  const busy = saving.state !== "idle" || (pressed && underWay);
  const { ref: form } = errors.form;

  useEffect(() => {
    if (pressed && !underWay) form.current?.requestSubmit();
  }, [pressed, underWay, form]);

  // The draft is deleted as soon as the listing is saved. On a slow network the screen's data takes longer, and the
  // seller may leave before it arrives.
  const accepted = saving.data?.ok === true;
  const forget = useRef(draft.forget);
  useEffect(() => {
    forget.current = draft.forget;
  });
  useEffect(() => {
    if (accepted) forget.current();
  }, [accepted]);

  // Navigating while the router still reloads the screen's data would end at the right address with the wrong screen.
  const saved = saving.data?.ok && saving.state === "idle" ? saving.data : null;
  const finish = useRef<(done: Extract<Answer, { ok: true }>) => void>(undefined);
  useEffect(() => {
    finish.current = ({ productId, message, whatsApp }) => {
      draft.forget();
      toast.success(message, whatsApp === null ? undefined : shareOnWhatsApp(whatsApp));
      if (onSaved) onSaved(productId);
      else navigate(`/product/${productId}`);
    };
  });
  useEffect(() => {
    if (saved) finish.current?.(saved);
  }, [saved]);

  async function loadChecks(): Promise<void> {
    const { findListingErrors } = await import("#app/catalogue/selling/listing-rules.ts");
    setFindErrors(() => findListingErrors);
  }
  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (saving.state !== "idle") return;
    setPressed(!findErrors);
    if (!findErrors) return void loadChecks().catch(() => setFindErrors(() => findNone));
    const sent = new FormData(event.currentTarget);
    const found: ListingErrors = {
      ...findErrors(sent),
      ...(photos.failed && { photos: "Try uploading the photo again, or remove it" }),
    };
    if (Object.keys(found).length > 0) return errors.show(found);
    if (underWay) return setPressed(true);
    sent.delete("photoFile");
    sent.append("scripted", "yes");
    void saving.submit(sent, { method: "post", action: addressOf(editor), encType: "multipart/form-data" });
  }
  function discard(): void {
    draft.discard();
    photos.replace(editing?.images ?? []);
    setDiscarded(discarded + 1);
  }
  return (
    // A field with the focus is about to be filled in. The form itself takes none.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      key={discarded}
      method="post"
      action={addressOf(editor)}
      encType="multipart/form-data"
      className="stack listing-form"
      noValidate
      ref={form}
      onSubmit={send}
      onFocus={() => void loadChecks().catch(() => undefined)}
      onInput={(event) => {
        errors.form.onInput(event);
        draft.keep();
      }}
    >
      <input type="hidden" name="productId" value={draft.productId} />
      {draft.opened !== null && <input type="hidden" name={OPENED} value={refused?.opened ?? draft.opened} />}
      {draft.restored && (
        <Callout role="status" tone="gold" icon="notebook-pen">
          <span className="listing-form__draft">
            We restored your draft.
            <Button variant="ghost" size="small" onClick={discard}>
              Discard draft
            </Button>
          </span>
        </Callout>
      )}
      {errors.of("form") && (
        <Callout tone="red" role="alert">
          {errors.of("form")}{" "}
          {refused?.code === "posted" && (
            <Link className="text-link" to={`/product/${draft.productId}/edit`}>
              Open the listing
            </Link>
          )}
          {refused?.code === "newcomer" && (
            <Link className="text-link" to="/verified">
              How to get verified
            </Link>
          )}
        </Callout>
      )}
      <div data-tour="product-image">
        <PhotoField
          photos={photos}
          label="Photos"
          name="photos"
          fileName="photoFile"
          firstIs="Cover"
          error={errors.of("photos")}
          hint={`Up to ${PHOTOS_MAX} photos. The first one is the cover.`}
        />
      </div>
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
      <div className="listing-form__prices">
        <Field label="Price" tour="product-price" error={errors.of("price")} hint="Enter 0 to give it away.">
          <AmountField name="price" defaultValue={values.price} aria-required />
        </Field>
        <Field label="Original price" error={errors.of("originalPrice")} hint="Optional. Shown crossed out.">
          <AmountField name="originalPrice" defaultValue={values.originalPrice} />
        </Field>
      </div>
      <Field label="Category" tour="product-category" error={errors.of("category")}>
        <CategoryField
          known={editor.categories}
          defaultValue={values.category}
          onChoose={(settled) => {
            setCategorySettled(settled);
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
      <fieldset className="listing-form__section">
        <legend className="listing-form__legend">Stock and selling</legend>
        <StockFields values={values} seen={refused?.values?.stockSeen ?? draft.stockSeen} error={errors.of("stock")} />
        <OfferFields values={values} error={errors.of("lowestOffer")} />
        {editor.isWholesaler && <WholesaleFields values={values} errors={errors} onChange={draft.keep} />}
        {!editor.isWholesaler && editing && hasTerms(editing.values) && (
          <Callout>
            Your smallest order, price steps and SKU stay as they are. You can change them once our team has approved
            your business document.
          </Callout>
        )}
      </fieldset>
      <Field
        label="Description"
        tour="product-description"
        error={errors.of("description")}
        hint="Say what works, what doesn't, and what's included."
      >
        <TextArea name="description" rows={5} defaultValue={values.description} aria-required />
      </Field>
      <SubmitButton
        data-tour="product-submit"
        busy={busy}
        busyLabel={pressed && photos.busy ? "Waiting for photos..." : "Saving..."}
      >
        {editing ? "Save Changes" : "Add Product"}
      </SubmitButton>
    </form>
  );
}

/** What an edit form was opened with; null for a new listing. */
function openedTexts({ editing, isWholesaler }: ListingEditor): string | null {
  const keys = editing?.images.map(({ key }) => key) ?? [];
  return editing && writeOpened(editTexts(editing.values, keys, isWholesaler));
}

/** Long enough to decide whether to share, in ms. */
const SHARE_TOAST_MS = 10_000;

/**
 * The button in the message that a listing is published. Students sell mostly in the WhatsApp groups of their campus.
 */
function shareOnWhatsApp(link: string): ToastOptions {
  return {
    duration: SHARE_TOAST_MS,
    action: { label: "Share on WhatsApp", onPress: () => window.open(link, "_blank", "noreferrer") },
  };
}

/** Where the form is sent. It isn't the page that shows the form, which may be a shop with a dialog. */
function addressOf({ editing, productId }: ListingEditor): string {
  return editing ? `/product/${productId}/edit` : "/add-product";
}

function answerOf(answer: Answer | null | undefined) {
  return answer && !answer.ok ? answer : null;
}
