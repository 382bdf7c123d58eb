import "./settings.css";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useFetcher } from "react-router";
import type { OwnDocument, Settings } from "#app/accounts/profile/settings.server.ts";
import { displayPhone } from "#app/accounts/profile/phone.ts";
import {
  detailTexts,
  DELETE_WORD,
  DELETION_BLOCKER_TEXTS,
  EMAIL_TEXTS,
  MAX_LENGTHS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from "#app/accounts/login/account-rules.ts";
import { mustRenew, nextLevelStep } from "#app/accounts/trust/next-level-rules.ts";
import { endedText, ownLevelTitle } from "./own-level.ts";
import { writeOpened } from "#app/platform/edit-rules.ts";
import { CHECKED_FILE_DAYS, sizeInMb } from "#app/platform/upload-rules.ts";
import { ACCEPTED_WORDS, acceptAttribute, documentTypeOf } from "#app/accounts/trust/document-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { hasReloadFailed } from "#app/ui/browser/shown-screen.ts";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { fillForm } from "#app/ui/forms/fill-control.ts";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { PasswordField } from "#app/ui/forms/form-fields.tsx";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { SwitchButton } from "#app/ui/forms/switch-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { classNames } from "#app/ui/class-names.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { settingsRow, type SettingsSection } from "#app/accounts/profile/settings-sections.ts";
import { CampusField } from "./campus-field.tsx";
import { SettingsList } from "./settings-list.tsx";

/** The errors of one of the forms, by field. "form" is an error of the whole form. */
export interface SettingsAnswer {
  intent: string;
  errors: Record<string, string>;
  /** What the form counts as opened with, once its conflicts with another change have been shown. */
  opened?: string;
}

/** What scripts are told. */
export interface ScriptsAnswer extends SettingsAnswer {
  /** What was sent, where it is saved. */
  saved?: FormData;
}

interface SettingsViewProps {
  settings: Settings;
  /** Null for the list. */
  section: SettingsSection | null;
  /** The last result, for browsers without scripts. */
  answer?: SettingsAnswer | null;
  /** The form of their photo. */
  photo: ReactNode;
  /** The button that restarts the guided tour. Phones have no room for it in the top bar. */
  tutorial: ReactNode;
}

/**
 * What users can change about their account: a list, and one section. Phones show one of the two, wide screens both.
 * The other sections are hidden, and keep what was typed.
 */
export function SettingsView({ settings, section, answer = null, photo, tutorial }: SettingsViewProps) {
  const of = (intent: string) => (answer?.intent === intent ? answer : null);
  const current = section ?? "details";
  return (
    <div className={classNames("settings", section && "settings--open")}>
      <SettingsList settings={settings} current={current} />
      <TextLink className="settings__back" to={settingsPath()}>
        All settings
      </TextLink>
      <Section
        id="details"
        current={current}
        lead="Buyers and sellers see your name and campus. Your phone is for M-Pesa."
      >
        <DetailsForm settings={settings} answer={of("details")} />
        <section className="stack stack--tight" aria-labelledby="settings-photo">
          <h3 id="settings-photo">Photo</h3>
          <p className="quiet small">Members see it beside your name. Visitors who haven't logged in don't.</p>
          {photo}
        </section>
      </Section>
      <Section id="documents" current={current} lead={documentsLead(settings)}>
        <Documents settings={settings} answer={of("document")} link={of("student-link")} />
      </Section>
      <Section
        id="password"
        current={current}
        lead={
          settings.hasPassword
            ? "A new password logs out your other devices."
            : "You log in without a password. To add one, use the link we email you."
        }
      >
        {settings.hasPassword ? (
          <PasswordForm email={settings.email} answer={of("password")} />
        ) : (
          <PasswordLinkForm answer={of("password-link")} />
        )}
      </Section>
      <Section
        id="email"
        current={current}
        lead="You log in with this email, and we write to you there. A new one counts once you've opened the link that we send to it."
      >
        {settings.waitingEmail && <WaitingEmail waiting={settings.waitingEmail} answer={of("email-again")} />}
        <EmailForm settings={settings} answer={of("email")} />
        <EmailShownForm settings={settings} answer={of("email-shown")} />
      </Section>
      <Section
        id="devices"
        current={current}
        lead="Lost a phone or forgot to log out in the lab? Log out everywhere, including here."
      >
        <SignOutForm />
      </Section>
      <Section
        id="data-saver"
        current={current}
        lead="Saves your mobile data: photos are smaller, and nothing loads before you need it."
      >
        <DataSaverForm />
      </Section>
      <Section id="help" current={current} lead="Questions, problems, or something that doesn't work? Write to us.">
        <p className="row">
          <TextLink to="/help">Find an answer</TextLink>
          <TextLink to="/support">Contact support</TextLink>
          <TextLink to="/terms">Terms of Service</TextLink>
          <TextLink to="/privacy">Privacy Policy</TextLink>
        </p>
        <p className="quiet small">Or see the marketplace and your shop once more, in a short tour.</p>
        <div>{tutorial}</div>
      </Section>
      <Section
        id="my-data"
        current={current}
        lead="One file with everything that we hold about you: your account, listings, orders, payments and messages."
      >
        <div>
          <LinkButton to="/settings/my-data" variant="soft" reloadDocument>
            Download My Data
          </LinkButton>
        </div>
      </Section>
      <Section
        id="delete"
        current={current}
        lead="We erase your name, phone, documents and messages, and take down your listings. Buyers and sellers keep their order records, without your name. This can't be undone."
      >
        {settings.adminRole ? (
          <p className="quiet small">{DELETION_BLOCKER_TEXTS.admin}</p>
        ) : (
          <DeleteForm hasPassword={settings.hasPassword} email={settings.email} answer={of("delete")} />
        )}
      </Section>
    </div>
  );
}

interface SectionProps {
  id: SettingsSection;
  /** The section that is shown. */
  current: SettingsSection;
  lead: string;
  children: ReactNode;
}

function Section({ id, current, lead, children }: SectionProps) {
  return (
    <section className="stack" aria-labelledby={`settings-${id}`} hidden={id !== current}>
      <header className="stack stack--tight">
        <h2 id={`settings-${id}`}>{settingsRow(id).title}</h2>
        <p className="quiet small">{lead}</p>
      </header>
      <div className="stack">{children}</div>
    </section>
  );
}

/**
 * A form that is sent without leaving the page. The server's errors are shown at the fields. `onSaved` is called with
 * what was sent and with the form.
 */
function useSettingsForm(
  intent: string,
  answer: SettingsAnswer | null,
  onSaved?: (sent: FormData, form: HTMLFormElement) => void,
) {
  const { Form, state, data } = useFetcher<ScriptsAnswer>({ key: `settings-${intent}` });
  const answered = data ?? answer;
  const errors = useFieldErrors(answered?.errors);
  const { ref: form } = errors.form;
  // By then the screen has its new data.
  const saved = state === "idle" ? data?.saved : undefined;
  const tellSaved = useEffectEvent((sent: FormData) => form.current && onSaved?.(sent, form.current));
  useEffect(() => {
    if (saved) tellSaved(saved);
  }, [saved]);
  const action = useSendPath("/settings");
  const props = { method: "post", action, className: "stack", noValidate: true, ...errors.form } as const;
  return { Form, busy: state !== "idle", errors, props, answered };
}

interface SendProps {
  intent: string;
  busy: boolean;
  busyLabel: string;
  /** Not the main thing to save here. */
  second?: boolean;
  danger?: boolean;
  children: string;
}

function Send({ intent, busy, busyLabel, second, danger, children }: SendProps) {
  return (
    <div>
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" variant={second || danger ? "soft" : "solid"} danger={danger} busy={busy}>
        {busy ? busyLabel : children}
      </Button>
    </div>
  );
}

function DetailsForm({ settings, answer }: { settings: Settings; answer: SettingsAnswer | null }) {
  // When the page reloads its data, the fields stay, so this stays, too.
  const [openedWith, setOpenedWith] = useState(() => writeOpened(detailTexts(settings)));
  const { Form, busy, errors, props, answered } = useSettingsForm("details", answer, (sent, form) => {
    // Without the new data, the fields stay as they were sent.
    if (hasReloadFailed()) return;
    // The fields show what is saved, also what was changed in another place. What was typed since stays.
    const now = new FormData(form);
    const saved = Object.entries({ ...detailTexts(settings), currentPassword: "" });
    fillForm(form, Object.fromEntries(saved.filter(([field]) => now.get(field) === sent.get(field))));
    setOpenedWith(writeOpened(detailTexts(settings)));
  });
  const asksPassword = settings.moneyComing || answered?.errors.currentPassword !== undefined;
  const { fullName, campusLocation } = settings.member;
  return (
    <Form {...props}>
      <input type="hidden" name="opened" value={answered?.opened ?? openedWith} />
      <Field
        label="Full name"
        error={errors.of("fullName")}
        hint={
          settings.verificationStatus === "approved" && settings.accountType === "student"
            ? "You're verified under this name. A new name must be reviewed again."
            : undefined
        }
      >
        <TextField
          name="fullName"
          autoComplete="name"
          defaultValue={fullName}
          maxLength={MAX_LENGTHS.fullName}
          aria-required
        />
      </Field>
      <Field label="Phone" error={errors.of("phone")} hint={phoneHint(settings)} optional={!settings.member.isSeller}>
        <TextField
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          defaultValue={settings.phone ? displayPhone(settings.phone) : ""}
          maxLength={MAX_LENGTHS.phone}
        />
      </Field>
      {asksPassword && settings.hasPassword && (
        <Field
          label="Current password"
          error={errors.of("currentPassword")}
          hint={
            settings.moneyComing
              ? "Money is on its way to you, so you need your password to change your phone."
              : "Enter your password to change your phone again."
          }
          optional
        >
          <PasswordField name="currentPassword" autoComplete="current-password" />
        </Field>
      )}
      <CampusField
        campuses={settings.campuses}
        error={errors.of("campusLocation")}
        defaultValue={campusLocation ?? ""}
        optional={settings.accountType === "wholesaler"}
        movesListings={settings.member.listings > 0}
      />
      <Send intent="details" busy={busy} busyLabel="Saving...">
        Save Changes
      </Send>
    </Form>
  );
}

/** Says what a change of the number means while money is on its way. */
function phoneHint({ member, moneyComing, hasPassword }: Settings): string {
  if (!moneyComing)
    return member.isSeller ? "We send your payouts to this M-Pesa number." : "For M-Pesa, such as 0712 345 678.";
  return hasPassword
    ? "We send your payouts to this M-Pesa number. If you change it now, your payouts wait for 24 hours."
    : "We send your payouts to this M-Pesa number. Money is on its way to you, so set a password before you change it.";
}

function PasswordForm({ email, answer }: { email: string; answer: SettingsAnswer | null }) {
  const { Form, busy, errors, props } = useSettingsForm("password", answer, (_sent, form) => form.reset());
  return (
    <Form {...props}>
      <Username email={email} />
      <Field label="Current password" error={errors.of("currentPassword")}>
        <PasswordField name="currentPassword" autoComplete="current-password" aria-required />
      </Field>
      <Field label="New password" error={errors.of("newPassword")} hint={`At least ${PASSWORD_MIN_LENGTH} characters.`}>
        <PasswordField name="newPassword" autoComplete="new-password" maxLength={PASSWORD_MAX_LENGTH} aria-required />
      </Field>
      <Send intent="password" busy={busy} busyLabel="Saving..." second>
        Change Password
      </Send>
    </Form>
  );
}

/** A new address whose link nobody has opened yet. */
function WaitingEmail({
  waiting: { email, until },
  answer,
}: {
  waiting: NonNullable<Settings["waitingEmail"]>;
  answer: SettingsAnswer | null;
}) {
  const again = useSettingsForm("email-again", answer);
  const cancel = useSettingsForm("email-cancel", null);
  return (
    <Callout tone="orange" title="Your email isn't changed yet">
      <div className="stack">
        <p>
          Open the link that we sent to <strong className="verification__email">{email}</strong>. It works until{" "}
          {formatDateTime(until)}.
        </p>
        {again.errors.of("form") && <p role="alert">{again.errors.of("form")}</p>}
        <div className="row">
          <again.Form {...again.props}>
            <Send intent="email-again" busy={again.busy} busyLabel="Sending..." second>
              Send Again
            </Send>
          </again.Form>
          <cancel.Form {...cancel.props}>
            <Send intent="email-cancel" busy={cancel.busy} busyLabel="Cancelling..." second>
              Cancel the Change
            </Send>
          </cancel.Form>
        </div>
      </div>
    </Callout>
  );
}

/** Leaving a university takes its mailbox away. What the address has proved goes with it, so the form says so first. */
function EmailForm({ settings, answer }: { settings: Settings; answer: SettingsAnswer | null }) {
  const { Form, busy, errors, props } = useSettingsForm("email", answer, (_sent, form) => form.reset());
  const byAddress = settings.member.level === "student" && settings.verificationStatus !== "approved";
  return (
    <Form {...props}>
      <Field label="Email">
        <TextField value={settings.email} readOnly />
      </Field>
      {settings.hasPassword && !settings.adminRole ? (
        <>
          <Field
            label="New email"
            error={errors.of("newEmail")}
            hint={
              byAddress
                ? "You're a verified student because of your university email. With another address you keep that only if our team approves your student ID, so upload it first."
                : undefined
            }
          >
            <TextField
              name="newEmail"
              type="email"
              inputMode="email"
              autoComplete="off"
              maxLength={MAX_LENGTHS.email}
              aria-required
            />
          </Field>
          <Field label="Current password" error={errors.of("currentPassword")}>
            <PasswordField name="currentPassword" autoComplete="current-password" aria-required />
          </Field>
          <Send intent="email" busy={busy} busyLabel="Sending..." second>
            Change Email
          </Send>
        </>
      ) : (
        <p className="quiet small">{settings.adminRole ? EMAIL_TEXTS.admin : EMAIL_TEXTS.no_password}</p>
      )}
    </Form>
  );
}

function EmailShownForm({ settings, answer }: { settings: Settings; answer: SettingsAnswer | null }) {
  const { Form, busy, errors, props } = useSettingsForm("email-shown", answer);
  return (
    <Form {...props}>
      <input type="hidden" name="intent" value="email-shown" />
      {errors.of("form") && <p role="alert">{errors.of("form")}</p>}
      <SwitchButton
        name="emailShown"
        isOn={settings.showsEmail}
        busy={busy}
        hint="Members who are logged in then see it on your seller page. They can always message you here. A new email is hidden again."
      >
        Show my email to members
      </SwitchButton>
    </Form>
  );
}

function PasswordLinkForm({ answer }: { answer: SettingsAnswer | null }) {
  const { Form, busy, errors, props } = useSettingsForm("password-link", answer);
  const refused = errors.of("form");
  return (
    <Form {...props}>
      {refused && (
        <Callout tone="red" role="alert">
          {refused}
        </Callout>
      )}
      <Send intent="password-link" busy={busy} busyLabel="Sending..." second>
        Email Me a Link
      </Send>
    </Form>
  );
}

/** Hidden: tells password managers which account the password belongs to. */
function Username({ email }: { email: string }) {
  return (
    <input
      hidden
      type="text"
      name="username"
      defaultValue={email}
      autoComplete="username"
      readOnly
      aria-label="Email"
    />
  );
}

function SignOutForm() {
  const { Form, busy, props } = useSettingsForm("sign-out-everywhere", null);
  return (
    <Form {...props}>
      <Send intent="sign-out-everywhere" busy={busy} busyLabel="Logging out..." second>
        Log Out of All Devices
      </Send>
    </Form>
  );
}

function DataSaverForm() {
  const { Form, busy, props } = useSettingsForm("data-saver", null);
  const isOn = useDataSaver();
  return (
    <Form {...props}>
      <input type="hidden" name="intent" value="data-saver" />
      <SwitchButton
        name="dataSaver"
        isOn={isOn}
        busy={busy}
        hint="For this browser only. It turns on by itself if your browser asks websites to save data."
      >
        Data saver
      </SwitchButton>
    </Form>
  );
}

function DeleteForm({
  hasPassword,
  email,
  answer,
}: {
  hasPassword: boolean;
  email: string;
  answer: SettingsAnswer | null;
}) {
  const { Form, busy, errors, props } = useSettingsForm("delete", answer);
  const refused = errors.of("form");
  return (
    <details open={answer !== null || undefined}>
      <summary>I want to delete my account</summary>
      <Form {...props}>
        <Username email={email} />
        {refused && (
          <Callout tone="red" role="alert">
            {refused}
          </Callout>
        )}
        <Field
          label={
            <>
              {/* A translated word would be refused. */}
              Type <span translate="no">{DELETE_WORD}</span> to confirm
            </>
          }
          error={errors.of("confirmation")}
        >
          <TextField name="confirmation" autoComplete="off" autoCapitalize="characters" maxLength={20} aria-required />
        </Field>
        {hasPassword && (
          <Field label="Current password" error={errors.of("currentPassword")}>
            <PasswordField name="currentPassword" autoComplete="current-password" aria-required />
          </Field>
        )}
        <Send intent="delete" busy={busy} busyLabel="Deleting..." danger>
          Delete My Account
        </Send>
      </Form>
    </details>
  );
}

const DOCUMENT_NAMES = { student_id: "Student ID", business_license: "Business verification document" } as const;
const REPLACE_LABELS = {
  student_id: "Replace your student ID",
  business_license: "Replace your business verification document",
} as const;
const STATUSES = {
  pending: { label: "Pending", tone: "orange" },
  approved: { label: "Approved", tone: "green" },
  rejected: { label: "Rejected", tone: "red" },
} as const;

function documentsLead({ accountType }: Settings): string {
  const why =
    accountType === "wholesaler"
      ? "Upload a document that proves your business is real."
      : "Upload your student ID to prove you're a student.";
  return `${why} Only you and our team can see it. We delete the file ${CHECKED_FILE_DAYS} days after our decision.`;
}

interface DocumentsProps {
  settings: Settings;
  answer: SettingsAnswer | null;
  /** The answer of the form of the link. */
  link: SettingsAnswer | null;
}

function Documents({ settings, answer, link }: DocumentsProps) {
  const type = documentTypeOf(settings.accountType);
  const { Form, busy, errors, props } = useSettingsForm("document", answer);
  const current = settings.documents.find((document) => document.documentType === type);
  return (
    <>
      <OwnLevel settings={settings} newest={settings.documents[0]} answer={link} />
      {settings.documents.length > 0 && (
        <ul className="stack" role="list">
          {settings.documents.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      )}
      {/* Once a document is saved, its field is empty again. */}
      <Form {...props} key={current?.id} encType="multipart/form-data">
        <Field label={current ? REPLACE_LABELS[type] : DOCUMENT_NAMES[type]} error={errors.of("document")}>
          <FileField
            name="document"
            accept={acceptAttribute(type)}
            accepted={`Up to 10 MB: ${ACCEPTED_WORDS[type]}`}
            sizeOf={sizeInMb}
            onChoose={() => errors.put("document", null)}
          />
        </Field>
        <Send intent="document" busy={busy} busyLabel="Uploading..." second>
          {current ? "Replace Document" : "Upload Document"}
        </Send>
      </Form>
    </>
  );
}

interface OwnLevelProps {
  settings: Settings;
  newest: OwnDocument | undefined;
  answer: SettingsAnswer | null;
}

function OwnLevel({ settings, newest, answer }: OwnLevelProps) {
  const { accountType, until, stand, byAddress } = settings;
  const verification = {
    level: settings.member.level,
    accountType,
    until,
    stand,
    byAddress,
    document: newest?.status ?? null,
  };
  return (
    <>
      <p>
        Your level: <strong>{ownLevelTitle(verification)}</strong>. {endedText(verification)}{" "}
        {nextLevelStep(verification)} <TextLink to="/verified">What verified means</TextLink>
      </p>
      {byAddress && mustRenew(verification) && <StudentLinkForm email={settings.email} answer={answer} />}
    </>
  );
}

/** The link that shows that a university's address is still theirs. */
function StudentLinkForm({ email, answer }: { email: string; answer: SettingsAnswer | null }) {
  const { Form, busy, errors, props } = useSettingsForm("student-link", answer);
  return (
    <Form {...props}>
      <FormError error={errors.of("form")} />
      <Send intent="student-link" busy={busy} busyLabel="Sending...">
        {`Send a Link to ${email}`}
      </Send>
    </Form>
  );
}

function DocumentRow({ document }: { document: OwnDocument }) {
  const { label, tone } = STATUSES[document.status];
  return (
    <li className="settings__document">
      <Icon name="file-text" size="large" />
      <div className="grow">
        {document.fileDeletedAt === null ? (
          <a className="text-link settings__file" href={`/documents/${document.id}`} download>
            {document.fileName}
          </a>
        ) : (
          <span className="settings__file">{document.fileName}</span>
        )}
        <p className="quiet small numbers">
          {DOCUMENT_NAMES[document.documentType]} ·{" "}
          {document.fileDeletedAt === null
            ? `${sizeInMb(document.sizeBytes)} · ${formatDate(document.createdAt)}`
            : `deleted on ${formatDate(document.fileDeletedAt)}`}
        </p>
        {document.status === "rejected" && document.reason && <p className="small">{document.reason}</p>}
      </div>
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </li>
  );
}
