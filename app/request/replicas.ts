/** What a request or job does about the database's read replicas. Its reads and writes know nothing of them. */
export interface Replicas {
  /**
   * From now on the primary answers. Returns whether a replica may have answered until now: then it may have said no to
   * something that the primary knows.
   */
  usePrimary(): boolean;
  /**
   * The Set-Cookie header with which the visitor's browser reads what this request wrote; null if it wrote nothing.
   */
  writtenCookie(request: Request): Promise<string | null>;
  /** Lets browsing read nothing older than the primary's present state. For the job of every minute. */
  raiseFloor(): Promise<void>;
}
