import {
  type AccountType,
  MAX_LENGTHS,
  type ProfileValues,
  type SignUpText,
  type SignUpValues,
  WHOLESALER_TEXTS,
} from "./sign-up-rules.ts";

/** What a field holds, without space around and control characters; a file where text belongs counts as nothing. */
function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string"
    ? value
        .normalize("NFC")
        .replaceAll(/[^\P{Cc}\n]/gu, " ")
        .trim()
    : "";
}

/** The sign-up form's texts (accounts spec §3). A student's form holds no business. */
export function readSignUpForm(form: FormData): SignUpValues {
  const accountType: AccountType = form.get("accountType") === "wholesaler" ? "wholesaler" : "student";
  const password = form.get("password");
  const texts = Object.fromEntries(
    (Object.keys(MAX_LENGTHS) as SignUpText[]).map((name) => [name, textIn(form, name)]),
  ) as Record<SignUpText, string>;
  const business = accountType === "student" ? Object.fromEntries(WHOLESALER_TEXTS.map((name) => [name, ""])) : {};
  return { ...texts, ...business, password: typeof password === "string" ? password : "", accountType };
}

/** The file that was chosen; browsers send an empty one without a name where none was. */
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

/** Accounts spec §2: the tabs are links, so the address tells which is open. */
export function accountTypeIn(search: URLSearchParams): AccountType {
  return search.get("type") === "wholesaler" ? "wholesaler" : "student";
}
