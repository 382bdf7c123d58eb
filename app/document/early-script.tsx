import { themeScript } from "#app/ui/page/theme.ts";

interface EarlyScriptProps {
  nonce: string | undefined;
  /** The app's scripts come later. What is typed before is noted. */
  isScripted?: boolean;
}

/** Notes what is typed in a text area. TextArea puts it back. */
const noteScript = `addEventListener("input",({target:t})=>{if(t.type=="textarea")t.typed=t.value})`;

/** The script that must run before the first paint: it sets the theme. Part of the head. */
export function EarlyScript({ nonce, isScripted }: EarlyScriptProps) {
  // It has run before React hydrates, so the browser's bundle leaves its text out.
  const text = import.meta.env.SSR ? themeScript + (isScripted ? `\n${noteScript}` : "") : "";
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}
