import { data, type LoaderFunctionArgs, redirect } from "react-router";
import { newcomerListingText } from "#app/accounts/trust/newcomer-texts.ts";
import { readListing, seenStock, stockText } from "#app/catalogue/selling/listing-rules.ts";
import { LISTING_ANSWERS } from "#app/catalogue/selling/listing-answers.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import {
  EDIT_UNITS,
  type EditField,
  editTexts,
  EMPTY_LISTING,
  LISTING_MAX,
  type ListingErrors,
  type ListingValues,
  readListingForm,
} from "#app/catalogue/selling/listing-form-rules.ts";
import { readSerial } from "#app/catalogue/serials/serial-rules.ts";
import { SERIAL_TEXTS } from "#app/catalogue/serials/serial-texts.ts";
import { keepSerial, type KeptSerial } from "#app/catalogue/serials/serials.server.ts";
import { fillFromPost } from "#app/catalogue/selling/post-values.ts";
import { POST_MAX, readPost } from "#app/catalogue/selling/read-post-rules.ts";
import { readWholesale } from "#app/catalogue/selling/wholesale-rules.ts";
import { createListing, type ListingEditor, openListing, saveListing } from "#app/catalogue/selling/listings.server.ts";
import { factField, factOfField } from "#app/catalogue/facts/fact-field-rules.ts";
import { chosenText } from "#app/catalogue/facts/listing-facts.ts";
import { choiceText } from "#app/catalogue/types/choose-type.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { stockReservedText, stockChangedText } from "#app/catalogue/selling/listing-stock-rules.ts";
import { heldSentence, heldWhileBoughtText } from "#app/catalogue/selling/held-rules.ts";
import { PHOTOS_MAX } from "#app/catalogue/photos/photo-list.ts";
import { PHOTO_MAX_BYTES, PHOTO_TEXTS } from "#app/catalogue/photos/photo-rules.ts";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import {
  conflictErrors,
  conflictText,
  mergeEdit,
  readOpened,
  UNCHANGED,
  writeOpened,
} from "#app/platform/edit-rules.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { readFileForm } from "#app/request/form-data.server.ts";
import { withJust } from "#app/ui/feedback/just.ts";
import { takePhotos } from "./photo-fields.server.ts";
import { UUID } from "#app/platform/uuid-rules.ts";

/** The answer to the listing form. When it is refused, it contains what was typed, for browsers without scripts. */
export type ListingAnswer =
  | {
      ok: true;
      productId: string;
      message: string;
      /** A new listing that buyers see now: not after a change, and not while our team looks at it. */
      isLive: boolean;
    }
  | {
      ok: false;
      code?: ListingAnswerCode;
      /** Of the listing that has the form's id. */
      productId?: string;
      errors: ListingErrors;
      values?: ListingValues;
      images?: ProductImage[];
      /** The serial number that was typed. */
      serial?: string;
      /** What the form counts as opened with, once its conflicts with another change have been shown. */
      opened?: string;
    };

/** Refusals that come with a link: to the listing, and to how to be verified. */
type ListingAnswerCode = "posted" | "newcomer";

/** Bytes: the fields and one original photo, which browsers without scripts send as it is. */
const MAX_FORM = PHOTO_MAX_BYTES + 1024 * 1024;

const REFUSALS = {
  category: { category: "Category is required" },
  type: { type: LISTING_ANSWERS.type },
  photos: { photos: PHOTO_TEXTS.gone },
  posted: { form: LISTING_ANSWERS.posted },
  too_many: { form: LISTING_ANSWERS.too_many },
  account: { form: LISTING_TEXTS.add_failed },
  wholesale: { form: LISTING_ANSWERS.wholesale },
  changed: { form: LISTING_ANSWERS.changed },
  sku: { sku: LISTING_ANSWERS.sku },
  serial_often: { serial: SERIAL_TEXTS.saved_often },
} satisfies Record<string, ListingErrors>;

