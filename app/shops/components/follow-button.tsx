import { type FormEvent, useEffect, useRef, useState } from "react";
import { data, useFetcher } from "react-router";
import { FOLLOW_TEXTS } from "#app/shops/rules.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";

interface Followed {
  id: string;
  name: string;
  /** What the server last said. */
  follows: boolean;
}

interface Answer {
  ok: boolean;
  message: string;
}

interface Follow {
  /** As it is wished for. */
  follows: boolean;
  /** For the form. */
  change: (event: FormEvent) => void;
}

/**
 * Following a shop: shown at once, taken back where it fails. One request is on its way at a time; what was wished for last
 * is sent after it, so that quick presses never overtake each other.
 */
export function useFollow(shop: Followed): Follow {
  const fetcher = useFetcher<Answer>({ key: `follow ${shop.id}` });
  const { state, submit, data: answer } = fetcher;
  const [wish, setWish] = useState<boolean | null>(null);
  const [adopted, setAdopted] = useState(answer);
  const sent = useRef<boolean>(null);

  if (answer !== adopted) {
    setAdopted(answer);
    if (answer && !answer.ok) setWish(null);
  } else if (wish === shop.follows && state === "idle") {
    setWish(null);
  }
  useEffect(() => {
    if (answer && !answer.ok) toast.error(answer.message);
  }, [answer]);
  useEffect(() => {
    if (wish === null || wish === sent.current || state !== "idle") return;
    sent.current = wish;
    void submit({ intent: "follow", shopId: shop.id, follow: wish ? "yes" : "no" }, { method: "post" });
  }, [wish, state, submit, shop.id]);

  const follows = wish ?? shop.follows;
  return {
    follows,
    change: (event) => {
      event.preventDefault();
      if (state === "idle") sent.current = null;
      setWish(!follows);
    },
  };
}

interface FollowButtonProps {
  shop: Followed;
  follow: Follow;
  small?: boolean;
}

/** Follow, or Following. Posts to the screen it stands on. */
export function FollowButton({ shop, follow: { follows, change }, small }: FollowButtonProps) {
  return (
    <form method="post" className="follow" onSubmit={change}>
      <input type="hidden" name="intent" value="follow" />
      <input type="hidden" name="shopId" value={shop.id} />
      <input type="hidden" name="follow" value={follows ? "no" : "yes"} />
      <Button
        type="submit"
        size={small ? "small" : "medium"}
        variant={follows || small ? "soft" : "solid"}
        tone={follows ? "gray" : "gold"}
        icon={follows ? "check" : "plus"}
      >
        {follows ? "Following" : "Follow"}
        <span className="visually-hidden"> {shop.name}</span>
      </Button>
    </form>
  );
}

/** What a visitor sees: the way to sign in, and back. */
export function FollowForVisitors({ shop }: { shop: Pick<Followed, "id" | "name"> }) {
  return (
    <LinkButton to={`/auth?to=${encodeURIComponent(`/seller/${shop.id}`)}`} icon="plus">
      Follow
      <span className="visually-hidden"> {shop.name}</span>
    </LinkButton>
  );
}

/** The action's part in the browser: a lost answer is a value, and leaves the screen as it is. */
export async function passFollow({ serverAction }: { serverAction(): Promise<Answer> }) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return data({ ok: false, message: FOLLOW_TEXTS.failed }, 503);
  }
}
