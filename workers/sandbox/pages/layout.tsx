/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";

interface PageProps {
  title: string;
  /** The current entry of the menu. */
  here: "index" | "phone" | "lock-screen" | "mailbox" | "university";
  /** Names of scripts under /sandbox/assets. */
  scripts?: string[];
  /** The address of the page's live parts. */
  liveUrl?: string;
  children: Child;
}

const MENU = [
  { name: "index", href: "/sandbox", label: "Sandbox" },
  { name: "phone", href: "/sandbox/phone", label: "Handset" },
  { name: "lock-screen", href: "/sandbox/lock-screen", label: "Lock screen" },
  { name: "mailbox", href: "/sandbox/mailbox", label: "Mailbox" },
  { name: "components", href: "/sandbox/components", label: "Components" },
] as const;

/** A whole page of the sandbox. */
export function Page({ title, here, scripts = [], liveUrl, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Chuoni sandbox`}</title>
        <link rel="icon" href="/sandbox/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/sandbox/assets/style.css" />
        {scripts.map((script) => (
          <script key={script} src={`/sandbox/assets/${script}`} defer />
        ))}
      </head>
      <body class={`on-${here}`} data-live-url={liveUrl}>
        <header class="bar">
          <a class="brand" href="/sandbox">
            <img src="/sandbox/assets/icon.svg" alt="" />
            Chuoni <em>sandbox</em>
          </a>
          <nav aria-label="Sandbox">
            {MENU.map((item) => (
              <a key={item.name} href={item.href} aria-current={item.name === here ? "page" : undefined}>
                {item.label}
              </a>
            ))}
            <a class="to-shop" href="/">
              Open the shop
            </a>
          </nav>
        </header>
        {children}
      </body>
    </html>
  );
}

/** "0712 345 678" for 254712345678. */
export function readablePhone(phone: string): string {
  const local = `0${phone.slice(3)}`;
  return `${local.slice(0, 4)} ${local.slice(4, 7)} ${local.slice(7)}`;
}

/** "KES 1,500". */
export function kes(amount: number): string {
  return `KES ${amount.toLocaleString("en-KE")}`;
}
