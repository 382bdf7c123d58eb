import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import { brand } from "#app/ui/page/brand.ts";
import { Button } from "#app/ui/button.tsx";
import { NoConnection } from "#app/ui/feedback/no-connection.tsx";
import { EarlyScript } from "#app/document/early-script.tsx";
import { Wordmark } from "#app/ui/page/wordmark.tsx";

const OFFLINE_PATH = "/offline";

/** How often the offline page checks whether the server answers again, ms. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Reloads the page when the connection is back. The browser's "online" event says so, or a request that succeeds (a network
 * without internet fires no event), or a press of the button. Opened at its own address, the offline page leads to the start.
 */
const script = `(function(){
function again(){location.pathname===${JSON.stringify(OFFLINE_PATH)}?location.replace("/"):location.reload()}
document.querySelector("button").addEventListener("click",again);
addEventListener("online",again);
setInterval(function(){if(!document.hidden)fetch("/favicon.svg",{method:"HEAD",cache:"no-store"}).then(again,function(){})},${LOOK_AGAIN_MS});
})()`;

/** The offline page. It is the same for everybody and needs only the shell's files. */
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
        <div className="radix-themes document" data-accent-color="gold" data-scaling="100%">
          <StaticRouter location={OFFLINE_PATH}>
            <header className="top-bar">
              <div className="top-bar__inner">
                <Wordmark to="/" />
              </div>
            </header>
            <main className="screen" id="content">
              <NoConnection action={<Button icon="refresh-cw">Try Again</Button>} />
            </main>
          </StaticRouter>
        </div>
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
