import "#app/ui/styles/app.css";
import type { ReactNode } from "react";
import { Links, Meta, Scripts, ScrollRestoration } from "react-router";
import { brand } from "#app/ui/page/brand.ts";
import { EarlyScript } from "./early-script.tsx";
import { shownTheme, type ThemeName } from "#app/ui/page/theme.ts";
import { ToastHost } from "#app/ui/feedback/toast-host.tsx";

interface DocumentProps {
  /** The stored theme (readThemeCookie). Null follows the system. */
  theme: ThemeName | null;
  /** Whether the page saves mobile data. */
  dataSaver?: boolean | undefined;
  /** The content security policy's nonce. The browser hides it from scripts, so only the server knows it. */
  nonce?: string | undefined;
  /** Leaves out every script but the one that sets the theme. */
  publicPage?: boolean | undefined;
  /** Leaves out the app's scripts, for a browser that is too old for them. */
  plain?: boolean | undefined;
  children: ReactNode;
}

/**
 * The whole HTML document around the screens: head, theme, scripts, toasts. Root renders it, for screens and for
 * errors.
 */
export function Document({ theme, dataSaver, nonce, publicPage, plain, children }: DocumentProps) {
  const hasScripts = !publicPage && !plain;
  return (
    <html lang="en" className={theme ?? shownTheme()} data-saver={dataSaver || undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={brand.themeColour[theme ?? shownTheme()]} suppressHydrationWarning />
        <EarlyScript nonce={nonce} isScripted={!publicPage} />
        <HeadLinks dataSaver={dataSaver} />
        <Meta />
        <style>{LAYERS}</style>
        <Links nonce={nonce} />
      </head>
      <body>
        <div className="document" data-accent-color="gold">
          {children}
          <ToastHost />
        </div>
        {hasScripts && <ScrollRestoration nonce={nonce} />}
        {hasScripts && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

function HeadLinks({ dataSaver }: Pick<DocumentProps, "dataSaver">) {
  return (
    <>
      {!dataSaver && (
        <link
          rel="preload"
          href="/fonts/bricolage-grotesque-700.woff2"
          as="font"
          type="font/woff2"
          crossOrigin="anonymous"
        />
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
    </>
  );
}

/** The order of the layers in app/ui/styles/app.css. The build may put other rules before that sheet's. */
const LAYERS = "@layer base, theme, components, screens;";
