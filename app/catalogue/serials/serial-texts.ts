import { SERIALS_A_DAY, STOLEN_TEXT } from "./serial-limits.ts";

export const SERIAL_TEXTS = {
  reported: "Thank you. What is for sale with this serial number is held until our team has looked at it.",
  taken_back: "Your report is taken back",
  failed: "That didn't work. Please try again.",
  asked_often: `You can ask about ${SERIALS_A_DAY.asked} serial numbers a day. Please try again tomorrow.`,
  reported_often: `You can report ${SERIALS_A_DAY.reported} serial numbers a day. Please try again tomorrow.`,
  saved_often: `You can save or ask about ${SERIALS_A_DAY.asked} serial numbers a day. Leave this empty for now, and add it tomorrow.`,
  reported_again: "You took your report of this one back less than a day ago. You can report it again tomorrow.",
  text: `Please say when and where it was taken, in ${STOLEN_TEXT.min} to ${STOLEN_TEXT.max.toLocaleString("en")} characters`,
  photos: "Please add a photo that shows it is yours: the receipt, the box, or the police abstract",
  unverified: "Only verified students can report a serial number",
  is_reported: "Somebody reported it as stolen. Don't buy it, and don't meet the seller alone.",
  is_not_reported: "Nobody has reported it here. That is no proof: ask for the receipt, too.",
} as const;
