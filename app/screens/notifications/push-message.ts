import { messageBoxId } from "#app/messaging/message-box.ts";
import { type Kind, KINDS, type Notification, thingOf } from "#app/notifications/kinds.ts";
import type { PushMessage } from "#app/notifications/push/push.ts";
import { lockScreenText } from "#app/notifications/push/push-rules.ts";
import { thingName, wordsOf } from "./words/words.ts";

/** What a phone shows of a notification: its heading and the name of the thing. */
export function pushMessage({ kind, data }: Notification): PushMessage {
  const { heading, action } = wordsOf(kind, data as never);
  const name = thingName(data);
  const thing = thingOf({ kind, data } as never);
  return {
    title: lockScreenText(heading),
    body: name === null || heading.includes(name) ? "" : "productName" in data ? lockScreenText(name) : name,
    path: action.path,
    answerPath: "otherId" in data ? `/profile?tab=messages&with=${data.otherId}#${messageBoxId(data.otherId)}` : null,
    tag: `${KINDS[kind satisfies Kind].group}:${thing ?? kind}`,
  };
}
