import type { KindData } from "#app/notifications/kinds.ts";
import { NOTICE_COUNTED } from "#app/messaging/notices/message-notice-rules.ts";
import { NOBODY } from "#app/messaging/message-rules.ts";
import { firstNameIn } from "./first-name.ts";

type Data = KindData["new_messages"];

/** The email about unread messages. It leads to the conversation, where the reader can answer. */
export function messagesMail(data: Data) {
  const { count, excerpt, productName, otherId } = data;
  const sender = firstNameIn(data.senderName) ?? NOBODY;
  const about = productName === null ? "" : ` about ${productName}`;
  const many = `${count < NOTICE_COUNTED ? count : `${NOTICE_COUNTED}+`} messages`;
  const subject = count === 1 ? `${sender} sent you a message${about}` : `${sender} sent you ${many}${about}`;
  const quote = count === 1 ? `${sender} wrote: “${excerpt}”` : `The latest: “${excerpt}”`;
  return {
    subject,
    heading: subject,
    paragraphs: [
      excerpt === null ? `Open the conversation to read ${count === 1 ? "it" : "them"} and to answer.` : quote,
      ...(excerpt === null ? [] : ["Open the conversation to read everything and to answer."]),
    ],
    action: { label: "Read and answer", path: `/profile?tab=messages&with=${otherId}` },
    notes: [`Please don't reply to this email: ${sender === NOBODY ? "they" : sender} would not get it.`],
  };
}
