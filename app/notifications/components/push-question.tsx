/** A chunk of its own, loaded by ask-for-push.tsx. */
import { useEffect, useState } from "react";
import { pushAbility, readPushKey, turnOnPush } from "#app/notifications/push/push-client.ts";
import { ASK_TEXTS, type AskReason, PUSH_TEXTS } from "#app/notifications/push/push-texts.ts";
import { Button } from "#app/ui/button.tsx";
import { FLAG_ASKED_FOR_PUSH } from "#app/ui/browser/browser-flags.ts";
import { writeFlag } from "#app/ui/browser/use-browser-flag.ts";
import { toast } from "#app/ui/feedback/toast.ts";

/** Nothing where this browser can't show notifications, shows them already, or this site sends none. */
export function PushQuestion({ reason }: { reason: AskReason }) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (pushAbility() !== "ready" || Notification.permission !== "default") return;
    readPushKey().then(
      (key) => setAsks(key !== null),
      // It can ask on another page.
      () => {},
    );
  }, []);
  if (!asks) return null;

  function close() {
    writeFlag(FLAG_ASKED_FOR_PUSH, true);
    setAsks(false);
  }
  async function turnOn() {
    setBusy(true);
    const result = await turnOnPush();
    say(result);
    if (result === "failed") setBusy(false);
    else close();
  }
  return (
    <div className="row row--apart">
      <Button size="small" variant="soft" icon="bell" busy={busy} onClick={() => void turnOn()}>
        {ASK_TEXTS[reason]}
      </Button>
      <Button size="small" variant="ghost" onClick={close}>
        Not now
      </Button>
    </div>
  );
}

function say(result: Awaited<ReturnType<typeof turnOnPush>>): void {
  switch (result) {
    case "on":
      return void toast.success(PUSH_TEXTS.on);
    case "blocked":
      return void toast.warning(PUSH_TEXTS.blocked, { duration: 8000 });
    case "failed":
      return void toast.error(PUSH_TEXTS.failed, { duration: 5000 });
    case "dismissed":
  }
}
