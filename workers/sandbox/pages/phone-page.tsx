/** @jsxImportSource hono/jsx */
import { inEastAfrica } from "#app/platform/east-africa-time.ts";
import {
  type Activity,
  type KnownPhone,
  knownPhones,
  type PayoutView,
  type PromptView,
} from "#workers/sandbox/activity.ts";
import { clockOf } from "#workers/sandbox/kenya-time.ts";
import { promptQuestion } from "#workers/sandbox/phone-messages.ts";
import { type PromptState, pushScriptFor } from "#workers/sandbox/outcomes.ts";
import { registeredName } from "#workers/sandbox/people.ts";
import { kes, Page, readablePhone } from "./layout.tsx";

/** How long a part counts as new and is animated, in ms. */
const FRESH_MS = 4_000;
const MAX_MESSAGES = 30;
const MAX_HISTORY = 40;

export interface PhoneView {
  /** All prompts and payouts, for the list of phones. */
  everything: Activity;
  /** What this handset shows: the activity of one phone, or of all. */
  shown: Activity;
  /** 254XXXXXXXXX, or null for every phone. */
  phone: string | null;
  business: string;
  /** ms. */
  now: number;
}

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

function Keypad() {
  return (
    <fieldset class="keypad">
      <legend class="pin-label">Enter M-PESA PIN: any four digits will do</legend>
      {KEYS.map((key) => (
        <button key={key} type="button" data-key={key}>
          {key}
        </button>
      ))}
      <button type="button" data-key="back" aria-label="Delete the last digit">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M9 5h11v14H9l-6-7z" />
          <path d="m12 9.5 5 5m0-5-5 5" />
        </svg>
      </button>
      <button type="button" data-key="0">
        0
      </button>
      <button type="button" class="send" data-outcome="pay" aria-label="Send">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="m5 12.5 4.5 4.5L19 7.5" />
        </svg>
      </button>
    </fieldset>
  );
}

function Sheet({ prompt, more, view }: { prompt: PromptView; more: number; view: PhoneView }) {
  const rings = prompt.expiresAt - prompt.createdAt;
  const fresh = view.now - prompt.createdAt < FRESH_MS;
  return (
    <div class="scrim">
      <dialog
        open
        class={fresh ? "sheet fresh" : "sheet"}
        aria-labelledby="question"
        data-prompt={prompt.CheckoutRequestID}
        data-expires={String(prompt.expiresAt)}
        data-rings={String(rings)}
      >
        <header>
          <span class="mpesa">M-PESA</span>
          <span class="to">to {readablePhone(prompt.phone)}</span>
          <span class="left" data-left aria-hidden="true" />
        </header>
        <progress class="time" max="1" value="1" data-time aria-label="Time left to answer" />
        <p id="question" class="question">
          {promptQuestion(prompt.amount, view.business, prompt.accountReference)}
        </p>
        {prompt.waitsForHandset ? null : <p class="by-itself">This number {pushScriptFor(prompt.phone).story}.</p>}
        <div class="pin" data-pin aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </div>
        <Keypad />
        <button type="button" class="pay" data-outcome="pay">
          Pay {kes(prompt.amount)}
        </button>
        <div class="instead">
          <button type="button" data-outcome="cancel">
            Cancel
          </button>
          <button type="button" data-outcome="wrong_pin">
            Wrong PIN
          </button>
          <button type="button" data-outcome="timeout">
            Don't answer
          </button>
        </div>
        {more > 0 ? (
          <p class="more">{more === 1 ? "1 more request is waiting" : `${more} more requests are waiting`}</p>
        ) : null}
      </dialog>
    </div>
  );
}

function openPrompts(activity: Activity): PromptView[] {
  const open = activity.prompts.filter((prompt) => prompt.state === "open");
  return [...open.filter((prompt) => prompt.waitsForHandset), ...open.filter((prompt) => !prompt.waitsForHandset)];
}

/** The part of the handset that is refreshed. */
export function PhoneScreen({ view }: { view: PhoneView }) {
  const [prompt, ...others] = openPrompts(view.shown);
  const messages = view.shown.messages.slice(0, MAX_MESSAGES);
  return (
    <div
      class="screen"
      data-swap="screen"
      data-announce={prompt ? `Payment request for ${kes(prompt.amount)}` : messages[0]?.text}
    >
      <ol class="messages" aria-label="Messages" inert={prompt !== undefined}>
        {messages.map((message) => (
          <li key={message.sentAt} class={view.now - message.sentAt < FRESH_MS ? "fresh" : undefined}>
            <span class="from">M-PESA</span>
            {view.phone === null ? <span class="at">{readablePhone(message.phone)}</span> : null}
            <time>{clockOf(message.sentAt)}</time>
            <p>{message.text}</p>
          </li>
        ))}
      </ol>
      {messages.length === 0 && !prompt ? (
        <p class="quiet-phone">
          No requests yet. Check out with a number that ends in <b>00</b>, and the M-PESA prompt appears here.
        </p>
      ) : null}
      {prompt ? <Sheet prompt={prompt} more={others.length} view={view} /> : null}
    </div>
  );
}

function PhoneChip({ known, current }: { known: KnownPhone; current: boolean }) {
  return (
    <a class="chip" href={`/sandbox/phone?phone=${known.phone}`} aria-current={current ? "true" : undefined}>
      {known.waiting ? <i class="waiting" title="A request is open" /> : null}
      {readablePhone(known.phone)}
    </a>
  );
}

