import "./listing-form.css";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link, useFetcher } from "react-router";
import { editTexts, EMPTY_LISTING, readListingForm, sellingWords } from "#app/catalogue/selling/listing-form-rules.ts";
import type { ListingEditor } from "#app/catalogue/selling/listings.server.ts";
import { sellPath } from "#app/catalogue/selling/sell-path.ts";
import { PHOTOS_MAX } from "#app/catalogue/photos/photo-list.ts";
import { OPENED, writeOpened } from "#app/platform/edit-rules.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import {
  CategoryAndCondition,
  Description,
  NameAndPrice,
  PhotosField,
  StockAndSelling,
  WhatItIs,
} from "./listing-parts.tsx";
import { type ListingAnswer, type ListingRefusal, useOnceSaved, useSending } from "./send-listing.ts";
import { useDraft } from "./use-draft.ts";

interface ListingFormProps {
  editor: ListingEditor;
  /** The last result, for browsers without scripts. */
  answer?: ListingAnswer | null;
  /** Called once the listing is saved. By default the product is shown. */
  onSaved?: (productId: string) => void;
}

/** Where to add the M-Pesa number. From there the way leads back to the new listing. */
function phonePath({ lookedFor }: ListingEditor): string {
  return `/become-seller?next=${encodeURIComponent(lookedFor ? sellPath(lookedFor.id) : "/add-product")}`;
}

/** Adds or edits a product, on a page of its own or in a dialog. A seller without an M-Pesa number adds it first. */
export function ListingForm(props: ListingFormProps) {
  if (!props.editor.needsPhone) return <Fields {...props} />;
  return (
    <EmptyState
      icon="smartphone"
      title="Where should we send your money?"
      sentence="We pay you by M-Pesa once the buyer has the item. Add your number first, then list your product."
      action={<LinkButton to={phonePath(props.editor)}>Add My M-Pesa Number</LinkButton>}
    />
  );
}

/** The form. The browser keeps its values as a draft until it is sent. */
function Fields({ editor, answer = null, onSaved }: ListingFormProps) {
  const { editing } = editor;
  const saving = useFetcher<ListingAnswer>();
  const refused = answerOf(saving.data) ?? answerOf(answer);
  const errors = useFieldErrors(refused?.errors);
  const { ref: form } = errors.form;
  const photos = usePhotos({
    initial: answerOf(answer)?.images ?? editing?.images ?? [],
    max: PHOTOS_MAX,
    withPreview: true,
  });
  const answered = answerOf(answer)?.values;
  const values = answered ?? editing?.values ?? editor.lookedFor?.values ?? EMPTY_LISTING;
  const draft = useDraft({
    editor,
    first: values,
    opens: openedTexts(editor),
    isAnswered: Boolean(answered),
    form,
    photos,
  });
  const [discarded, setDiscarded] = useState(0);
  const [said, setSaid] = useState(() => sellingWords(values));
  const [guide, setGuide] = useState<string | null>(null);
  const [categorySettled, setCategorySettled] = useState(true);
  const action = addressOf(editor);
  const sending = useSending({ saving, action, errors, photos, isSettled: categorySettled });
  useOnceSaved(saving, draft.forget, onSaved);
  /** The refusal after which the form got another id. */
  const renewed = useRef<ListingRefusal>(null);

  function discard(): void {
    draft.discard();
    photos.replace(editing?.images ?? []);
    setSaid(sellingWords(values));
    setDiscarded(discarded + 1);
  }
  function renew(): void {
    // Two presses make one listing.
    if (renewed.current === refused) return;
    renewed.current = refused;
    draft.renew();
  }
  const parts = { editor, values, errors, draft };
  return (
    // A field with the focus is about to be filled in. The form itself takes none.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      key={discarded}
      method="post"
      action={action}
      encType="multipart/form-data"
      className="stack listing-form"
      data-draft=""
      noValidate
      ref={form}
      onSubmit={sending.send}
      onFocus={sending.loadChecks}
      onInput={(event) => {
        errors.form.onInput(event);
        draft.keep();
        setSaid(sellingWords(readListingForm(new FormData(event.currentTarget))));
      }}
    >
      <input type="hidden" name="productId" value={draft.productId} />
      {draft.opened !== null && <input type="hidden" name={OPENED} value={refused?.opened ?? draft.opened} />}
      {editor.lookedFor && <Callout icon="search">{editor.lookedFor.sentence}</Callout>}
      {draft.restored && <RestoredDraft onDiscard={discard} />}
      {errors.of("form") && (
        <Refusal text={errors.of("form")} refused={refused} isBusy={sending.isBusy} onRenew={renew} />
      )}
      <PhotosField photos={photos} error={errors.of("photos")} />
      <div className="stack">
        <NameAndPrice {...parts} guide={guide} />
        <CategoryAndCondition {...parts} onSettle={setCategorySettled} />
        <Description {...parts} />
        <div>
          <WhatItIs {...parts} typedSerial={answerOf(answer)?.serial} onGuide={setGuide} />
          <StockAndSelling {...parts} said={said} seen={refused?.values?.stockSeen ?? draft.stockSeen} />
        </div>
        <div className="sticky-bar">
          <SubmitButton data-tour="product-submit" busy={sending.isBusy} busyLabel={sending.busyLabel}>
            {editing ? "Save Changes" : "Add Product"}
          </SubmitButton>
        </div>
      </div>
    </form>
  );
}

function RestoredDraft({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Callout role="alert" tone="gold" icon="notebook-pen">
      <span className="listing-form__draft">
        We restored your draft.
        <Button variant="ghost" size="small" onClick={onDiscard}>
          Discard draft
        </Button>
      </span>
    </Callout>
  );
}

interface RefusalProps {
  text: string | undefined;
  refused: ListingRefusal | null;
  /** The form is being sent. */
  isBusy: boolean;
  /** Gives the form another id. */
  onRenew: () => void;
}

/** Why the form as a whole was refused, and what helps. */
function Refusal({ text, refused, isBusy, onRenew }: RefusalProps) {
  if (refused?.code === "posted")
    return (
      <Callout tone="red" role="alert">
        <div className="stack stack--tight">
          <p>{text}</p>
          <div className="row">
            <LinkButton variant="soft" size="small" to={`/product/${refused.productId}/edit`}>
              Open the listing
            </LinkButton>
            {/* The form must have its other id before this press sends it. */}
            <Button type="submit" variant="soft" size="small" busy={isBusy} onClick={() => flushSync(onRenew)}>
              List it as a new one
            </Button>
          </div>
        </div>
      </Callout>
    );
  return (
    <Callout tone="red" role="alert">
      {text}{" "}
      {refused?.code === "newcomer" && (
        <Link className="text-link" to="/verified">
          How to get verified
        </Link>
      )}
    </Callout>
  );
}

/** What an edit form was opened with; null for a new listing. */
function openedTexts({ editing, isWholesaler }: ListingEditor): string | null {
  const keys = editing?.images.map(({ key }) => key) ?? [];
  return editing && writeOpened(editTexts(editing.values, keys, isWholesaler));
}

/** Where the form is sent. It isn't the page that shows the form, which may be a shop with a dialog. */
function addressOf({ editing, productId }: ListingEditor): string {
  return editing ? `/product/${productId}/edit` : "/add-product";
}

function answerOf(answer: ListingAnswer | null | undefined): ListingRefusal | null {
  return answer && !answer.ok ? answer : null;
}
