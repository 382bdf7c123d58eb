import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import { brand } from "#app/ui/page/brand.ts";
import { Button } from "#app/ui/button.tsx";
import { NoConnection } from "#app/ui/feedback/no-connection.tsx";
import { EarlyScript } from "#app/document/early-script.tsx";
import { Wordmark } from "#app/ui/page/wordmark.tsx";
import { OFFLINE_COPY, PREFIX } from "#app/platform/private-storage.ts";
import run from "./offline-page.js?raw";

const OFFLINE_PATH = "/offline";

/** What offline-page.js needs to know. */
const config = { path: OFFLINE_PATH, prefix: PREFIX, name: OFFLINE_COPY };

const script = `(function(config){\n${run}})(${JSON.stringify(config)})`;

/**
 * The offline page. It is the same for everybody and needs only the shell's files. What this browser keeps of its
 * person (app/platform/offline-copy.ts) is filled into the templates.
 */
export function drawOfflinePage({ styles, nonce }: { styles: string[]; nonce: string }): string {
  const page = (
    <html lang="en" className="light">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={brand.themeColour.light} />
        <meta name="robots" content="noindex" />
        <EarlyScript nonce={nonce} />
        <title>{`No connection – ${brand.name}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link
          rel="preload"
          href="/fonts/bricolage-grotesque-700.woff2"
          as="font"
          type="font/woff2"
          crossOrigin="anonymous"
        />
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body>
        <div className="document" data-accent-color="gold">
          <StaticRouter location={OFFLINE_PATH}>
            <header className="top-bar">
              <div className="top-bar__inner">
                <Wordmark to="/" />
              </div>
            </header>
            <main className="screen" id="content">
              <NoConnection action={<Button icon="refresh-cw">Try Again</Button>} />
            </main>
            <Saved />
          </StaticRouter>
        </div>
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

/** What is kept, in the place of the sentence that there is nothing. Shown by the script. */
function Saved() {
  return (
    <main className="page page--reading stack stack--loose" id="saved" hidden>
      <header className="page-header">
        <h1>No connection</h1>
        <p className="page-header__lead" data-saved role="status" />
        <Button icon="refresh-cw" variant="soft">
          Try Again
        </Button>
      </header>
      <section className="stack" aria-labelledby="orders">
        <h2 id="orders">Your orders</h2>
        <ul className="stack" role="list" data-list="items">
          <Template>
            <li className="card stack stack--tight">
              <DealHead />
              <div>
                <p>Your handover code</p>
                <p className="handover__code" data-text="code" />
                <p className="small">Give it to the seller only when you have the item and it's fine.</p>
              </div>
            </li>
          </Template>
        </ul>
      </section>
      <section className="stack" aria-labelledby="sales">
        <h2 id="sales">Your sales</h2>
        <ul className="stack" role="list" data-list="sales">
          <Template>
            <li className="card stack stack--tight">
              <DealHead />
            </li>
          </Template>
        </ul>
      </section>
      <section className="stack" aria-labelledby="listings">
        <h2 id="listings">Marketplace</h2>
        <ul className="stack" role="list" data-list="listings">
          <Template>
            <li>
              <h3>
                <span data-text="name" />
              </h3>
              <p>
                <strong data-text="price" /> <span className="quiet" data-text="place" />
              </p>
            </li>
          </Template>
        </ul>
      </section>
    </main>
  );
}

/** A deal and where it stands, on either side. */
function DealHead() {
  return (
    <>
      <h3>
        <span data-text="name" />
      </h3>
      <p className="quiet small" data-text="facts" />
      <p>
        <span data-text="status" /> · <span data-text="other" />
      </p>
      <p>
        Next: <span data-text="step" />
      </p>
      <p>
        You meet: <span data-text="meeting" />
      </p>
    </>
  );
}

/**
 * A row of a list, which the script copies for each entry. React would leave a template's children out of its markup.
 */
function Template({ children }: { children: ReactElement }) {
  return <template dangerouslySetInnerHTML={{ __html: renderToStaticMarkup(children) }} />;
}
