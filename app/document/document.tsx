import "#app/ui/styles/app.css";
import { Children, cloneElement, Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { Links as linkTags, Meta as metaTags, Scripts as scriptTags, ScrollRestoration } from "react-router";
import { afterFirstPaint } from "./after-first-paint.ts";
import { brand } from "#app/ui/brand.ts";
import { EarlyScript } from "./early-script.tsx";
import { restoreScroll } from "./restore-scroll.ts";
import { shownTheme, type ThemeName } from "#app/ui/theme.ts";
import { ToastHost } from "#app/ui/toast-host.tsx";

interface DocumentProps {
  /** The stored theme (readThemeCookie). Null follows the system. */
  theme: ThemeName | null;
  /** Whether the page saves mobile data. */
  dataSaver?: boolean | undefined;
  /** The content security policy's nonce. The browser hides it from scripts, so only the server knows it. */
  nonce?: string | undefined;
  /** The texts of the style sheets that the server writes into the page, by their addresses. */
  styles?: ReadonlyMap<string, string> | undefined;
  /** Leaves out every script but the one that sets the theme. */
  publicPage?: boolean | undefined;
  children: ReactNode;
}

/** The whole HTML document around the screens: head, theme, scripts, toasts. Root renders it, for screens and for errors. */
export function Document({ theme, dataSaver, nonce, styles, publicPage, children }: DocumentProps) {
  return (
    <html lang="en" className={theme ?? shownTheme()} data-saver={dataSaver || undefined} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={brand.themeColour[theme ?? shownTheme()]} suppressHydrationWarning />
        <EarlyScript nonce={nonce} />
        {import.meta.env.SSR && <HeadLinks dataSaver={dataSaver} />}
        <Tags />
        <Styles texts={styles} />
      </head>
      <body>
        <div
          className="radix-themes document"
          data-accent-color="gold"
          data-gray-color="sand"
          data-has-background="true"
          data-radius="large"
          data-scaling="100%"
        >
          {children}
          <ToastHost />
        </div>
        {import.meta.env.SSR ? !publicPage && <RestoreScroll nonce={nonce} /> : <ScrollRestoration />}
        {import.meta.env.SSR && !publicPage && <LaterScripts nonce={nonce} />}
      </body>
    </html>
  );
}

/** These never change, so only the server renders them. The browser keeps what is in the head. */
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

/** The screen's title and tags. Search engines read the product's description where a screen has none of its own. */
function Tags() {
  const tags = Children.toArray(eachElement(metaTags(), (tag) => tag));
  const isDescribed = tags.some((tag) => isValidElement<HeadElementProps>(tag) && tag.props.name === "description");
  return (
    <>
      {tags}
      {!isDescribed && <meta name="description" content={brand.description} />}
    </>
  );
}

/**
 * React Router's style sheets. Those that the server has written into the page stay there, even when their screen is
 * left.
 */
function Styles({ texts }: { texts: ReadonlyMap<string, string> | undefined }) {
  return eachElement(linkTags({}), (link) => {
    const { href = "" } = link.props;
    const text = import.meta.env.SSR ? texts?.get(href) : document.querySelector(`style[data-href~="${href}"]`) && "";
    return typeof text === "string" ? (
      <style key={link.key} href={href} precedence="page">
        {text}
      </style>
    ) : import.meta.env.DEV ? (
      // Browsers hide a nonce from scripts, and React would report that it is missing.
      cloneElement(link, { suppressHydrationWarning: true })
    ) : (
      link
    );
  });
}

/** Stands in for ScrollRestoration, which leaves the text of its script alone when it takes the page over. */
function RestoreScroll({ nonce }: Pick<DocumentProps, "nonce">) {
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: restoreScroll }} />;
}

/**
 * React Router's scripts, requested after the first paint. `Scripts` has no option for that. Only the server renders
 * them: a browser that renders the document has run them.
 */
function LaterScripts({ nonce }: { nonce: string | undefined }) {
  const modules: string[] = [];
  return eachElement(scriptTags({ nonce }), (element) => {
    if (element.type === "link") return void modules.push(element.props.href ?? "");
    const isModule = element.props.type === "module";
    const __html = textOf(element.props.dangerouslySetInnerHTML?.__html ?? "", isModule ? modules : null);
    return <script nonce={nonce} dangerouslySetInnerHTML={{ __html }} />;
  });
}

/** The texts of both scripts, by React Router's own. They differ by screen, not by request. */
const texts = new Map<string, string>();

/** One of React Router's two scripts. `modules`: null for the one that runs at once. */
function textOf(script: string, modules: readonly string[] | null): string {
  const key = `${script}\n${modules?.join(" ")}`;
  const text = texts.get(key) ?? makeText(script, modules);
  texts.set(key, text);
  return text;
}

/** The script with its settings or its list of routes as short as the browser's router can do with. */
function makeText(script: string, modules: readonly string[] | null): string {
  const text = script.replace(/(?<=window\.__reactRouter(?:Context|Manifest) = )\{.*?\}(?=;\s*window\.)/s, (json) =>
    JSON.stringify(JSON.parse(json), leaveOutUnread).replaceAll("<", "\\u003c"),
  );
  return modules ? afterFirstPaint(modules, text) : text;
}

/** A missing flag counts as false. Only links that prefetch read `imports`, and the page's own are loading already. */
function leaveOutUnread(name: string, value: unknown): unknown {
  return name === "imports" || value === false ? undefined : value;
}

interface HeadElementProps {
  href?: string;
  name?: string;
  type?: string;
  dangerouslySetInnerHTML?: { __html: string };
  children?: ReactNode;
  suppressHydrationWarning?: boolean;
}

/** Looks inside fragments. */
function eachElement(node: ReactNode, change: (element: ReactElement<HeadElementProps>) => ReactNode): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<HeadElementProps>(child)) return child;
    return child.type === Fragment ? eachElement(child.props.children, change) : change(child);
  });
}
