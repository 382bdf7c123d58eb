/** @jsxImportSource hono/jsx */
import { PAYOUT_SCRIPTS, PUSH_SCRIPTS, REFUND_SCRIPTS } from "#workers/sandbox/outcomes.ts";
import { describeSettings, type Settings } from "#workers/sandbox/settings.ts";
import { Page } from "./layout.tsx";

const ACCOUNTS = [
  { email: "buyer@campus.test", who: "a student who buys" },
  { email: "seller@campus.test", who: "a student with a shop" },
  { email: "pro@campus.test", who: "a Pro seller" },
  { email: "wholesaler@campus.test", who: "a wholesaler" },
  { email: "admin@campus.test", who: "an admin" },
  { email: "newcomer@campus.test", who: "a new student whose profile isn't complete" },
];

const ADDRESSES = [
  { path: "GET /sandbox/prompts.json", what: "prompts, payouts and text messages, newest first" },
  {
    path: "POST /sandbox/prompts/{CheckoutRequestID}",
    what: '{"outcome":"pay"}, or cancel, wrong_pin, timeout, insufficient: answers an open prompt',
  },
  {
    path: "POST /sandbox/transfers",
    what: '{"phone":"2547…","amount":1500}: sends money by hand, as in the M-Pesa portal, and answers with the receipt',
  },
  {
    path: "GET /sandbox/statement.csv?account=",
    what: "the statement of the account collection or payouts, as the M-Pesa portal gives it; &from=YYYY-MM-DD&until=",
  },
  { path: "POST /sandbox/earlier", what: "payments and payouts of a time before this sandbox, for the demo campus" },
  { path: "GET /sandbox/mailbox.json?to=", what: "emails, newest first: to, subject, text, html, links" },
  { path: "GET /sandbox/pushes.json?browser=", what: "messages to phones, decrypted, newest first" },
  { path: "GET /sandbox/faults", what: "the settings below, with their current values" },
  { path: "POST /sandbox/faults", what: 'changes some of them: {"queryNoise":5}' },
  { path: "DELETE /sandbox/faults", what: "resets all settings" },
];

interface Ending {
  digits: string;
  story: string;
}

function endingsOf(scripts: Readonly<Record<string, { story: string }>>, rest: string): Ending[] {
  const scripted = Object.entries(scripts).map(([digits, { story }]) => ({ digits, story }));
  return [...scripted.toSorted((a, b) => a.digits.localeCompare(b.digits)), { digits: "··", story: rest }];
}

function Endings({ title, endings }: { title: string; endings: Ending[] }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <dl class="endings">
        {endings.map(({ digits, story }) => (
          <div key={digits}>
            <dt>{digits}</dt>
            <dd>{story}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface IndexPageProps {
  settings: Settings;
  starting: Settings;
  waiting: number;
  mails: number;
}

/** The start page of the sandbox: what it offers, and how to use it. */
export function IndexPage({ settings, starting, waiting, mails }: IndexPageProps) {
  return (
    <Page title="Sandbox" here="index">
      <main class="sandbox">
        <div class="intro">
          <h1>A local Safaricom, mailbox and push service</h1>
          <p>
            The app on your machine uses this page in place of M-PESA, and its emails arrive here. No money moves and
            nothing leaves your computer.
          </p>
        </div>
        <Doors waiting={waiting} mails={mails} />
        <div class="columns">
          <DemoAccounts />
          <Endings
            title="A seller whose phone ends in"
            endings={endingsOf(
              PAYOUT_SCRIPTS,
              "21, 22, 25 and 26 end as below; any other number is paid after about 1 second",
            )}
          />
          <Endings
            title="A payer whose phone ends in"
            endings={endingsOf(PUSH_SCRIPTS, "any other number pays after about 2 seconds")}
          />
          <Endings
            title="Refunds to a payer whose phone ends in"
            endings={endingsOf(REFUND_SCRIPTS, "any other number gets refunds after about 1 second")}
          />
          <ForScripts />
        </div>
        <Faults settings={settings} starting={starting} />
      </main>
    </Page>
  );
}

function Doors({ waiting, mails }: Pick<IndexPageProps, "waiting" | "mails">) {
  return (
    <div class="doors">
      <a class="door" href="/sandbox/phone">
        <strong>Handset</strong>
        <span>
          {waiting > 0 ? `${waiting} waiting for an answer` : "Answer payment requests, read payout messages"}
        </span>
      </a>
      <a class="door" href="/sandbox/lock-screen">
        <strong>Lock screen</strong>
        <span>What phones show while the app is closed</span>
      </a>
      <a class="door" href="/sandbox/statement.csv">
        <strong>Statement</strong>
        <span>The paybill's last 30 days, as CSV</span>
      </a>
      <a class="door" href="/sandbox/statement.csv?account=payouts">
        <strong>Statement of payouts</strong>
        <span>The payout account's last 30 days, as CSV</span>
      </a>
      <a class="door" href="/sandbox/mailbox">
        <strong>Mailbox</strong>
        <span>{mails > 0 ? `${mails} in the box` : "Confirmation links and notices"}</span>
      </a>
    </div>
  );
}

function DemoAccounts() {
  return (
    <section class="card">
      <h2>Demo accounts</h2>
      <p>
        The password is <code>campus-demo</code> for all of them. <code>CAMPUS23</code> is an unused wholesaler code.
      </p>
      <dl class="accounts">
        {ACCOUNTS.map(({ email, who }) => (
          <div key={email}>
            <dt>
              <code>{email}</code>
            </dt>
            <dd>{who}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ForScripts() {
  return (
    <section class="card">
      <h2>For scripts</h2>
      <dl class="addresses">
        {ADDRESSES.map(({ path, what }) => (
          <div key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Faults({ settings, starting }: Pick<IndexPageProps, "settings" | "starting">) {
  return (
    <section class="card">
      <h2>Faults</h2>
      <p>
        Problems at Safaricom that you can switch on with <code>POST /sandbox/faults</code>.
      </p>
      <dl class="faults">
        {describeSettings().map(({ name, meaning }) => (
          <div key={name} class={settings[name] === starting[name] ? undefined : "changed"}>
            <dt>
              <code>{name}</code> <span class="value">{JSON.stringify(settings[name])}</span>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
