import "./accounts.css";
import { type FormEvent, type HTMLAttributes, type HTMLInputTypeAttribute, useMemo, useState } from "react";
import { Form } from "react-router";
import { capitalized } from "#app/platform/word-rules.ts";
import type { IssuerChoice } from "#app/accounts/login/find-issuers.server.ts";
import { MAX_LENGTHS, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { readDocumentField, readSignUpForm } from "#app/accounts/login/sign-up-fields.ts";
import {
  ACCOUNT_HINTS,
  type AccountType,
  checkSignUpForm,
  type SignUpErrors,
  type SignUpField,
  type SignUpText,
  WHOLESALER_TEXTS,
} from "#app/accounts/login/sign-up-rules.ts";
import { sizeInMb, UPLOAD_ERRORS, UPLOAD_MAX_BYTES } from "#app/platform/upload-rules.ts";
import { ACCEPTED_WORDS, acceptAttribute, documentTypeOf } from "#app/accounts/trust/document-rules.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { brand } from "#app/ui/page/brand.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TabLinks } from "#app/ui/page/tabs.tsx";
import { PasswordField, TextArea } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { Agreement } from "./agreement.tsx";
import { CampusField } from "./campus-field.tsx";
import { IssuerButtons, OrDivider } from "./issuer-buttons.tsx";

/** The server's answer: what was typed, without the password, and its errors. */
export interface SignUpAnswer {
  values: Partial<Record<SignUpText, string>> & { accountType?: AccountType };
  errors: SignUpErrors;
  /** An error that belongs to no field. */
  error: string | null;
}

interface SignUpFormProps {
  type: AccountType;
  /** Only students can use them, because wholesalers need a code and a document. */
  issuers: readonly IssuerChoice[];
  /** The screen to go to after sign-up; null for the home page. */
  to: string | null;
  campuses: readonly { id: number; name: string }[];
  answer: SignUpAnswer | null;
}

/** Both account types, each on a tab. Values stay when the tab changes; each error belongs to one tab. */
export function SignUpForm({ type, issuers, to, campuses, answer }: SignUpFormProps) {
  const values = answer?.values ?? {};
  const shown = useMemo(
    () => ((answer?.values.accountType ?? type) === type ? { ...answer?.errors, form: answer?.error } : {}),
    [answer, type],
  );
  const errors = useFieldErrors(shown);

  function checkFirst(event: FormEvent<HTMLFormElement>): void {
    const form = new FormData(event.currentTarget);
    const found = findErrors(form);
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    errors.show(found);
  }
  const shared = { errors: errors.of, values };
  return (
    <>
      <TabLinks
        label="Account type"
        tabs={[
          { label: "Student", to: withReturnPath("/auth/signup", to), current: type === "student" },
          {
            label: "Wholesaler",
            to: withReturnPath("/auth/signup?type=wholesaler", to),
            current: type === "wholesaler",
          },
        ]}
      />
      <p className="quiet">{ACCOUNT_HINTS[type]}</p>
      {issuers.length > 0 && type === "student" && (
        <>
          <IssuerButtons issuers={issuers} to={to} />
          <OrDivider />
        </>
      )}
      <Form
        method="post"
        encType="multipart/form-data"
        className="stack"
        noValidate
        onSubmit={checkFirst}
        {...errors.form}
      >
        <input type="hidden" name="accountType" value={type} />
        <FormError error={errors.of("form")} />
        <PersonFields {...shared} type={type} campuses={campuses} />
        {type === "wholesaler" && <BusinessFields {...shared} />}
        {ACCOUNT_TYPES.map((each) => (
          // A disabled fieldset keeps its file but sends nothing.
          <fieldset key={each} role="none" hidden={each !== type} disabled={each !== type}>
            <DocumentField
              type={each}
              error={each === type ? errors.of("document") : undefined}
              onCheck={(error) => errors.put("document", error)}
            />
          </fieldset>
        ))}
        {type === "wholesaler" && <MoreBusinessFields {...shared} />}
        <Agreement by="creating an account" />
        <SubmitButton busyLabel="Creating account...">Create Account</SubmitButton>
      </Form>
    </>
  );
}

/** What the browser can check. The server checks it again, and the file's content, too. */
function findErrors(form: FormData): SignUpErrors {
  const file = readDocumentField(form);
  const found = checkSignUpForm(readSignUpForm(form), file !== null);
  return file && file.size > UPLOAD_MAX_BYTES ? { ...found, document: UPLOAD_ERRORS.too_large } : found;
}

interface Shared {
  errors: (name: SignUpField) => string | undefined;
  values: Partial<Record<SignUpText, string>>;
}

interface LineProps extends Shared {
  name: SignUpText;
  label: string;
  type?: HTMLInputTypeAttribute;
  inputMode?: HTMLAttributes<HTMLInputElement>["inputMode"];
  autoComplete?: string;
  autoCapitalize?: string;
  hint?: string;
  required?: boolean;
}

/** One line of text, optional unless required. */
function Line({ errors, values, name, label, hint, required, ...input }: LineProps) {
  return (
    <Field label={label} error={errors(name)} hint={hint} optional={!required}>
      <TextField
        {...input}
        name={name}
        defaultValue={values[name]}
        maxLength={MAX_LENGTHS[name]}
        aria-required={required}
      />
    </Field>
  );
}

/** The fields of everybody. */
function PersonFields({ type, campuses, ...shared }: Pick<SignUpFormProps, "type" | "campuses"> & Shared) {
  return (
    <>
      <Line {...shared} name="fullName" label="Full name" autoComplete="name" required />
      <Line
        {...shared}
        name="email"
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        {...(type === "student" && {
          hint: "With an address of a Kenyan university you become a verified student when you confirm it.",
        })}
      />
      <Field label="Password" error={shared.errors("password")} hint="At least 6 characters.">
        <PasswordField name="password" autoComplete="new-password" maxLength={MAX_LENGTHS.password} aria-required />
      </Field>
      <Line
        {...shared}
        name="phone"
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        hint="For M-Pesa, such as 0712 345 678."
      />
      <CampusField
        campuses={campuses}
        error={shared.errors("campusLocation")}
        defaultValue={shared.values.campusLocation}
        optional={type === "wholesaler"}
      />
    </>
  );
}

/** The fields of a wholesaler. The document comes after them. */
function BusinessFields(shared: Shared) {
  return (
    <>
      <h2 className="form-part">Your business</h2>
      <Line {...shared} name="businessName" label="Business name" autoComplete="organization" required />
      <Line
        {...shared}
        name="wholesalerCode"
        label="Wholesaler access code"
        autoComplete="off"
        autoCapitalize="characters"
        hint={`You get this code from the ${brand.name} team. It works once.`}
        required
      />
    </>
  );
}

const ACCOUNT_TYPES: readonly AccountType[] = ["student", "wholesaler"];

const MORE = WHOLESALER_TEXTS.filter((name) => name !== "businessName" && name !== "wholesalerCode");

/** The optional fields of a wholesaler. They are hidden until somebody opens them or one has an error. */
function MoreBusinessFields(shared: Shared) {
  const [open, setOpen] = useState(() => MORE.some((name) => shared.values[name]));
  const mustOpen = MORE.some((name) => shared.errors(name) !== undefined);
  if (mustOpen && !open) setOpen(true);
  return (
    <details className="form-more" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="form-more__summary">
        <span>
          <span className="form-more__title">More about your business</span>
          <span className="quiet small">License, tax ID, contacts – all optional</span>
        </span>
        <Icon name="chevron-down" />
      </summary>
      <div className="stack form-more__fields">
        <Line {...shared} name="businessLicenseNumber" label="Business license number" autoComplete="off" />
        <Line {...shared} name="taxId" label="Tax ID" autoComplete="off" />
        <Line {...shared} name="businessAddress" label="Business address" autoComplete="street-address" />
        <Line {...shared} name="businessPhone" label="Business phone" type="tel" inputMode="tel" autoComplete="off" />
        <Line
          {...shared}
          name="businessEmail"
          label="Business email"
          type="email"
          inputMode="email"
          autoComplete="off"
        />
        <Line
          {...shared}
          name="businessWebsite"
          label="Business website"
          type="url"
          inputMode="url"
          autoComplete="url"
        />
        <Field label="Business description" error={shared.errors("businessDescription")} optional>
          <TextArea
            name="businessDescription"
            rows={3}
            defaultValue={shared.values.businessDescription}
            maxLength={MAX_LENGTHS.businessDescription}
          />
        </Field>
      </div>
    </details>
  );
}

interface DocumentFieldProps {
  type: AccountType;
  error?: string;
  /** Called after each choice. */
  onCheck: (error: string | null) => void;
}

/** The student ID, which is optional, or the business document, which is required. */
function DocumentField({ type, error, onCheck }: DocumentFieldProps) {
  const documentType = documentTypeOf(type);
  return (
    <Field
      label={type === "student" ? "Student ID" : "Business verification document"}
      error={error}
      optional={type === "student"}
      hint={`${type === "student" ? "It proves that you're a student. " : ""}Only our team can see it.`}
    >
      <FileField
        name="document"
        accept={acceptAttribute(documentType)}
        accepted={`${capitalized(ACCEPTED_WORDS[documentType])}, up to 10 MB`}
        sizeOf={sizeInMb}
        onChoose={(file) => onCheck(file && file.size > UPLOAD_MAX_BYTES ? UPLOAD_ERRORS.too_large : null)}
      />
    </Field>
  );
}
