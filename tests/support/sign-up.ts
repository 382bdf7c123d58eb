/** Helpers for tests of sign-up: forms, codes, valid files, and the emails that follow. */
import { env } from "cloudflare:workers";
import { readSignUpForm } from "#app/accounts/login/sign-up-fields.ts";
import type { SignUpValues } from "#app/accounts/login/sign-up-rules.ts";
import { type SignUpResult, signUp } from "#app/accounts/login/sign-up.server.ts";
import { wholesalerCodes } from "#app/accounts/tables.server.ts";
import { db, servicesAt } from "./fixtures.ts";

export function uniqueEmail(name = "person"): string {
  return `${name}-${crypto.randomUUID()}@campus.test`;
}

export function studentForm(change: Partial<SignUpValues> = {}): SignUpValues {
  return formOf({
    accountType: "student",
    fullName: "Wanjiku Otieno",
    email: uniqueEmail(),
    password: "kilimani-7",
    phone: "0712 345 678",
    campusLocation: "main  campus",
    ...change,
  });
}

export function wholesalerForm(change: Partial<SignUpValues> = {}): SignUpValues {
  return formOf({
    ...studentForm(),
    accountType: "wholesaler",
    businessName: "Otieno Traders",
    wholesalerCode: "NONE",
    businessWebsite: "otieno.example",
    ...change,
  });
}

/** As the form itself would be read. */
function formOf(values: Partial<SignUpValues>): SignUpValues {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return readSignUpForm(form);
}

/** Signs up from its own network address, so that the attempts of one test don't count against another's. */
export async function signUpAs(
  values: SignUpValues,
  document: File | null = null,
  address = `10.${byte()}.${byte()}.${byte()}`,
): Promise<SignUpResult> {
  return signUp(servicesAt(), { values, document, address });
}

function byte(): number {
  return Math.floor(Math.random() * 250) + 1;
}

/** A student who signed up and has not confirmed yet. */
export async function signUpStudent(change: Partial<SignUpValues> = {}): Promise<{ userId: string; email: string }> {
  const result = await signUpAs(studentForm(change));
  if (!result.ok) throw new Error(`sign-up was refused: ${JSON.stringify(result)}`);
  return result;
}

export async function makeCode(): Promise<string> {
  const code = crypto.randomUUID().slice(0, 8).toUpperCase();
  await db.insert(wholesalerCodes).values({ id: crypto.randomUUID(), code, createdAt: Date.now() });
  return code;
}

const encoder = new TextEncoder();

export function pdf(name = "licence.pdf", bytes = 2_000): File {
  return new File([encoder.encode("%PDF-1.7\n"), new Uint8Array(bytes)], name, { type: "application/pdf" });
}

interface SandboxMail {
  subject: string;
  links: string[];
}

/** The emails in the sandbox's mailbox, newest first. */
export async function mailTo(email: string): Promise<SandboxMail[]> {
  const response = await env.SANDBOX.fetch(`http://localhost/sandbox/mailbox.json?to=${encodeURIComponent(email)}`);
  return response.json<SandboxMail[]>();
}

/** The token in the newest mail that has one. */
export async function tokenMailedTo(email: string): Promise<string> {
  const links = (await mailTo(email)).flatMap((mail) => mail.links);
  const token = links.map((link) => new URL(link).searchParams.get("token")).find(Boolean);
  if (!token) throw new Error(`no link was mailed to ${email}`);
  return token;
}
