import { useEffect, useState } from "react";
import { Form, useRevalidator } from "react-router";
import {
  fitsKey,
  type OwnSubscription,
  pushAbility,
  readSubscription,
  turnOffPush,
  turnOnPush,
} from "#app/notifications/push/push-client.ts";
import type { PushDevice } from "#app/notifications/push/push-subscriptions.server.ts";
import { PUSH_TEXTS } from "#app/notifications/push/push-texts.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

interface PushDevicesProps {
  devices: readonly PushDevice[];
  /** With which browsers subscribe; null while this site sends no notifications to devices. */
  publicKey: string | null;
}

/**
 * The devices that get notifications while the app is closed, and the button that adds this one. Its forms post the
 * intent "remove-device" to the page that it stands on.
 */
export function PushDevices({ devices, publicKey }: PushDevicesProps) {
  const [own, setOwn] = useOwnSubscription();
  // The browser itself says whether it is one of them. It may have lost its subscription, or have it with an earlier
  // key.
  const here =
    own && publicKey !== null && fitsKey(own, publicKey)
      ? devices.find(({ endpoint }) => endpoint === own.endpoint)
      : undefined;
  return (
    <>
      {devices.length > 0 && (
        <ul className="stack stack--tight" role="list">
          {devices.map((device) => (
            <Device key={device.id} device={device} isHere={device === here} />
          ))}
        </ul>
      )}
      {publicKey === null ? (
        <p className="quiet">{PUSH_TEXTS.off}.</p>
      ) : (
        own !== undefined && here === undefined && <ThisDevice onSubscribed={setOwn} />
      )}
    </>
  );
}

/** What this browser has at its push service. Undefined until it has answered. */
function useOwnSubscription() {
  const [own, setOwn] = useState<OwnSubscription | null>();
  useEffect(() => {
    let isOver = false;
    void readSubscription().then((found) => {
      if (!isOver) setOwn(found);
    });
    return () => {
      isOver = true;
    };
  }, []);
  return [own, setOwn] as const;
}

function Device({ device: { id, name, usedAt }, isHere }: { device: PushDevice; isHere: boolean }) {
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

/** What this browser can do, where it gets no notifications. */
function ThisDevice({ onSubscribed }: { onSubscribed(own: OwnSubscription | null): void }) {
  const [isBlocked, setBlocked] = useState(false);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
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
      onSubscribed(await readSubscription());
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
