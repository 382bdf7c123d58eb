import { themeScript } from "#app/ui/page/theme.ts";
import { plainScript } from "./plain-pages.ts";

interface EarlyScriptProps {
  nonce: string | undefined;
  /** The page belongs to the app, whose scripts come later, if the browser isn't too old for them. */
  isScripted?: boolean;
}

/** Notes what is typed in a text area. TextArea puts it back. */
const noteScript = `addEventListener("input",({target:t})=>{if(t.type=="textarea")t.typed=t.value})`;

/** The scripts that must run before the first paint: they mark the document and set the theme. Part of the head. */
export function EarlyScript({ nonce, isScripted }: EarlyScriptProps) {
  return (
    <>
      {isScripted && <InlineScript nonce={nonce} text={plainScript} />}
      <InlineScript nonce={nonce} text={isScripted ? `${themeScript}\n${noteScript}` : themeScript} />
    </>
  );
}

/** It has run before React hydrates, so the browser's bundle leaves its text out. */
function InlineScript({ nonce, text }: { nonce: string | undefined; text: string }) {
  const html = import.meta.env.SSR ? text : "";
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}
