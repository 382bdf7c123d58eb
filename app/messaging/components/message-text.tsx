import { Link } from "react-router";
import { useState } from "react";
import { splitLinks } from "#app/platform/link-rules.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";

/** A message as text. A link to another site asks before it opens. */
export function MessageText({ text, origin }: { text: string; origin: string }) {
  return splitLinks(text, origin).map((part, at) => {
    // The parts of a text never change places.
    const key = `${at}`;
    if (part.kind === "text") return <span key={key}>{part.text}</span>;
    if (part.kind === "away") return <LinkAway key={key} {...part} />;
    return (
      <Link key={key} className="text-link" to={part.href}>
        {part.text}
      </Link>
    );
  });
}

/** A link to another site: shows where it leads, and asks. */
function LinkAway({ text, href, host }: { text: string; href: string; host: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="bubble__link" onClick={() => setAsking(true)}>
        {text}
      </button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="You're leaving Chuoni"
        description="We don't know this site. Never enter your password or M-Pesa PIN there, and pay only through your order on Chuoni."
      >
        <p className="leaving">
          <strong>{host}</strong>
          <span className="quiet small">{href}</span>
        </p>
        <div className="dialog__actions">
          <Button variant="soft" onClick={() => setAsking(false)}>
            Stay Here
          </Button>
          <a
            className={buttonClass({})}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            onClick={() => setAsking(false)}
          >
            Open Link
          </a>
        </div>
      </Dialog>
    </>
  );
}
