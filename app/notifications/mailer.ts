import type { Kind, KindData } from "./kinds.ts";

/**
 * An email of one of these kinds, to be written and sent. `name`: the reader's full name; empty where there is none.
 */
export type MailOf<K extends Kind> = {
  [T in K]: { to: string; template: T; data: KindData[T] & { name: string } };
}[K];

export type Mail = MailOf<Kind> & {
  /** The account that it is about, whoever has the address; missing where it is about none. */
  reader?: string;
};

export interface Mailer {
  /**
   * Throws when the transport refuses or can't be reached. The outbox tries again. `key` lets a transport drop repeats.
   */
  send(mail: Mail, key: string): Promise<void>;
}
