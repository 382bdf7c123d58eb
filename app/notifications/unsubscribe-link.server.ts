/**
 * The link in an email that turns emails like it off. It names the person and the group, and is signed, so it needs no
 * login and no row. It lets nobody in, and never expires, because people open old emails.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type ChoiceGroup, isChoiceGroup } from "./settings-rules.ts";

export interface Unsubscribing {
  userId: string;
  group: ChoiceGroup;
}

/** Where the link leads. */
export function unsubscribePath(pepper: string, asked: Unsubscribing): string {
  return `/unsubscribe/${unsubscribeToken(pepper, asked)}`;
}

/** "orders.{user id}.{signature}". Only somebody who knows `pepper` can write one. */
export function unsubscribeToken(pepper: string, { userId, group }: Unsubscribing): string {
  return `${group}.${userId}.${sign(pepper, group, userId).toString("base64url")}`;
}

/** Null for a token that isn't ours. */
export function readUnsubscribeToken(pepper: string, token: string): Unsubscribing | null {
  const read = /^(?<group>[a-z_]{1,30})\.(?<userId>[\w-]{1,60})\.(?<signature>[\w-]{43})$/.exec(token);
  const { group, userId, signature } = read?.groups ?? {};
  if (group === undefined || userId === undefined || signature === undefined || !isChoiceGroup(group)) return null;
  const given = Buffer.from(signature, "base64url");
  const right = sign(pepper, group, userId);
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, group } : null;
}

function sign(pepper: string, group: string, userId: string): Buffer {
  return createHmac("sha256", pepper).update(`unsubscribe:${group}:${userId}`).digest();
}
