import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { meetingTime } from "#app/meetings/meeting-texts.ts";
import type { KindData, MeetingMailStep } from "#app/notifications/kinds.ts";
import { formatTime } from "#app/ui/dates.ts";

type Data = KindData["meeting_step"];

interface MailWords {
  subject: string;
  paragraphs: string[];
}

/** The other side, at the beginning of a sentence. */
function other({ role }: Data): string {
  return role === "buyer" ? "The seller" : "The buyer";
}

/** "on Thu 19 Nov 2026, 14:00. Place: Library steps". Emails leave out a place in somebody's own words. */
function arranged({ startsAt, point }: Data): string {
  return `on ${meetingTime(startsAt)}${point === null ? "" : `. Place: ${point}`}`;
}

const MAILS: Record<MeetingMailStep, (data: Data) => MailWords> = {
  suggested: (data) => ({
    subject: `${other(data)} suggests a place and time: ${data.productName}`,
    paragraphs: [
      `${other(data)} would like to meet for ${data.productName} ${arranged(data)}.`,
      "Accept it, decline it, or suggest another place or time.",
    ],
  }),
  accepted: (data) => ({
    subject: `Meeting accepted: ${data.productName}`,
    paragraphs: [
      `${other(data)} accepted your suggestion. You meet for ${data.productName} ${arranged(data)}.`,
      "On the order's page you can add the meeting to your calendar, change it or cancel it.",
    ],
  }),
  declined: (data) => ({
    subject: `Meeting declined: ${data.productName}`,
    paragraphs: [
      `${other(data)} can't meet for ${data.productName} on ${meetingTime(data.startsAt)}.`,
      "Suggest another place or time.",
    ],
  }),
  cancelled: (data) => ({
    subject: `Meeting cancelled: ${data.productName}`,
    paragraphs: [
      `${other(data)} cancelled the meeting for ${data.productName} on ${meetingTime(data.startsAt)}. The order stays as it is.`,
      "Suggest another place or time.",
    ],
  }),
  reminder: (data) => ({
    subject: `Your meeting at ${formatTime(data.startsAt)}: ${data.productName}`,
    paragraphs: [
      `You meet ${other(data).toLowerCase()} for ${data.productName} ${arranged(data)}.`,
      data.role === "buyer"
        ? `${HANDOVER_WORDS[data.handover ?? "thing"].first} Then give the seller your handover code. Never pay outside Chuoni.`
        : `${HANDOVER_WORDS[data.handover ?? "thing"].against} Never take money outside Chuoni.`,
    ],
  }),
};

/** The email of a step of a meeting. It leads to the order's page, where the meeting stands. */
export function meetingMail(data: Data): MailWords & { heading: string; action: { label: string; path: string } } {
  const mail = MAILS[data.step](data);
  const path = data.role === "buyer" ? `/orders/${data.orderId}` : `/seller/orders/${data.orderItemId}`;
  return { ...mail, heading: mail.subject, action: { label: "Open the order", path } };
}
