/**
 * Sign-up and profile completion: their texts, and what the browser checks of their forms. What names may not say is
 * checked on the server alone (sign-up-checks.ts): its words weigh more than such a form.
 */
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { displayPhone, PHONE_FORMAT_ERROR, readPhone } from "#app/accounts/profile/phone.ts";
import { MAX_LENGTHS, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "./account-rules.ts";

export type AccountType = "student" | "wholesaler";

export const ACCOUNT_HINTS: Record<AccountType, string> = {
  student: "Create a student account to buy and sell within your campus.",
  wholesaler: "Create a wholesaler account to sell products to students.",
};

export type SignUpText = keyof typeof MAX_LENGTHS;
export type SignUpValues = Record<SignUpText, string> & { accountType: AccountType };
export type SignUpField = SignUpText | "document";
export type SignUpErrors = Partial<Record<SignUpField, string>>;

export const WHOLESALER_TEXTS = [
  "businessName",
  "wholesalerCode",
  "businessLicenseNumber",
  "taxId",
  "businessAddress",
  "businessPhone",
  "businessEmail",
  "businessDescription",
  "businessWebsite",
] as const satisfies SignUpText[];

export const CODE_ERROR = "Invalid or already used access code";
/** A case about an account that had this email is open or upheld. */
export const EMAIL_BARRED_ERROR =
  "Our team has closed an account with this email, or is looking into it. Please contact support.";
export const EMAIL_TAKEN_ERROR = "This email is already registered";
export const COMMON_PASSWORD_ERROR = "This password is too common and easy to guess. Please choose another.";
const EMAIL_ERROR = "Email address is invalid";

export const SIGN_UP_TEXTS = {
  success: "Account created successfully! Please check your email for the confirmation link.",
  unreadable: "Invalid email or password format",
  busy: TOO_MANY_REQUESTS,
  server: "Server error. Please try again later.",
  failed: "Failed to create account",
  campuses_failed: "Failed to load campus locations",
} as const;

/**
 * What a sign-up reads whose answer isn't ours, by its status: that of a proxy, or of a worker that failed. Undefined:
 * none came.
 */
export function signUpFailure(status: number | undefined): string {
  if (status === 422) return SIGN_UP_TEXTS.unreadable;
  if (status === 429) return SIGN_UP_TEXTS.busy;
  return status === 500 || status === 522 ? SIGN_UP_TEXTS.server : SIGN_UP_TEXTS.failed;
}

/** What can go wrong after the account exists. The account stays, and the user is told. */
export const SIGN_UP_WARNINGS = {
  incomplete:
    "Your account was created, but we encountered some issues. Please check your email for the confirmation link.",
  document: "Account created but document upload failed. Please upload verification documents in your profile.",
  mail: "Account created, but there was an issue sending the custom confirmation email. Please check your inbox for the default confirmation email.",
} as const;

export type SignUpWarning = keyof typeof SIGN_UP_WARNINGS;

export const RESEND_TEXTS = {
  required: "Please enter your email address first",
  success: "Confirmation email has been resent. Please check your inbox.",
  failed: "Failed to resend confirmation email",
  error: "An error occurred while resending the email",
  busy: SIGN_UP_TEXTS.busy,
} as const;

/** The answers to "Wrong address? Change it". */
export const CORRECTION_TEXTS = {
  sent: "Changed. If this address has no account yet, the link is on its way there.",
  confirmed: "This account's email is confirmed already. Log in, and change it in Settings.",
  elsewhere: "We can change it only in the browser you signed up with. Please sign up again with the right address.",
  busy: SIGN_UP_TEXTS.busy,
} as const;

export const PROFILE_TEXTS = {
  prompt: "Please complete your profile to get started",
  welcome_back: "Welcome back!",
  success: "Profile completed successfully!",
  load_failed: "Failed to load profile information",
  failed: "Failed to update profile information",
  changed: "Another tab saved your profile meanwhile. This is what it saved, and you can change it here.",
} as const;

/** The errors on the callback screen when a link doesn't work. */
export const CALLBACK_ERRORS = {
  invalid: "This confirmation link isn't valid. Open the link in the newest email, or send a new one.",
  expired: "This confirmation link has expired. Send a new one below.",
  used: "This confirmation link has already been used. If you confirmed your email, just log in.",
  busy: SIGN_UP_TEXTS.busy,
  no_token: "No access token found in URL",
  no_user: "User information not found",
} as const;

/**
 * The question for a person who opens a confirmation link when it isn't clear that they signed up, or that they want to
 * change accounts.
 */
export interface CallbackQuestion {
  /** The email of the sign-up, masked. */
  email: string;
  /** Whether to ask for its password. */
  password: boolean;
  /** Whether another user is logged in here. Their session would end. */
  switches: boolean;
}

export const QUESTION_TEXTS = {
  missing: "Please enter your password",
  invalid: "Wrong password for this account",
  paused: "Too many wrong passwords for this account. Try again in 15 minutes, or email yourself a reset link.",
} as const;

/** "w•••@campus.test": enough to recognize your own email. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [first = ""] = email;
  return at < 1 ? "•••" : `${first}•••${email.slice(at)}`;
}

export const CALLBACK_FAILED = "Authentication failed. Please try again.";
export const CALLBACK_FAILED_MS = 5000;

/** How long these toasts stay, in ms. */
export const PROFILE_TOAST_MS = { prompt: 3000, welcome_back: 2000, success: 3000, failed: 4000 } as const;

/** The errors of a sign-up form, by field; empty when there are none. */
export function checkSignUpForm(values: SignUpValues, hasDocument: boolean): SignUpErrors {
  return {
    ...tooLong(values),
    ...checkCommon(values),
    ...(values.accountType === "wholesaler" ? checkBusiness(values, hasDocument) : checkStudent(values)),
  };
}

function checkCommon(values: SignUpValues): SignUpErrors {
  return found({
    fullName: values.fullName === "" ? "Full name is required" : null,
    email: values.email === "" ? "Email is required" : emailError(values.email),
    password: passwordError(values.password),
    phone: optionalPhoneError(values.phone),
  });
}

function checkStudent(values: SignUpValues): SignUpErrors {
  return found({ campusLocation: campusFieldError(values.campusLocation) });
}

function checkBusiness(values: SignUpValues, hasDocument: boolean): SignUpErrors {
  return found({
    businessName: values.businessName === "" ? "Business name is required" : null,
    wholesalerCode: values.wholesalerCode === "" ? "Wholesaler access code is required" : null,
    document: hasDocument ? null : "Business verification document is required",
    businessEmail: values.businessEmail === "" ? null : emailError(values.businessEmail),
    businessWebsite:
      values.businessWebsite === "" ||
      /^(https?:\/\/)?[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#:]\S*)?$/iu.test(values.businessWebsite)
        ? null
        : "Website address is invalid",
  });
}

function tooLong(values: SignUpValues): SignUpErrors {
  const long = (Object.keys(MAX_LENGTHS) as SignUpText[]).filter((field) => values[field].length > MAX_LENGTHS[field]);
  return Object.fromEntries(long.map((field) => [field, `Please use at most ${MAX_LENGTHS[field]} characters`]));
}

/**
 * One address, of a host with plain labels. Signs that separate addresses or begin a comment are refused: a mail server
 * could send "me@mine.com,x.uonbi.ac.ke" to me@mine.com, and we would read the end as a university.
 */
const EMAIL = /^[^\s@<>"\p{Cc}\p{Cf},;:()[\]\\]+@(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]+$/u;

export function emailError(email: string): string | null {
  return email.length <= MAX_LENGTHS.email && EMAIL.test(email) ? null : EMAIL_ERROR;
}

/** The error of a new password. Only the server checks for common passwords, because it has the list. */
export function passwordError(password: string): string | null {
  if (password === "") return "Password is required";
  if (password.length < PASSWORD_MIN_LENGTH) return "Password must be at least 6 characters";
  return password.length > PASSWORD_MAX_LENGTH ? `Password must be at most ${PASSWORD_MAX_LENGTH} characters` : null;
}

/** A phone is optional. If there is one, it must be a Kenyan mobile number. */
function optionalPhoneError(phone: string): string | null {
  return phone === "" || readPhone(phone).ok ? null : PHONE_FORMAT_ERROR;
}

export interface ProfileValues {
  fullName: string;
  phone: string;
  campusLocation: string;
  isSeller: boolean;
}

/** A profile as its form shows it, with the phone as it is displayed. It is merged with a change made meanwhile. */
export function profileTexts({ isSeller, ...texts }: ProfileValues) {
  const phone = readPhone(texts.phone);
  return { ...texts, phone: phone.ok ? displayPhone(phone.phone) : texts.phone, isSeller: isSeller ? "on" : "" };
}

export type ProfileErrors = Partial<Record<"fullName" | "phone" | "campusLocation", string>>;

/** The errors of the form that completes a profile, by field. */
export function checkProfileForm(values: ProfileValues): ProfileErrors {
  return found({
    fullName: values.fullName === "" ? "Full name is required" : lengthError(values.fullName, MAX_LENGTHS.fullName),
    phone: optionalPhoneError(values.phone),
    campusLocation: campusFieldError(values.campusLocation),
  });
}

/** The error of a required campus, whatever it says. */
export function campusFieldError(campus: string): string | null {
  return campus === "" ? "Campus location is required" : lengthError(campus, MAX_LENGTHS.campusLocation);
}

function lengthError(text: string, max: number): string | null {
  return text.length > max ? `Please use at most ${max} characters` : null;
}

/** Leaves out the fields without an error. */
export function found<K extends string>(checks: Record<K, string | null>): Partial<Record<K, string>> {
  return Object.fromEntries(Object.entries(checks).filter(([, error]) => error !== null)) as Partial<Record<K, string>>;
}
