import { imageSources, largestPath } from "#app/catalogue/photos/image-sources.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { discard, retry, type Unsent } from "#app/messaging/sending/unsent-messages.ts";
import { classNames } from "#app/ui/class-names.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { MessageText } from "./message-text.tsx";

/** The photos and the text of a message. */
export function BubbleWords({
  who,
  text,
  photos,
  origin,
}: {
  who: string;
  text: string;
  photos: readonly ProductImage[];
  origin: string;
}) {
  return (
    <>
      {photos.length > 0 && (
        <span className={classNames("bubble__photos", photos.length > 1 && "bubble__photos--many")}>
          {photos.map((photo) => (
            <a key={photo.key} href={largestPath(photo)} target="_blank" rel="noopener">
              <Photo
                {...imageSources(photo, photos.length > 1 ? "160px" : "260px")}
                alt={`Photo from ${who}`}
                fill={photos.length > 1}
              />
            </a>
          ))}
        </span>
      )}
      {text !== "" && (
        <p className="bubble__text">
          <span className="visually-hidden">{who}: </span>
          <MessageText text={text} origin={origin} />
        </p>
      )}
    </>
  );
}

/**
 * A message that is being sent, or couldn't be sent. Its failure is read out. The message itself is read out when it is
 * sent, so not here.
 */
export function UnsentBubble({ message, origin }: { message: Unsent; origin: string }) {
  return (
    <li className={classNames("bubble bubble--mine", message.failure === null && "bubble--sending")} aria-live="off">
      <BubbleWords who="You" text={message.text} photos={message.photos} origin={origin} />
      {message.failure === null ? (
        <p className="bubble__time small quiet">Sending…</p>
      ) : (
        <div className="bubble__failure" role="alert">
          <p>{message.failure}</p>
          <button type="button" className="bubble__action" onClick={() => retry(message.key)}>
            {message.asks ? "Send Anyway" : "Try Again"}
          </button>
          <button type="button" className="bubble__action" onClick={() => discard(message.key)}>
            {message.asks ? "Don't Send" : "Remove"}
          </button>
        </div>
      )}
    </li>
  );
}
