import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { ProductImage } from "#app/db/product-image.ts";
import { useDraft } from "#app/messaging/sending/drafts.ts";
import { liveChannel } from "#app/live/live-state.ts";
import { MESSAGE_MAX_LENGTH, MESSAGE_PHOTOS_MAX, MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/forms/field.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import type { MessagePhotos } from "./composer-photos.tsx";

/** The other person is told of typing at most once in this time, in ms. */
const TYPING_EVERY_MS = 3_000;
/** From this length on, the box shows how many characters are left. */
const COUNTED_FROM = 1_800;

/** The accepted types. For these, phones offer the camera or the gallery. */
const ACCEPT = "image/jpeg,image/png,image/webp,image/gif,image/avif";

const NO_PHOTOS: MessagePhotos = { count: 0, images: [], busy: false };

export interface ComposerProps {
  /** The key of the conversation. Unsent text and photos of it are restored. */
  conversationKey: string;
  toId: string;
  label: string;
  boxId?: string;
  sendLabel: string;
  /** Whether writing is the page's main action now: true makes the button wide, false makes it a second one. */
  primary?: boolean;
  /** Hidden fields of the form, for browsers without scripts. */
  fields: Record<string, string>;
  /** The page that shows the form. */
  from: string;
  /** Shown above the box: what the message is about. */
  subject?: ReactNode;
  onSend: (text: string, photos: readonly ProductImage[]) => void;
  /** Told whether something is in the box: text, or photos that may still be uploading. */
  onBegun?: (isBegun: boolean) => void;
}

/**
 * The box to write in. Enter sends, and Shift+Enter starts a new line. On touch screens Enter starts a new line and the
 * button sends.
 */
export function Composer({
  conversationKey,
  toId,
  label,
  boxId,
  sendLabel,
  primary,
  fields,
  from,
  subject,
  onSend,
  onBegun,
}: ComposerProps) {
  const ownId = useId();
  const id = boxId ?? ownId;
  const box = useRef<HTMLTextAreaElement>(null);
  const { text, type, clear } = useUnsentText(conversationKey, toId, box);
  const [error, setError] = useState<string | null>(null);
  const ready = useScripted();
  const photos = useAddedPhotos(`message-photos:${conversationKey}`);
  const length = text.trim().length;
  const empty = length === 0 && photos.images.length === 0;
  const tooLong = length > MESSAGE_MAX_LENGTH;
  const isBegun = length > 0 || photos.count > 0 || photos.isLoading;
  useEffect(() => onBegun?.(isBegun), [isBegun, onBegun]);

  function send() {
    if (photos.isBusy) return;
    if (empty || tooLong) {
      setError(empty ? MESSAGE_TEXTS.empty : MESSAGE_TEXTS.too_long);
      box.current?.focus();
      return;
    }
    onSend(text.trim(), photos.images);
    photos.clear();
    clear();
    setError(null);
    box.current?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent) {
    // While the user composes a word with an input method, Enter chooses it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || isTouchScreen()) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className="composer"
      data-draft=""
      method="post"
      action="/api/messages"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {Object.entries({ ...fields, from }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {subject}
      {photos.list}
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <div className={classNames("composer__row", primary && "composer__row--stacked")}>
        <div className="composer__box" data-text={text}>
          <textarea
            ref={box}
            id={id}
            name="text"
            rows={1}
            placeholder={label}
            required={!ready}
            maxLength={ready ? undefined : MESSAGE_MAX_LENGTH}
            value={text}
            enterKeyHint={ready && !isTouchScreen() ? "send" : "enter"}
            aria-invalid={error !== null || tooLong || undefined}
            aria-describedby={
              [error && `${id}-error`, length >= COUNTED_FROM && `${id}-count`].filter(Boolean).join(" ") || undefined
            }
            onChange={(event) => {
              type(event.target.value);
              setError(null);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        {ready && <AddPhotos photos={photos} />}
        <SendButton label={sendLabel} primary={primary} disabled={ready && (empty || photos.isBusy)} />
      </div>
      {length >= COUNTED_FROM && <Count id={`${id}-count`} length={length} />}
      {error && <FieldError id={`${id}-error`} message={error} />}
    </form>
  );
}

/** The text in the box, which is kept until it is sent. The other person is told of typing. */
function useUnsentText(conversationKey: string, toId: string, box: RefObject<HTMLTextAreaElement | null>) {
  const [text, setText] = useDraft(conversationKey);
  const typingSentAt = useRef(0);
  useEffect(() => {
    // What they typed before this script came.
    const typed = box.current?.value;
    if (typed && typed !== text) setText(typed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return {
    text,
    type(next: string) {
      setText(next);
      const now = Date.now();
      if (next.trim() === "" || now - typingSentAt.current < TYPING_EVERY_MS) return;
      typingSentAt.current = now;
      liveChannel()?.sayTyping(toId);
    },
    clear() {
      setText("");
      typingSentAt.current = 0;
    },
  };
}

type AddedPhotos = ReturnType<typeof useAddedPhotos>;

/**
 * The photos of a message. What adds them loads while somebody chooses the first, or where the tab has kept some.
 * `keptAs`: their name in its storage.
 */
function useAddedPhotos(keptAs: string) {
  const [photos, setPhotos] = useState(NO_PHOTOS);
  // Null until somebody adds photos.
  const [adding, setAdding] = useState<PhotosPart | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  // Photos that wait for the script.
  const chosen = useRef<File[]>([]);

  const load = useCallback(() => {
    setIsLoading(true);
    void loadPhotos()
      .then(
        ({ ComposerPhotos }) => {
          setAdding({ ComposerPhotos, files: chosen.current });
          // Until the list of them says otherwise.
          setPhotos((known) => ({ ...known, busy: true }));
        },
        () => sayPartMissing("We couldn't add the photo. Your text stays when you reload."),
      )
      .finally(() => {
        chosen.current = [];
        setIsLoading(false);
      });
  }, []);
  useEffect(() => {
    // Only the browser knows what the tab has kept.
    // oxlint-disable-next-line react/set-state-in-effect
    if (readPrivate("tab", keptAs) !== null) load();
  }, [keptAs, load]);

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const files = [...(target.files ?? [])];
    // The same file may be chosen again.
    target.value = "";
    if (files.length === 0) return;
    const isWaiting = chosen.current.length > 0;
    chosen.current.push(...files);
    if (isWaiting) return;
    load();
  }

  return {
    count: photos.count,
    images: photos.images,
    isLoading,
    /** Something is loading or uploading. */
    isBusy: isLoading || photos.busy,
    list: adding && <adding.ComposerPhotos keptAs={keptAs} files={adding.files} onChange={setPhotos} />,
    choose,
    clear() {
      setAdding(null);
      setPhotos(NO_PHOTOS);
      // Those that are still loading weren't sent.
      if (adding) writePrivate("tab", keptAs, null);
    },
  };
}

function AddPhotos({ photos: { count, isLoading, choose } }: { photos: AddedPhotos }) {
  return (
    <label className="composer__add" title="Add photos" aria-busy={isLoading || undefined}>
      <span className="visually-hidden">Add photos</span>
      <input
        className="visually-hidden"
        type="file"
        accept={ACCEPT}
        multiple
        disabled={count >= MESSAGE_PHOTOS_MAX}
        onClick={() => void loadPhotos().catch(() => undefined)}
        onChange={choose}
      />
      <Icon name="image-plus" />
    </label>
  );
}

function SendButton({ label, primary, disabled }: { label: string; primary?: boolean; disabled: boolean }) {
  return (
    <Button
      type="submit"
      icon="send"
      variant={primary === false ? "soft" : "solid"}
      wide={primary === true}
      disabled={disabled}
      aria-label={label}
    >
      <span className={primary ? undefined : "composer__send"}>{label}</span>
    </Button>
  );
}

function Count({ id, length }: { id: string; length: number }) {
  return (
    <p
      className={classNames(
        "composer__count small quiet numbers",
        length > MESSAGE_MAX_LENGTH && "composer__count--over",
      )}
      id={id}
    >
      {length.toLocaleString("en")} / {MESSAGE_MAX_LENGTH.toLocaleString("en")}
    </p>
  );
}

interface PhotosPart {
  ComposerPhotos: typeof import("./composer-photos.tsx").ComposerPhotos;
  /** Chosen last. */
  files: readonly File[];
}

/** What adds photos loads while somebody chooses the first. */
const loadPhotos = () => import("./composer-photos.tsx");

function isTouchScreen(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}
