import "./two-step.css";
import { Form } from "react-router";
import { CODE_FIELD_LENGTH } from "#app/ui/forms/code-field.ts";
import type { QrDrawing } from "#app/platform/qr-code.ts";
import { formatDate } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { CopyButton } from "#app/ui/sharing/copy-button.tsx";
import { QrCode } from "#app/ui/sharing/qr-code.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { RECOVERY_CODES, showRecoveryCode, TWO_STEP_TEXTS } from "#app/accounts/two-step/two-step-rules.ts";
import type { SecondSteps } from "#app/accounts/two-step/two-step.server.ts";
import { makePasskey, type NewPasskeyOptions } from "./passkey-browser.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

interface TwoStepViewProps {
  steps: SecondSteps;
  /** An app that is being set up. */
  app: { secret: string; startedAt: number; address: string; drawing: QrDrawing } | null;
  passkey: NewPasskeyOptions;
  /** Whether an admin must have a second step. */
  isNeeded: boolean;
  /** Of the last form. */
  errors: Partial<Record<string, string>> | undefined;
  /** New recovery codes, which can't be read again. */
  codes: string[] | null;
}

/** The second step of one's own login. */
export function TwoStepView({ steps, app, passkey, isNeeded, errors, codes }: TwoStepViewProps) {
  const isOn = steps.appSince !== null || steps.passkeys.length > 0;
  return (
    <div className="page page--form stack stack--loose">
      <PageHeader
        title="Two-step login"
        lead={
          isOn
            ? "After your password, your account asks for a passkey or a code."
            : "After your password, your account can ask for something that only you have. A stolen password then opens nothing."
        }
        back={{ to: "/profile?tab=settings", label: "Settings" }}
      />
      {codes ? (
        <NewCodes codes={codes} />
      ) : (
        <>
          {isNeeded && !isOn && <Callout tone="orange">{TWO_STEP_TEXTS.needed}</Callout>}
          {/* Where no set-up goes on any more, there is no field to say it at. */}
          <FormError error={errors?.form ?? (app ? undefined : errors?.code)} />
          {isOn && <OwnSteps steps={steps} />}
          {steps.appSince === null && (app ? <AddApp app={app} errors={errors} /> : <StartApp first={!isOn} />)}
          <AddPasskey passkey={passkey} />
          {isOn && <Recovery left={steps.codesLeft} />}
        </>
      )}
    </div>
  );
}

function OwnSteps({ steps: { appSince, passkeys } }: { steps: SecondSteps }) {
  return (
    <section className="card stack" aria-labelledby="own-steps">
      <h2 id="own-steps">Your second step</h2>
      <ul className="two-step__list" role="list">
        {appSince !== null && <OwnStep id="app" name="Authenticator app" since={appSince} />}
        {passkeys.map(({ id, createdAt }) => (
          <OwnStep key={id} id={id} name="Passkey" since={createdAt} />
        ))}
      </ul>
    </section>
  );
}

function OwnStep({ id, name, since }: { id: string; name: string; since: number }) {
  return (
    <li>
      <Form method="post" className="row row--apart">
        <input type="hidden" name="intent" value="remove" />
        <span>
          {name} <span className="quiet small">since {formatDate(since)}</span>
        </span>
        <SubmitButton name="id" value={id} busyLabel="Removing..." variant="soft" size="small" wide={false} danger>
          Remove
          <span className="visually-hidden">
            {" "}
            {name} since {formatDate(since)}
          </span>
        </SubmitButton>
      </Form>
    </li>
  );
}

function StartApp({ first }: { first: boolean }) {
  return (
    <section className="card stack" aria-labelledby="app">
      <h2 id="app">Authenticator app</h2>
      <p>An app on your phone shows a new code every 30 seconds, also without internet.</p>
      <Form method="post">
        <SubmitButton name="intent" value="start-app" busyLabel="Starting..." variant={first ? "solid" : "soft"}>
          Set Up an App
        </SubmitButton>
      </Form>
    </section>
  );
}

function AddApp({
  app,
  errors: answered,
}: Pick<TwoStepViewProps, "errors"> & { app: NonNullable<TwoStepViewProps["app"]> }) {
  const errors = useFieldErrors(answered);
  return (
    <section className="card stack" aria-labelledby="app">
      <h2 id="app">Authenticator app</h2>
      <div className="two-step__ways">
        <div className="two-step__here stack">
          <p>Is the app on this device? Open it, or copy the key into it.</p>
          <p>
            <a className="text-link" href={app.address}>
              Open my app
            </a>
          </p>
          <div className="row">
            <code className="two-step__key">{app.secret.match(/.{1,4}/g)?.join(" ")}</code>
            <CopyButton text={app.secret} label="Copy the key" what="the key" size="small" />
          </div>
        </div>
        <div className="two-step__other stack">
          <p>Is it on another device? Scan this with the app.</p>
          <QrCode className="two-step__qr" drawing={app.drawing} label="QR code for your authenticator app" />
        </div>
      </div>
      <Form method="post" className="stack" noValidate {...errors.form}>
        <input type="hidden" name="intent" value="add-app" />
        <input type="hidden" name="startedAt" value={app.startedAt} />
        <Field label="Code" error={errors.of("code")} hint="The 6 digits that the app shows.">
          <TextField
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_FIELD_LENGTH}
            aria-required
          />
        </Field>
        <SubmitButton busyLabel="Checking...">Turn On</SubmitButton>
      </Form>
    </section>
  );
}

function AddPasskey({ passkey }: Pick<TwoStepViewProps, "passkey">) {
  return (
    <section className="card stack" aria-labelledby="passkey">
      <h2 id="passkey">Passkey</h2>
      <p>Your phone or computer confirms that it's you, by your fingerprint, face or screen lock.</p>
      <Form method="post" className="stack">
        <input type="hidden" name="intent" value="add-passkey" />
        <PasskeyButton name="passkey" variant="soft" ask={() => makePasskey(passkey)}>
          Add a Passkey
        </PasskeyButton>
      </Form>
      <Unscripted>
        <p className="quiet small">Passkeys need scripts, which are off in this browser.</p>
      </Unscripted>
    </section>
  );
}

function Recovery({ left }: { left: number }) {
  return (
    <section className="card stack" aria-labelledby="recovery">
      <h2 id="recovery">Recovery codes</h2>
      <p>
        They open your account when you have lost your phone. You have {left} of {RECOVERY_CODES} left.
      </p>
      <Form method="post">
        <SubmitButton name="intent" value="renew-codes" busyLabel="Making..." variant="soft" wide={false}>
          Make New Codes
        </SubmitButton>
      </Form>
    </section>
  );
}

function NewCodes({ codes }: { codes: string[] }) {
  return (
    <section className="card stack" aria-labelledby="codes">
      <h2 id="codes">Save your recovery codes</h2>
      <p>Each works once, when you have lost your phone. Write them down or print them: we can't show them again.</p>
      <ul className="two-step__codes" role="list" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{showRecoveryCode(code)}</code>
          </li>
        ))}
      </ul>
      <div>
        <CopyButton text={codes.map(showRecoveryCode).join("\n")} label="Copy the codes" what="the codes" />
      </div>
      <LinkButton to="/settings/two-step">I've Saved Them</LinkButton>
    </section>
  );
}
