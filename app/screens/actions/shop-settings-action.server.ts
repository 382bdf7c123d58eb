import { type ActionFunctionArgs, data } from "react-router";
import { lastDayOf, readHoliday } from "#app/accounts/profile/holiday.ts";
import { mergeAndSave } from "./merge-and-save.server.ts";
import { PHOTO_MAX_BYTES, PHOTO_TEXTS, PORTRAIT_SIDES } from "#app/catalogue/photos/photo-rules.ts";
import { conflictErrors, mergeEdit, readOpened, UNCHANGED, writeOpened } from "#app/platform/edit-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readFileForm } from "#app/request/form-data.server.ts";
import { takePhoto } from "./photo-fields.server.ts";
import type { Services } from "#app/request/services.ts";
import type { ShopAnswer } from "#app/shops/components/shop-form.tsx";
import { readShop } from "#app/shops/shop-check-rules.ts";
import {
  detailsOf,
  HOLIDAY_TEXTS,
  readShopForm,
  SHOP_TEXTS,
  shopTexts,
  shopValues,
} from "#app/shops/shop-form-rules.ts";
import type { HolidayAnswer } from "#app/shops/components/holiday-form.tsx";
import { changeHoliday, findShopEditor, saveShop } from "#app/shops/shop-settings.server.ts";

/** Bytes: the fields and two original photos, which browsers without scripts send as they are. */
const MAX_FORM = 2 * PHOTO_MAX_BYTES + 64 * 1024;

/** A seller's shop and holiday. */
export async function shopSettingsAction({ request, context }: ActionFunctionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const sent = await readFileForm(request, MAX_FORM);
  if (!sent.ok)
    return refuse(sent.code === "too_large" ? 413 : 400, {
      message: SHOP_TEXTS.failed,
      errors: { banner: PHOTO_TEXTS[sent.code === "too_large" ? "too_large" : "unreadable"] },
    });
  const values = readShopForm(sent.form);
  if (sent.isCut) return refuse(413, { message: SHOP_TEXTS.failed, errors: { banner: PHOTO_TEXTS.too_large }, values });
  if (!(await services.limits.write(viewer.id))) return refuse(429, { message: TOO_MANY_REQUESTS, values });

  if (sent.form.get("intent") === "holiday") return mergeAndSave(() => takeHoliday(services, viewer.id, sent.form));

  const banner = await takePhoto(services, viewer.id, sent.form, { key: "banner", file: "bannerFile" });
  if (!banner.ok) return refuse(400, { message: SHOP_TEXTS.failed, errors: { banner: banner.error }, values });
  const logo = await takePhoto(services, viewer.id, sent.form, { key: "logo", file: "logoFile" }, PORTRAIT_SIDES[1]);
  if (!logo.ok) return refuse(400, { message: SHOP_TEXTS.failed, errors: { logo: logo.error }, values });
  const photos = { banner: banner.key.slice(0, 200), logo: logo.key.slice(0, 200) };
  const reading = readShop({ ...values, ...photos });
  if (!reading.ok)
    return refuse(400, {
      message: Object.values(reading.errors)[0] ?? SHOP_TEXTS.failed,
      errors: reading.errors,
      values,
    });

  const current = await findShopEditor(services, viewer.id);
  const merged = mergeEdit({
    opened: readOpened(sent.form),
    now: shopTexts(current.values),
    mine: shopTexts({ ...values, ...photos }),
  });
  if (merged.conflicts.length > 0) {
    const errors = conflictErrors(merged);
    if (errors.banner) errors.banner = SHOP_TEXTS.bannerChanged;
    if (errors.logo) errors.logo = SHOP_TEXTS.logoChanged;
    if (errors.hoursKind) errors.hoursKind = SHOP_TEXTS.hoursChanged;
    const message = Object.values(errors)[0] ?? SHOP_TEXTS.failed;
    return refuse(409, { message, errors, values, opened: writeOpened(merged.opened) });
  }
  const saved =
    merged.isUnchanged && current.opened
      ? null
      : await saveShop(services, viewer.id, detailsOf(merged.values), current);
  if (saved && !saved.ok && saved.code === "changed") return refuse(409, { message: SHOP_TEXTS.failed, values });
  if (saved && !saved.ok)
    return refuse(409, { message: SHOP_TEXTS.failed, errors: { banner: SHOP_TEXTS.photo }, values });
  const message = saved === null ? UNCHANGED : saved.opened ? SHOP_TEXTS.opened : SHOP_TEXTS.saved;
  if (sent.form.has("scripted")) return data<ShopAnswer>({ ok: true, message });
  return redirectWithFlash(services, "/myshop", { kind: "success", text: message });
}

/** Begins or changes a holiday, or ends it where the form has no day. */
async function takeHoliday(services: Services, userId: string, form: FormData) {
  const day = form.get("lastDay");
  const read = day === null ? null : readHoliday(String(day), services.now());
  if (read && !read.ok)
    return data<HolidayAnswer>({ holiday: "refused", error: read.error, lastDay: String(day).slice(0, 10) }, 400);
  let mergedWith: number | null | undefined;
  if (day !== null) {
    const { awayUntil } = await findShopEditor(services, userId);
    mergedWith = awayUntil;
    const merged = mergeEdit({
      opened: readOpened(form),
      now: { lastDay: awayUntil === null ? "" : lastDayOf(awayUntil) },
      mine: { lastDay: String(day) },
    });
    const error = conflictErrors(merged).lastDay;
    if (error) {
      const lastDay = String(day).slice(0, 10);
      return data<HolidayAnswer>({ holiday: "refused", error, lastDay, opened: writeOpened(merged.opened) }, 409);
    }
    if (awayUntil !== null && merged.isUnchanged) return holidaySaved(services, form, UNCHANGED);
  }
  if (!(await changeHoliday(services, userId, read?.until ?? null, mergedWith)))
    return data<HolidayAnswer>({ holiday: "refused", error: HOLIDAY_TEXTS.noShop, lastDay: "" }, 409);
  return holidaySaved(services, form, read ? HOLIDAY_TEXTS.begun : HOLIDAY_TEXTS.ended);
}

async function holidaySaved(services: Services, form: FormData, text: string) {
  if (form.has("scripted")) return data<HolidayAnswer>({ holiday: "saved", text });
  return redirectWithFlash(services, "/myshop", { kind: "success", text });
}

function refuse(
  status: number,
  {
    message,
    errors = {},
    values = shopValues(null),
    opened,
  }: Partial<Extract<ShopAnswer, { ok: false }>> & { message: string },
) {
  return data<ShopAnswer>({ ok: false, message, errors, values, opened }, status);
}
