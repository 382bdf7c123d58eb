import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { SettingsAnswer } from "#app/accounts/components/settings-view.tsx";
import { isCommonPassword } from "#app/accounts/login/common-passwords.server.ts";
import { removeDocuments } from "#app/accounts/erase.server.ts";
import { takePhoto } from "./photo-fields.server.ts";
import { PHOTO_TEXTS, PORTRAIT_SIDES } from "#app/catalogue/photos/photo-rules.ts";
import { findProfilePhoto, saveProfilePhoto } from "#app/catalogue/photos/profile-photo.server.ts";
import { deleteAccount } from "./delete-account.server.ts";
import { checkDocument, maySendDocument, storeDocument } from "#app/accounts/trust/documents.server.ts";
import {
  detailTexts,
  EMAIL_TEXTS,
  DELETION_BLOCKER_TEXTS,
  SETTINGS_TEXTS,
  SIGN_IN_TEXTS,
  withReturnPath,
} from "#app/accounts/login/account-rules.ts";
import {
  askForEmailChange,
  cancelEmailChange,
  type EmailChangeRefusal,
  sendEmailChangeAgain,
} from "#app/accounts/login/email-change.server.ts";
import { sendStudentCheck } from "#app/accounts/login/confirmation.server.ts";
import { sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { headersAfterChange } from "#app/accounts/login/session.server.ts";
import {
  changeDetails,
  changePassword,
  checkOwnPassword,
  findSettings,
  passwordIsEnough,
  showEmail,
} from "#app/accounts/profile/settings.server.ts";
import { readOwnDetails } from "#app/accounts/profile/own-details.server.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { detailsForm, fieldErrors, settingsForm } from "#app/accounts/profile/settings-forms.ts";
import { endSessions } from "#app/accounts/login/sign-in.server.ts";
import { campusError } from "#app/accounts/login/sign-up-checks.ts";
import { COMMON_PASSWORD_ERROR } from "#app/accounts/login/sign-up-rules.ts";
import { CONFIRMED_FOR_MS } from "#app/accounts/two-step/two-step-rules.ts";
import { readDocumentField } from "#app/accounts/login/sign-up-fields.ts";
import { conflictErrors, mergeEdit, readOpened, UNCHANGED, writeOpened } from "#app/platform/edit-rules.ts";
import { UPLOAD_ERRORS, UPLOAD_MAX_BYTES } from "#app/platform/upload-rules.ts";
import { documentTypeOf } from "#app/accounts/trust/document-rules.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { moveListings } from "#app/catalogue/selling/listings.server.ts";
import { mergeAndSave } from "./merge-and-save.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { type FlashMessage, redirectWithFlash } from "#app/platform/flash.server.ts";
import type { Services } from "#app/request/services.ts";
import { dataSaverCookie } from "#app/ui/browser/data-saver.ts";

const HOME = settingsPath();
/** Bytes. A file that is a little too large is still read, so that its field can say so. */
const MAX_FORM = UPLOAD_MAX_BYTES + 6 * 1024 * 1024;

/** What people change in their settings. */
export async function settingsAction({ request, context }: ActionFunctionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readForm(request, MAX_FORM);
  if (!sent.ok)
    return refuse("document", sent.code === "too_large" ? 413 : 400, {
      document: sent.code === "too_large" ? UPLOAD_ERRORS.too_large : SETTINGS_TEXTS.document_missing,
    });
  if (sent.form.get("intent") === "document") return upload(services, viewer, sent.form);
  if (sent.form.get("intent") === "photo") return changePhoto(services, viewer, sent.form);

  if (sent.form.get("intent") === "details") return mergeAndSave(() => saveDetails(services, viewer, sent.form));
  const parsed = settingsForm.safeParse(Object.fromEntries(sent.form));
  if (!parsed.success) return refuse(String(sent.form.get("intent")), 400, fieldErrors(parsed.error));
  const form = parsed.data;
  switch (form.intent) {
    case "password":
      return savePassword(services, request, viewer, form);
    case "email": {
      const asked = await askForEmailChange(services, viewer.id, { ...form, email: form.newEmail });
      if (!asked.ok) return refuse("email", asked.code === "often" ? 429 : 400, emailErrors(asked.code));
      services.drainOutbox();
      return done(services, { kind: "success", text: EMAIL_TEXTS.asked, duration: 8000 });
    }
    case "email-again": {
      const again = await sendEmailChangeAgain(services, viewer.id);
      if (!again.ok)
        return refuse("email-again", again.code === "often" ? 429 : 409, { form: EMAIL_TEXTS[again.code] });
      services.drainOutbox();
      return done(services, { kind: "success", text: EMAIL_TEXTS.asked, duration: 8000 });
    }
    case "student-link": {
      const asked = await sendStudentCheck(services, viewer.id);
      if (!asked.ok && asked.code === "often")
        return refuse("student-link", 429, { form: SETTINGS_TEXTS.student_link_often });
      services.drainOutbox();
      return done(services, { kind: "success", text: SETTINGS_TEXTS.student_link, duration: 8000 });
    }
    case "email-cancel": {
      await cancelEmailChange(services, viewer.id);
      return done(services, { kind: "success", text: EMAIL_TEXTS.cancelled });
    }
    case "email-shown": {
      const isShown = form.emailShown === "on";
      if (!(await services.limits.write(viewer.id))) return refuse("email-shown", 429, { form: SIGN_IN_TEXTS.busy });
      await showEmail(services, viewer.id, isShown);
      return done(services, {
        kind: "success",
        text: isShown ? SETTINGS_TEXTS.email_shown : SETTINGS_TEXTS.email_hidden,
      });
    }
    case "password-link":
      if (!(await sendPasswordReset(services, viewer.email)))
        return refuse("password-link", 429, { form: SETTINGS_TEXTS.password_link_often });
      services.drainOutbox();
      return done(services, { kind: "success", text: SETTINGS_TEXTS.password_link });
    case "data-saver": {
      const isOn = form.dataSaver === "on";
      const headers = new Headers({ "Set-Cookie": dataSaverCookie(isOn, request.url) });
      return done(
        services,
        { kind: "success", text: isOn ? SETTINGS_TEXTS.data_saver_on : SETTINGS_TEXTS.data_saver_off },
        headers,
      );
    }
    case "sign-out-everywhere":
      await endSessions(services, viewer.id);
      return leave(services, request, viewer, SETTINGS_TEXTS.signed_out_everywhere);
    case "delete":
      return removeAccount(services, request, viewer, form.currentPassword);
  }
}

async function saveDetails(services: Services, viewer: Viewer, sent: FormData) {
  const mergedWith = await readOwnDetails(services.db, viewer.id);
  const edit = await mergeDetails(services, viewer.id, sent);
  if (edit && Object.keys(edit.errors).length > 0)
    return data<SettingsAnswer>({ intent: "details", errors: edit.errors, opened: edit.opened }, 409);
  const parsed = detailsForm.safeParse({ ...Object.fromEntries(sent), ...edit?.values });
  if (!parsed.success) return refuse("details", 400, fieldErrors(parsed.error));
  const form = parsed.data;
  if (!(await services.limits.write(viewer.id))) return refuse("details", 429, { fullName: SIGN_IN_TEXTS.busy });
  const campus = viewer.accountType === "student" ? campusError(form.campusLocation) : null;
  if (campus !== null) return refuse("details", 400, { campusLocation: campus });
  if (edit?.isUnchanged) return done(services, { kind: "info", text: UNCHANGED });
  const changed = await changeDetails(services, viewer.id, form, moveListings, mergedWith);
  if (!changed.ok) return refuse("details", 400, phoneErrors(changed, form.currentPassword));
  return done(services, {
    kind: "success",
    text: changed.review === null ? SETTINGS_TEXTS.details : SETTINGS_TEXTS[`details_${changed.review}`],
  });
}

/** The details with what was changed in another place since the form was opened; null for a form that isn't ours. */
async function mergeDetails(services: Services, userId: string, form: FormData) {
  const settings = await findSettings(services, userId, listedBy(userId));
  if (!settings) return null;
  const now = detailTexts(settings);
  const sent = (field: keyof typeof now) => {
    const value = form.get(field);
    return typeof value === "string" ? value : null;
  };
  // A form without all fields isn't ours, and is refused as it is.
  const [fullName, phone, campusLocation] = [sent("fullName"), sent("phone"), sent("campusLocation")];
  if (fullName === null || phone === null || campusLocation === null) return null;
  const merged = mergeEdit<keyof typeof now>({
    opened: readOpened(form),
    now,
    mine: { fullName, phone, campusLocation },
  });
  const errors: Record<string, string> = conflictErrors(merged);
  return { values: merged.values, errors, opened: writeOpened(merged.opened), isUnchanged: merged.isUnchanged };
}

async function savePassword(
  services: Services,
  request: Request,
  viewer: Viewer,
  form: { currentPassword: string; newPassword: string },
) {
  if (await isCommonPassword(form.newPassword)) return refuse("password", 400, { newPassword: COMMON_PASSWORD_ERROR });
  const changed = await changePassword(services, viewer.id, form);
  if (!changed.ok) return refuse("password", 400, { currentPassword: passwordText(changed.code) });
  const headers = await headersAfterChange(services, request, {
    userId: viewer.id,
    epoch: changed.epoch,
    email: viewer.email,
    confirmed: viewer.confirmed,
  });
  return done(services, { kind: "success", text: SETTINGS_TEXTS.password }, headers);
}

async function removeAccount(services: Services, request: Request, viewer: Viewer, password: string) {
  const isFresh = services.now() < viewer.confirmed.at + CONFIRMED_FOR_MS;
  // Status 307 takes the form along.
  if (!isFresh && !(await passwordIsEnough(services, viewer.id)))
    return redirect(withReturnPath("/auth/confirm", "/settings"), 307);
  const check = await checkOwnPassword(services, viewer.id, password);
  if (!check.ok && check.code !== "none") return refuse("delete", 400, { currentPassword: passwordText(check.code) });
  const deleted = await deleteAccount(services, viewer.id);
  if (!deleted.ok)
    return refuse("delete", 409, {
      form: deleted.code === "gone" ? SETTINGS_TEXTS.gone : DELETION_BLOCKER_TEXTS[deleted.code],
    });
  services.defer(removeDocuments(services, deleted.documentKeys));
  return leave(services, request, viewer, SETTINGS_TEXTS.deleted);
}

async function upload(services: Services, viewer: Viewer, form: FormData) {
  const file = readDocumentField(form);
  if (!file) return refuse("document", 400, { document: SETTINGS_TEXTS.document_missing });
  if (!(await services.limits.write(`document:${viewer.id}`)))
    return refuse("document", 429, { document: SIGN_IN_TEXTS.busy });
  if (!(await maySendDocument(services, viewer.id)))
    return refuse("document", 429, { document: SETTINGS_TEXTS.document_enough });
  const checked = await checkDocument(file, documentTypeOf(viewer.accountType));
  if (!checked.ok) return refuse("document", 400, { document: checked.error });
  await storeDocument(services, viewer.id, checked.document);
  return done(services, { kind: "success", text: SETTINGS_TEXTS.document });
}

/** Saves or removes the photo. Without scripts the form brings an original. */
async function changePhoto(services: Services, viewer: Viewer, form: FormData) {
  if (!(await services.limits.write(viewer.id))) return refuse("photo", 429, { photo: SIGN_IN_TEXTS.busy });
  const taken = await takePhoto(services, viewer.id, form, { key: "photo", file: "photoFile" }, PORTRAIT_SIDES[1]);
  if (!taken.ok) return refuse("photo", 400, { photo: taken.error });
  const before = await findProfilePhoto(services.db, viewer.id);
  const merged = mergeEdit({ opened: readOpened(form), now: { photo: before }, mine: { photo: taken.key } });
  if (merged.conflicts.length > 0)
    return data<SettingsAnswer>(
      { intent: "photo", errors: { photo: SETTINGS_TEXTS.photo_changed }, opened: writeOpened(merged.opened) },
      409,
    );
  if (merged.isUnchanged) return done(services, { kind: "info", text: UNCHANGED });
  const saved = await saveProfilePhoto(services, viewer.id, { key: merged.values.photo || null, before });
  if (!saved.ok)
    return refuse("photo", 409, { photo: saved.code === "gone" ? PHOTO_TEXTS.gone : SETTINGS_TEXTS.photo_changed });
  return done(services, {
    kind: "success",
    text: merged.values.photo ? SETTINGS_TEXTS.photo : SETTINGS_TEXTS.photo_removed,
  });
}

type DetailsRefusal = Extract<Awaited<ReturnType<typeof changeDetails>>, { ok: false }>;

/** The errors of the details form when a phone is refused. `typed` is the password that was sent with it. */
function phoneErrors(refused: DetailsRefusal, typed: string): Record<string, string> {
  if (refused.phone === "needed") return { phone: SETTINGS_TEXTS.phone_needed };
  const { phone, password } = refused;
  if (password === null) return { phone: SETTINGS_TEXTS.phone_enough };
  if (password === "none") return { phone: SETTINGS_TEXTS.phone_no_password };
  if (typed !== "") return { currentPassword: passwordText(password) };
  return { currentPassword: phone === "money_coming" ? SETTINGS_TEXTS.phone_password : SETTINGS_TEXTS.phone_often };
}

function emailErrors(code: EmailChangeRefusal): Record<string, string> {
  if (code === "same" || code === "often" || code === "admin") return { newEmail: EMAIL_TEXTS[code] };
  return code === "none" ? { newEmail: EMAIL_TEXTS.no_password } : { currentPassword: passwordText(code) };
}

function passwordText(code: "wrong" | "busy" | "none"): string {
  return code === "busy" ? SIGN_IN_TEXTS.busy : SETTINGS_TEXTS.wrong_password;
}

function refuse(intent: string, status: number, errors: Record<string, string>) {
  return data<SettingsAnswer>({ intent, errors }, status);
}

function done(services: Services, message: Omit<FlashMessage, "id">, headers?: Headers): Promise<Response> {
  return redirectWithFlash(services, HOME, message, headers);
}

/** Removes the session from this browser too. The raised epoch has ended all others. */
async function leave(services: Services, request: Request, viewer: Viewer, text: string): Promise<Response> {
  services.defer(services.notifier.endSessions(viewer.id));
  const headers = new Headers();
  headers.append("Set-Cookie", await services.sessions.end(request));
  headers.append("Set-Cookie", await services.pendingAction.clear());
  return redirectWithFlash(services, "/auth", { kind: "success", text, isGoodbye: true }, headers);
}
