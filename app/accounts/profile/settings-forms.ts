import { z } from "zod";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { readPhone } from "./phone.ts";
import { DELETE_WORD, MAX_LENGTHS, normalizeEmail } from "#app/accounts/login/account-rules.ts";
import { campusError } from "#app/accounts/login/sign-up-checks.ts";
import { emailError, passwordError } from "#app/accounts/login/sign-up-rules.ts";

/** A text field. `errorOf` returns its error, or null. */
function checked(errorOf: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const message = errorOf(text);
    if (message) context.addIssue({ code: "custom", message });
  });
}

function required(name: string, max: number) {
  return z.string().trim().min(1, `${name} is required`).max(max, `Please use at most ${max} characters`);
}

/** Optional: an empty field is null. */
const phone = z
  .string()
  .max(40)
  .transform((typed, context) => {
    if (typed.trim() === "") return null;
    const reading = readPhone(typed);
    if (reading.ok) return reading.phone;
    context.addIssue({ code: "custom", message: reading.error });
    return z.NEVER;
  });

const typedEmail = z
  .string()
  .trim()
  .pipe(checked((email) => (email === "" ? "Email is required" : emailError(email))))
  .transform(normalizeEmail);

export const forgotForm = z.object({ email: typedEmail });

export const resetForm = z.object({ token: z.string().max(200), password: checked(passwordError) });

export const detailsForm = z.object({
  intent: z.literal("details"),
  fullName: required("Full name", MAX_LENGTHS.fullName).pipe(checked((name) => nameError(name, "person"))),
  phone,
  /** Required for students. */
  campusLocation: z
    .string()
    .trim()
    .pipe(checked((campus) => (campus === "" ? null : campusError(campus)))),
  /** Required when the phone changes while money is on its way. */
  currentPassword: z.string().max(1000).default(""),
});

/** All other forms of the settings. */
export const settingsForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("password"),
    currentPassword: z.string().max(1000).default(""),
    newPassword: checked(passwordError),
  }),
  z.object({ intent: z.literal("password-link") }),
  z.object({
    intent: z.literal("email"),
    newEmail: typedEmail,
    currentPassword: z.string().max(1000).default(""),
  }),
  z.object({ intent: z.literal("email-again") }),
  z.object({ intent: z.literal("student-link") }),
  z.object({ intent: z.literal("email-cancel") }),
  z.object({ intent: z.literal("email-shown"), emailShown: z.enum(["on", "off"]) }),
  z.object({ intent: z.literal("data-saver"), dataSaver: z.enum(["on", "off"]) }),
  z.object({ intent: z.literal("sign-out-everywhere") }),
  z.object({
    intent: z.literal("delete"),
    confirmation: z
      .string()
      .trim()
      .refine((typed) => typed.toUpperCase() === DELETE_WORD, `Type ${DELETE_WORD} to confirm`),
    currentPassword: z.string().max(1000).default(""),
  }),
]);

/** The first error of each field. */
export function fieldErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of error.issues) errors[String(issue.path[0] ?? "form")] ??= issue.message;
  return errors;
}
