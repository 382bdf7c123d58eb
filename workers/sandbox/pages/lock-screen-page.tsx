/** @jsxImportSource hono/jsx */
import { inEastAfrica } from "#app/platform/east-africa-time.ts";
import { clockOf } from "#workers/sandbox/kenya-time.ts";
import type { PushView } from "#workers/sandbox/push-service.ts";
import { Page } from "./layout.tsx";
import { StatusBar } from "./phone-page.tsx";

const MAX_SHOWN = 30;
/** How long a message counts as new and is animated, in ms. */
const FRESH_MS = 4_000;

export interface LockScreenView {
  /** Newest first. */
  pushes: PushView[];
  /** The browser whose messages are shown; null for all. */
  browser: string | null;
  /** ms. */
  now: number;
}

/** What stands on a phone: of each tag the latest message. */
function standing({ pushes, browser }: LockScreenView): PushView[] {
  const seen = new Set<string>();
  return pushes
    .filter((push) => {
      const name = `${push.browser} ${push.tag}`;
      if ((browser !== null && push.browser !== browser) || seen.has(name)) return false;
      seen.add(name);
      return true;
    })
    .slice(0, MAX_SHOWN);
}

/** The part that is refreshed. */
export function LockScreen({ view }: { view: LockScreenView }) {
  const shown = standing(view);
  return (
    <div class="screen" data-swap="screen" data-announce={shown[0]?.title}>
      <ol class="messages" aria-label="Notifications">
        {shown.map((push) => (
          <li key={push.id} class={view.now - push.sentAt < FRESH_MS ? "fresh" : undefined}>
            <span class="from">Chuoni</span>
            <time>{clockOf(push.sentAt)}</time>
            <p>
              <b>{push.title}</b>
            </p>
            {push.body ? <p>{push.body}</p> : null}
            <p class="push-actions">
              {push.answerPath === null ? null : <a href={push.answerPath}>Answer</a>}
              <a href={push.path}>Open</a>
            </p>
          </li>
        ))}
      </ol>
      {shown.length === 0 ? (
        <p class="quiet-phone">
          Nothing yet. Turn on notifications under <b>Settings</b> in the app, then let somebody write to you.
        </p>
      ) : null}
    </div>
  );
}

/** A locked phone. Its notifications came encrypted, over the sandbox's push service. */
export function LockScreenPage({ view, liveUrl }: { view: LockScreenView; liveUrl: string }) {
  const browsers = [...new Set(view.pushes.map((push) => push.browser))].slice(0, 8);
  const day = inEastAfrica(view.now).toLocaleDateString("en-GB", {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
  });
  return (
    <Page title="Lock screen" here="lock-screen" scripts={["live.js"]} liveUrl={liveUrl}>
      <main class="phone-page">
        <h1 class="hidden">Lock screen</h1>
        <p class="hidden" aria-live="polite" data-announcer />
        <div class="device">
          <div class="glass">
            <StatusBar now={view.now} />
            <div class="home">
              <p class="bigclock">{clockOf(view.now)}</p>
              <p class="day">{day}</p>
            </div>
            <LockScreen view={view} />
          </div>
        </div>
        <aside aria-label="Browsers">
          <h2>While the app is closed</h2>
          <p>
            The app encrypts each notification for one browser and signs it. This page checks the signature, decrypts it
            with the browser's keys, and shows what the service worker would show.
          </p>
          <div class="chips">
            <a class="chip" href="/sandbox/lock-screen" aria-current={view.browser === null ? "true" : undefined}>
              Every browser
            </a>
            {browsers.map((browser) => (
              <a
                key={browser}
                class="chip"
                href={`/sandbox/lock-screen?browser=${browser}`}
                aria-current={browser === view.browser ? "true" : undefined}
              >
                {browser.slice(0, 8)}
              </a>
            ))}
          </div>
        </aside>
      </main>
    </Page>
  );
}
