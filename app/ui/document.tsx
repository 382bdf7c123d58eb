import "./styles/radix.css";
import "./styles/app.css";
import { Children, cloneElement, isValidElement, type ReactNode } from "react";
import { Links, Meta, Scripts, ScrollRestoration } from "react-router";
import { brand } from "./brand.ts";
import { EarlyScript } from "./early-script.tsx";
import { themeInSight, type ThemeName } from "./theme.ts";
import { ToastHost } from "./toast-host.tsx";

interface DocumentProps {
  /** The stored theme (readThemeCookie); null follows the system. */
  theme: ThemeName | null;
  /** The content security policy's nonce; the browser hides it from scripts, so it is known on the server only. */
  nonce: string | undefined;
  children: ReactNode;
}

/** The whole HTML document around the screens: head, theme, scripts, toasts. Root renders it, for screens and for errors. */
export function Document({ theme, nonce, children }: DocumentProps) {
  return (
    <html lang="en" className={theme ?? themeInSight()} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={brand.themeColour[theme ?? themeInSight()]} suppressHydrationWarning />
        <EarlyScript nonce={nonce} />
        <link rel="preload" href="/fonts/bricolage-grotesque-700.woff2" as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        <Links />
      </head>
      <body>
        <div
          className="radix-themes document"
          data-is-root-theme="true"
          data-accent-color="gold"
          data-gray-color="sand"
          data-has-background="true"
          data-panel-background="solid"
          data-radius="large"
          data-scaling="100%"
        >
          {children}
          <ToastHost />
        </div>
        <ScrollRestoration nonce={nonce} />
        <LaterScripts nonce={nonce} />
      </body>
    </html>
  );
}

/**
 * React Router's scripts, asked for after the style sheet, the font and the first pictures: every page works before they come.
 * `Scripts` itself has no word for it.
 */
function LaterScripts({ nonce }: { nonce: string | undefined }) {
  return withLowPriority(Scripts({ nonce }));
}

function withLowPriority(node: ReactNode): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<{ rel?: string; children?: ReactNode; fetchPriority?: "low" }>(child)) return child;
    if (child.type === "link") return cloneElement(child, { fetchPriority: "low" });
    return typeof child.type === "symbol" ? withLowPriority(child.props.children) : child;
  });
}