const PROMPT_WORDS: Record<PromptState, string> = {
  open: "Ringing",
  paid: "Paid",
  reversed: "Sent back",
  cancelled: "Cancelled",
  wrong_pin: "Wrong PIN",
  timed_out: "No answer",
  insufficient: "Too little money",
  failed: "Failed",
};

const PAYOUT_WORDS: Record<PayoutView["state"], string> = {
  accepted: "On its way",
  paid: "Paid out",
  failed: "Failed",
};

interface HistoryEntry {
  at: number;
  phone: string;
  amount: number;
  /** The log of one phone, for its owner. */
  direction: "paid" | "received";
  state: string;
  word: string;
  detail: string;
  news: string;
}

function newsWords(callbacks: PromptView["callbacks"]): string {
  if (callbacks.length === 0) return "no callback";
  return callbacks.map((sent) => `${sent.kind} ${sent.status ?? "not delivered"}`).join(", ");
}

function promptEntry(prompt: PromptView): HistoryEntry {
  return {
    at: prompt.createdAt,
    phone: prompt.phone,
    amount: prompt.amount,
    direction: "paid",
    state: prompt.state,
    word: PROMPT_WORDS[prompt.state],
    detail: [prompt.accountReference, prompt.receipt].filter(Boolean).join(" · "),
    news: prompt.state === "open" ? "" : newsWords(prompt.callbacks),
  };
}

function payoutEntry(payout: PayoutView): HistoryEntry {
  return {
    at: payout.createdAt,
    phone: payout.phone,
    amount: payout.amount,
    direction: "received",
    state: payout.state,
    word: PAYOUT_WORDS[payout.state],
    detail: [payout.remarks, payout.receipt].filter(Boolean).join(" · "),
    news: payout.state === "accepted" ? "" : newsWords(payout.callbacks),
  };
}

function historyOf(activity: Activity): HistoryEntry[] {
  const entries = [...activity.prompts.map(promptEntry), ...activity.payouts.map(payoutEntry)];
  return entries.toSorted((a, b) => b.at - a.at).slice(0, MAX_HISTORY);
}

/** Next to the handset: the list of phones, and their exchanges with Safaricom. */
export function PhoneRecord({ view }: { view: PhoneView }) {
  const history = historyOf(view.shown);
  return (
    <div class="record" data-swap="record">
      <div class="chips">
        <a class="chip" href="/sandbox/phone" aria-current={view.phone === null ? "true" : undefined}>
          Every phone
        </a>
        {knownPhones(view.everything)
          .slice(0, 8)
          .map((known) => (
            <PhoneChip key={known.phone} known={known} current={known.phone === view.phone} />
          ))}
      </div>
      {history.length === 0 ? (
        <p class="empty">No requests or payouts yet.</p>
      ) : (
        <ol class="history">
          {history.map((entry) => (
            <li key={entry.at}>
              <time>{clockOf(entry.at)}</time>
              <div>
                <p>
                  <b>
                    {entry.direction === "paid" ? "−" : "+"} {kes(entry.amount)}
                  </b>{" "}
                  <span class={`state is-${entry.state}`}>{entry.word}</span>
                </p>
                <p class="detail">
                  {readablePhone(entry.phone)} · {entry.detail}
                </p>
                {entry.news ? <p class="detail">{entry.news}</p> : null}
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

export function StatusBar({ now }: { now: number }) {
  return (
    <div class="statusbar">
      <span data-clock>{clockOf(now)}</span>
      <span class="carrier">Safaricom</span>
      <span class="signs" aria-hidden="true">
        <svg viewBox="0 0 18 12">
          <rect x="0" y="8" width="3" height="4" rx="1" />
          <rect x="5" y="5.5" width="3" height="6.5" rx="1" />
          <rect x="10" y="3" width="3" height="9" rx="1" />
          <rect x="15" y="0" width="3" height="12" rx="1" />
        </svg>
        4G
        <svg viewBox="0 0 26 12">
          <rect
            x="0.75"
            y="0.75"
            width="21.5"
            height="10.5"
            rx="3"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
          />
          <rect x="2.75" y="2.75" width="14" height="6.5" rx="1.5" />
          <rect x="23.5" y="4" width="2" height="4" rx="1" />
        </svg>
      </span>
    </div>
  );
}

/** The handset. */
export function PhonePage({ view, liveUrl }: { view: PhoneView; liveUrl: string }) {
  const day = inEastAfrica(view.now).toLocaleDateString("en-GB", {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
  });
  return (
    <Page title="Handset" here="phone" scripts={["live.js", "handset.js"]} liveUrl={liveUrl}>
      <main class="phone-page">
        <h1 class="hidden">Handset</h1>
        <p class="hidden" aria-live="polite" data-announcer />
        <p class="notice" role="alert" data-notice hidden />
        <div class="device">
          <div class="glass">
            <StatusBar now={view.now} />
            <div class="home">
              <p class="bigclock" data-clock>
                {clockOf(view.now)}
              </p>
              <p class="day">{day}</p>
              <p class="owner">
                {view.phone === null
                  ? "Every phone on campus"
                  : `${readablePhone(view.phone)} · ${registeredName(view.phone)}`}
              </p>
            </div>
            <PhoneScreen view={view} />
          </div>
        </div>
        <aside aria-label="Phones and payments">
          <h2>On this line</h2>
          <form class="pick" action="/sandbox/phone">
            <label htmlFor="phone">Show one phone</label>
            <input
              id="phone"
              name="phone"
              inputmode="tel"
              autocomplete="off"
              placeholder="0712 345 600"
              value={view.phone ?? ""}
            />
            <button type="submit">Show</button>
          </form>
          <PhoneRecord view={view} />
        </aside>
      </main>
    </Page>
  );
}
