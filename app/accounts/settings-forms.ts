import { z } from "zod";
import { readPhone } from "./phone.ts";
import { normaliseEmail, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "./rules.ts";

/** What each field may hold (accounts spec §5), read on the server. */
export const newPassword = z
  .string()
  .min(1, "Password is required")
  .min(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters`)
  .max(PASSWORD_MAX_LENGTH, `Password must be at most ${PASSWORD_MAX_LENGTH} characters`);

const phone = z.string().max(40).transform((typed, context) => {
  const reading = readPhone(typed);
  if (reading.ok) return reading.phone;
  context.addIssue({ code: "custom", message: reading.error });
  return z.NEVER;
});

export const forgotForm = z.object({
  email: z.string().trim().min(1, "Email is required").max(320, "Email address is invalid").regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "Email address is invalid").transform(normaliseEmail),
});

export const resetForm = z.object({ token: z.string().max(200), password: newPassword });

/** Typed to delete an account. */
export const DELETE_WORD = "DELETE";

export const settingsForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("details"),
    fullName: z.string().trim().min(1, "Full name is required").max(120, "Full name must be at most 120 characters"),
    phone,
    campusLocation: z.string().trim().min(1, "Campus location is required").max(120, "Campus location must be at most 120 characters"),
  }),
  z.object({ intent: z.literal("password"), currentPassword: z.string().max(1000).default(""), newPassword }),
  z.object({ intent: z.literal("sign-out-everywhere") }),
  z.object({
    intent: z.literal("delete"),
    confirmation: z.string().trim().refine((typed) => typed.toUpperCase() === DELETE_WORD, `Type ${DELETE_WORD} to confirm`),
    currentPassword: z.string().max(1000).default(""),
  }),
]);

export type SettingsForm = z.infer<typeof settingsForm>;

/** The first message of each field that was refused. */
export function fieldErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of error.issues) errors[String(issue.path[0] ?? "form")] ??= issue.message;
  return errors;
}