/**
 * Saves the listing form: changes product `editedId`, or adds a product under the id that the form was given. Scripts,
 * which send `scripted`, get a result; other browsers are redirected to the product.
 * @throws a 404 response for a listing of somebody else
 */
export async function listingAction(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  editedId: string | null,
) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  if (!(await services.limits.write(viewer.id))) return refuse({ errors: { form: TOO_MANY_REQUESTS } }, 429);
  const sent = await readFileForm(request, MAX_FORM);
  if (!sent.ok)
    return refuse(
      { errors: { photos: sent.code === "too_large" ? PHOTO_TEXTS.too_large : PHOTO_TEXTS.unreadable } },
      sent.code === "too_large" ? 413 : 400,
    );

  const typed = readListingForm(sent.form);
  const photos = await takePhotos(services, viewer.id, sent.form, { max: PHOTOS_MAX, bucket: "media" });
  const current = editedId === null ? null : await openListing(services, viewer.id, editedId);
  const edit = current?.editing
    ? await mergeListing(services.db, current.editing, typed, photos.keys, sent.form)
    : null;
  // Only a listing that is sold out already can be saved without pieces.
  const values = edit?.values ?? { ...typed, stockSeen: EMPTY_LISTING.stockSeen };
  const photoKeys = edit?.photoKeys ?? photos.keys;
  const reading = readListing(values);
  const { wholesale, errors: wholesaleErrors } = readWholesale(sent.form, values);
  const productId = editedId ?? String(sent.form.get("productId"));
  const back = async (errors: ListingErrors, code?: ListingAnswerCode, change?: Partial<ListingValues>) =>
    refuse(
      {
        code,
        ...(code === "posted" && { productId }),
        errors,
        values: { ...values, ...change },
        images: (await findPhotos(services.db, viewer.id, photoKeys)) ?? [],
        serial: typedSerial(sent.form),
        opened: edit?.opened,
      },
      400,
    );
  if (sent.isCut) return back({ photos: PHOTO_TEXTS.too_large });
  const [post, isScripted] = [typed.name, sent.form.has("scripted")];
  // Scripts ask before they take a post apart.
  if (editedId === null && !isScripted && [...post].length > LISTING_MAX.name && post.length <= POST_MAX)
    return back({ form: LISTING_ANSWERS.post_read }, undefined, fillFromPost(values, readPost(post)));
  if (editedId === null && !viewer.phone) return back({ form: LISTING_ANSWERS.phone });
  const found: ListingErrors = { ...(photos.error !== null && { photos: photos.error }), ...wholesaleErrors };
  const serial = readTypedSerial(sent.form, services.passwordPepper);
  if (serial && "error" in serial) found.serial = serial.error;
  if (edit && Object.keys(edit.errors).length > 0) return back({ ...found, ...edit.errors });
  if (!reading.ok) return back({ ...found, ...reading.errors });
  if (Object.keys(found).length > 0) return back(found);
  if (!UUID.test(productId)) return back({ form: LISTING_TEXTS.add_failed });

  const seller = { id: viewer.id, name: viewer.fullName, campusLocation: viewer.campusLocation };
  const kept = serial && "error" in serial ? undefined : serial;
  const input = { productId, listing: reading.listing, wholesale, serial: kept, photoKeys };
  if (edit?.isUnchanged && kept === undefined) return finish(UNCHANGED);
  const saved =
    editedId === null
      ? await createListing(services, openHeldCases, { seller, ...input })
      : await saveListing(services, openHeldCases, {
          sellerId: viewer.id,
          ...input,
          stockSeen: seenStock(values),
          mergedWith: edit?.mergedWith,
        });
  if (!saved.ok) {
    if (saved.code === "not_found") throw data(null, { status: 404 });
    // The typed number stays in the form. Saving again replaces the number that the error names.
    if (saved.code === "stock_changed")
      return back({ stock: stockChangedText(saved.stock) }, undefined, { stockSeen: stockText(saved.stock) });
    if (saved.code === "stock_reserved") return back({ stock: stockReservedText(saved.reserved) });
    if (saved.code === "held_while_bought") return back({ [saved.field]: heldWhileBoughtText(saved.heldFor) });
    if (saved.code === "serial_kept") return back({ [saved.field]: LISTING_ANSWERS.serial_kept[saved.field] });
    if (saved.code === "facts") return back(fieldErrors(saved.errors));
    if (saved.code === "newcomer") return back({ form: newcomerListingText(saved.until, services.now()) }, "newcomer");
    return back(REFUSALS[saved.code], saved.code === "posted" ? "posted" : undefined);
  }
  const success = editedId === null ? LISTING_ANSWERS.added : LISTING_ANSWERS.updated;
  const message = saved.heldFor === null ? success : heldSentence(saved.heldFor);
  return finish(message, editedId === null && saved.heldFor === null);

  async function finish(text: string, isLive = false) {
    if (isScripted) return data<ListingAnswer>({ ok: true, productId, message: text, isLive });
    if (isLive) throw redirect(withJust(`/product/${productId}`, "listed"));
    throw await redirectWithFlash(services, `/product/${productId}`, { kind: "success", text });
  }
}

