import { MAX_LENGTHS } from "./account-rules.ts";
import {
  type AccountType,
  type ProfileValues,
  type SignUpText,
  type SignUpValues,
  WHOLESALER_TEXTS,
} from "./sign-up-rules.ts";

/** The text of a field, trimmed and without control characters. A file in place of a text counts as empty. */
function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string"
    ? value
        .normalize("NFC")
        .replaceAll(/[^\P{Cc}\n]/gu, " ")
        .trim()
    : "";
}

/** The texts of the sign-up form. Business fields are ignored for a student. */
export function readSignUpForm(form: FormData): SignUpValues {
  const accountType: AccountType = form.get("accountType") === "wholesaler" ? "wholesaler" : "student";
  const password = form.get("password");
  const texts = Object.fromEntries(
    (Object.keys(MAX_LENGTHS) as SignUpText[]).map((name) => [name, textIn(form, name)]),
  ) as Record<SignUpText, string>;
  const business = accountType === "student" ? Object.fromEntries(WHOLESALER_TEXTS.map((name) => [name, ""])) : {};
  return { ...texts, ...business, password: typeof password === "string" ? password : "", accountType };
}

/** The chosen file; null when there is none. Browsers then send an empty file without a name. */
export function readDocumentField(form: FormData): File | null {
  const file = form.get("document");
  return file instanceof File && (file.size > 0 || file.name !== "") ? file : null;
}

export function readProfileForm(form: FormData): ProfileValues {
  return {
    fullName: textIn(form, "fullName"),
    phone: textIn(form, "phone"),
    campusLocation: textIn(form, "campusLocation"),
    isSeller: form.has("isSeller"),
  };
}

/** The account type whose tab is open. The tabs are links, so the address holds it. */
export function accountTypeIn(search: URLSearchParams): AccountType {
  return search.get("type") === "wholesaler" ? "wholesaler" : "student";
}
