import { type FormEvent, startTransition, useRef, useState } from "react";
import { data, useRevalidator, useSubmit } from "react-router";
import { FOLLOW_TEXTS } from "#app/shops/shop-rules.ts";
import { reloadIfFailed } from "#app/ui/browser/reload.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/feedback/toast.ts";

interface Followed {
  id: string;
  name: string;
  /** The state that the server last reported. */
  follows: boolean;
}

interface Answer {
  ok: boolean;
  message: string;
}

interface Follow {
  /** What the user wants, before the server has answered. */
  follows: boolean;
  /** Attributes and fields for the form. */
  change: (event: FormEvent) => void;
}

/** The server's last answer for each shop; none after a redirect. */
const answers = new Map<string, Answer>();

/**
 * Follows a shop. `onFollowed`: called when the server has noted it. It shows at once, and is undone if it fails. Only
 * one request runs at a time, and the last choice is sent after it, so that quick presses can't overtake each other.
 */
export function useFollow(shop: Followed, onFollowed?: () => void): Follow {
  const submit = useSubmit();
  const { revalidate } = useRevalidator();
  const [wish, setWish] = useState<boolean | null>(null);
  const latest = useRef(shop.follows);
  const underWay = useRef(false);

  async function send() {
    underWay.current = true;
    let answer: Answer | undefined;
    let sent: boolean;
    do {
      sent = latest.current;
      answers.delete(shop.id);
      await submit(
        { intent: "follow", shopId: shop.id, follow: sent ? "yes" : "no" },
        { method: "post", navigate: false, fetcherKey: `follow ${shop.id}` },
      );
      answer = answers.get(shop.id);
      if (answer?.ok) await reloadIfFailed(revalidate, () => latest.current === sent);
    } while (answer?.ok && latest.current !== sent);
    underWay.current = false;
    if (answer && !answer.ok) toast.error(answer.message);
    if (answer?.ok && sent) onFollowed?.();
    // The router shows new data in a transition. The choice is dropped in the same one, or the old state would flash
    // up.
    startTransition(() => setWish(null));
  }

  const follows = wish ?? shop.follows;
  return {
    follows,
    change: (event) => {
      event.preventDefault();
      latest.current = !follows;
      setWish(!follows);
      if (!underWay.current) void send();
    },
  };
}

interface FollowButtonProps {
  shop: Followed;
  follow: Follow;
  small?: boolean;
}

/** "Follow" or "Following". Posts to the screen that shows it. */
export function FollowButton({ shop, follow: { follows, change }, small }: FollowButtonProps) {
  return (
    <form method="post" className="follow" onSubmit={change}>
      <input type="hidden" name="intent" value="follow" />
      <input type="hidden" name="shopId" value={shop.id} />
      <input type="hidden" name="follow" value={follows ? "no" : "yes"} />
      <Button
        type="submit"
        size={small ? "small" : undefined}
        variant={follows || small ? "soft" : "solid"}
        icon={follows ? "check" : "plus"}
      >
        {follows ? "Following" : "Follow"}
        <span className="visually-hidden"> {shop.name}</span>
      </Button>
    </form>
  );
}

interface ClientAction {
  request: Request;
  serverAction(): Promise<Answer>;
}

/** The client action. When no answer of ours arrives, the screen stays as it is. */
export async function passFollow({ request, serverAction }: ClientAction) {
  const shopId = String((await request.clone().formData()).get("shopId"));
  try {
    const answer = await serverAction();
    answers.set(shopId, answer);
    return answer;
  } catch (error) {
    if (error instanceof Response) throw error;
    const answer = { ok: false, message: FOLLOW_TEXTS.failed };
    answers.set(shopId, answer);
    return data(answer, { status: 503 });
  }
}