/**
 * The serial number that was typed: "-" takes it away (null), and nothing leaves it as it is (undefined). It is no
 * value of the form, because a draft on a shared phone would keep it.
 */
function readTypedSerial(form: FormData, pepper: string): KeptSerial | { error: string } | null | undefined {
  const typed = typedSerial(form);
  if (typed === "") return undefined;
  if (/^[-–]$/.test(typed)) return null;
  const reading = readSerial(typed);
  return reading.ok ? keepSerial(reading.serial, pepper) : { error: reading.error };
}

function typedSerial(form: FormData): string {
  const sent = form.get("serial");
  return typeof sent === "string" ? sent.trim() : "";
}

/** The errors of facts at their fields. */
function fieldErrors(errors: Record<string, string>): ListingErrors {
  return Object.fromEntries(Object.entries(errors).map(([id, error]) => [factField(id), error]));
}

/** The edit with what was changed in another place since its form was opened. */
async function mergeListing(
  db: Database,
  editing: NonNullable<ListingEditor["editing"]>,
  typed: ListingValues,
  typedKeys: readonly string[],
  form: FormData,
) {
  const isWholesaler = form.has("minQuantity");
  const merged = mergeEdit<EditField>(
    {
      opened: readOpened(form),
      now: editTexts(
        editing.values,
        editing.images.map(({ key }) => key),
        isWholesaler,
      ),
      mine: editTexts(typed, typedKeys, isWholesaler),
    },
    EDIT_UNITS,
  );
  const { photos, ...texts } = merged.values;
  const { stock, madeToOrder, stockSeen } = typed;
  const isSameStock = (madeToOrder === "on" ? stockText(null) : stock.trim()) === stockSeen;
  const errors = conflictErrors(merged);
  if (errors.photos) errors.photos = PHOTO_TEXTS.changed;
  const type = merged.conflicts.find(({ field }) => field === "type");
  if (type) {
    const table = await readTypeTable(db);
    errors.type = conflictText(choiceText(type.now, table), choiceText(merged.values.type, table));
  }
  for (const { field, now } of merged.conflicts) {
    const id = factOfField(field);
    if (id !== null) errors[field] = conflictText(chosenText(id, now), chosenText(id, merged.values[field] ?? ""));
  }
  return {
    values: { ...typed, ...texts, stock, madeToOrder, stockSeen } satisfies ListingValues,
    photoKeys: photos === "" ? [] : photos.split(" "),
    errors: errors as ListingErrors,
    opened: writeOpened(merged.opened),
    isUnchanged: merged.isUnchanged && isSameStock,
    mergedWith: editing.updatedAt,
  };
}

function refuse(answer: Omit<Extract<ListingAnswer, { ok: false }>, "ok">, status: number) {
  return data<ListingAnswer>({ ok: false, ...answer }, status);
}
