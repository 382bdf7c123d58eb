import { useState } from "react";
import { Form, useRevalidator } from "react-router";
import { pushAbility, turnOffPush, turnOnPush } from "#app/notifications/push-client.ts";
import type { PushDevice } from "#app/notifications/push-subscriptions.server.ts";
import { PUSH_TEXTS } from "#app/notifications/push-texts.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

interface PushDevicesProps {
  devices: readonly PushDevice[];
  /** False while this site sends no notifications to devices. */
  isOn: boolean;
}

/**
 * The devices that get notifications while the app is closed, and the button that adds this one. Its forms post the intent
 * "remove-device" to the page that it stands on.
 */
export function PushDevices({ devices, isOn }: PushDevicesProps) {
  return (
    <>
      {devices.length > 0 && (
        <ul className="stack stack--tight" role="list">
          {devices.map((device) => (
            <Device key={device.id} device={device} />
          ))}
        </ul>
      )}
      {isOn ? <ThisDevice isOn={devices.some(({ isHere }) => isHere)} /> : <p className="quiet">{PUSH_TEXTS.off}.</p>}
    </>
  );
}

function Device({ device: { id, name, usedAt, isHere } }: { device: PushDevice }) {
  return (
    <li className="row row--apart">
      <span className="grow">
        {name} {isHere && <StatusBadge tone="green">This device</StatusBadge>}
        <br />
        <span className="quiet small">Last used {formatDateTime(usedAt)}</span>
      </span>
      <Form
        method="post"
        // The browser would keep a subscription that nobody uses. Without a connection to its push service it does.
        onSubmit={() => isHere && void turnOffPush().catch(() => {})}
      >
        <input type="hidden" name="device" value={id} />
        <SubmitButton
          wide={false}
          size="small"
          variant="soft"
          name="intent"
          value="remove-device"
          busyLabel="Removing…"
          aria-label={`Remove ${name}`}
        >
          Remove
        </SubmitButton>
      </Form>
    </li>
  );
}

/** What this browser can do. Before its script runs, nothing. */
function ThisDevice({ isOn }: { isOn: boolean }) {
  const isScripted = useScripted();
  const [isBlocked, setBlocked] = useState(false);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  if (isOn || !isScripted) return null;
  const ability = isBlocked ? "blocked" : pushAbility();
  if (ability !== "ready") return <Callout>{PUSH_TEXTS[ability]}</Callout>;
  async function turnOn() {
    setBusy(true);
    const result = await turnOnPush();
    setBusy(false);
    if (result === "blocked") setBlocked(true);
    else if (result === "failed") toast.error(PUSH_TEXTS.failed, { duration: 5000 });
    else if (result === "on") {
      toast.success(PUSH_TEXTS.on);
      await revalidate();
    }
  }
  return (
    <div>
      <Button icon="bell" variant="soft" busy={busy} onClick={() => void turnOn()}>
        Turn on notifications
      </Button>
    </div>
  );
}
