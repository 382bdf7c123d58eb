import "./stock-stepper.css";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link, useLocation, useRevalidator } from "react-router";
import { changeRemembered } from "#app/catalogue/selling/change-remembered.ts";
import { managePath } from "#app/catalogue/catalogue-rules.ts";
import { readStock } from "#app/catalogue/selling/listing-stock-rules.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { postForm } from "#app/ui/forms/post-form.ts";
import { toast } from "#app/ui/feedback/toast.ts";

interface Stocked {
  id: string;
  name: string;
  stock: number | null;
}

/**
 * How many pieces of a listing there are: one less, the number itself, one more. Made-to-order listings have no number.
 */
export function StockStepper({ product }: { product: Stocked }) {
  const { id, name, stock } = product;
  if (stock === null)
    return (
      <Link
        className="stock-stepper__none"
        to={`/product/${id}/edit`}
        aria-label={`Made to order. Change the stock of ${name}`}
      >
        Made to order
      </Link>
    );
  return <Stepper product={{ id, name, stock }} />;
}

function Stepper({ product: { id, name, stock: saved } }: { product: Stocked & { stock: number } }) {
  const { pathname, search } = useLocation();
  const isScripted = useScripted();
  const { shown, change } = useStock(id, saved);
  // The field's text while somebody types.
  const [typed, setTyped] = useState<string | null>(null);
  // A number that is typed is heard at the field.
  const [isPressed, setPressed] = useState(false);

  function take(text: string, by = 0): void {
    setTyped(null);
    const wanted = readStock(text, 0);
    if (typeof wanted === "string") toast.error(wanted);
    else if (wanted + by >= 0) change(wanted + by);
  }

  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // What they typed before this script came.
    const input = field.current;
    if (!input || input.value === input.defaultValue) return;
    const text = input.value;
    if (document.activeElement === input) return setTyped(text);
    // Text that isn't a number goes, as when somebody leaves the field.
    input.value = input.defaultValue;
    take(text);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  function send(event: FormEvent): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && submitter.name === "stock") {
      setPressed(true);
      take(typed ?? String(shown), Number(submitter.dataset.by));
    } else if (typed !== null) take(typed);
  }
  return (
    <form method="post" action={managePath(id)} className="stepper stock-stepper" onSubmit={send}>
      <input type="hidden" name="intent" value="stock" />
      <input type="hidden" name="seen" value={saved} />
      <input type="hidden" name="from" value={pathname + search} />
      {/* The first button of a form is the one that Enter presses. */}
      <button type="submit" className="stock-stepper__set">
        Set
      </button>
      <button
        type="submit"
        name="stock"
        value={saved - 1}
        data-by={-1}
        className="stepper__button"
        aria-label={`One less of ${name}`}
        // The keyboard types the number.
        tabIndex={-1}
        // With scripts it isn't disabled, so that it keeps the focus.
        disabled={!isScripted && shown === 0}
        aria-disabled={shown === 0 || undefined}
      >
        <Icon name="minus" />
      </button>
      <input
        ref={field}
        id={`stock-${id}`}
        className="stepper__input"
        name="typed"
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        aria-label={`Stock of ${name}`}
        value={typed ?? shown}
        onChange={(event) => {
          setPressed(false);
          setTyped(event.target.value);
        }}
        onBlur={() => typed !== null && take(typed)}
      />
      <button
        type="submit"
        name="stock"
        value={saved + 1}
        data-by={1}
        className="stepper__button"
        aria-label={`One more of ${name}`}
        tabIndex={-1}
      >
        <Icon name="plus" />
      </button>
      <LiveRegion text={isPressed ? shown.toLocaleString("en") : ""} />
    </form>
  );
}

interface StockAnswer {
  ok: boolean;
  message: string;
  stock?: number | null;
}

/**
 * The stock on the screen, and how to change it. A change shows at once. One request runs at a time, from the number
 * that the one before has set, so that quick presses add up. A refused change shows the number there is.
 */
function useStock(id: string, saved: number) {
  const { revalidate } = useRevalidator();
  const [wish, setWish] = useState<number | null>(null);
  // What the server answered, until the page's own data has caught up.
  const [known, setKnown] = useState<{ instead: number; stock: number } | null>(null);
  if (known && known.instead !== saved) setKnown(null);
  const current = known ? known.stock : saved;
  const latest = useRef(saved);
  const underWay = useRef(false);
  // What the last request has set. A press may come before the screen shows it.
  const set = useRef(saved);
  const page = useRef(saved);
  useEffect(() => {
    page.current = saved;
  });

  async function send(seen: number): Promise<void> {
    underWay.current = true;
    set.current = seen;
    while (set.current !== latest.current) {
      const fields = { intent: "stock", seen: String(set.current), stock: String(latest.current) };
      const answer = await postForm<StockAnswer>(managePath(id), fields);
      if (typeof answer?.stock === "number") {
        setKnown({ instead: page.current, stock: answer.stock });
        changeRemembered(id, { stock: answer.stock });
      }
      if (!answer?.ok) {
        toast.error(answer?.message ?? LISTING_TEXTS.stock_failed);
        break;
      }
      set.current = answer.stock ?? Number(fields.stock);
    }
    underWay.current = false;
    setWish(null);
    void revalidate();
  }
  return {
    shown: wish ?? current,
    change(wanted: number) {
      latest.current = wanted;
      setWish(wanted);
      if (!underWay.current) void send(wish === null ? current : set.current);
    },
  };
}
