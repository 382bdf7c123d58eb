import { themeScript } from "#app/ui/page/theme.ts";

interface EarlyScriptProps {
  nonce: string | undefined;
}

/** The script that must run before the first paint: it sets the theme. Part of the head. */
export function EarlyScript({ nonce }: EarlyScriptProps) {
  // It has run before React hydrates, so the browser's bundle leaves its text out.
  const text = import.meta.env.SSR ? themeScript : "";
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}
