import { Link } from "react-router";
import { Suspense, useState } from "react";
import { splitLinks } from "#app/platform/link-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

/** A message as text. A link to another site asks before it opens. */
export function MessageText({ text, origin }: { text: string; origin: string }) {
  return splitLinks(text, origin).map((part, at) => {
    // The parts of a text never change places.
    const key = `${at}`;
    if (part.kind === "text") return <span key={key}>{withWholeAmounts(part.text)}</span>;
    if (part.kind === "away") return <LinkAway key={key} {...part} />;
    return (
      <Link key={key} className="text-link" to={part.href}>
        {part.text}
      </Link>
    );
  });
}

/** Few people follow such a link. The server never opens the dialog. */
const LeavingDialog = lazyPart(async () => (await import("./leaving-dialog.tsx")).LeavingDialog);

/** A link to another site: shows where it leads, and asks. */
function LinkAway({ text, href, host }: { text: string; href: string; host: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="bubble__link scripted" onClick={() => setAsking(true)}>
        {text}
      </button>
      <Unscripted>
        {/* React renders nothing of it in the browser, so the browser's bundle leaves it out. */}
        {import.meta.env.SSR && (
          <>
            <a className="text-link" href={href} rel="noopener noreferrer nofollow ugc">
              {text}
            </a>{" "}
            (another site: {host})
          </>
        )}
      </Unscripted>
      {asking && (
        <Suspense>
          <LeavingDialog href={href} host={host} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
