import type { Worker } from "./stage.ts";

/** Texts by key. */
export type KeptObjects = Map<string, string>;

/** A bucket whose every call is one step of `worker`. It has only the calls that payments make. */
export function stepwiseBucket(objects: KeptObjects, worker: Worker): R2Bucket {
  const bucket = {
    put: (key: string, text: string) => worker.step(async () => void objects.set(key, text)),
    delete: (key: string) => worker.step(async () => void objects.delete(key)),
    get: (key: string) =>
      worker.step(async () => {
        const text = objects.get(key);
        return text === undefined ? null : { text: async () => text };
      }),
    list: ({ prefix = "", limit = 1000 }: R2ListOptions = {}) =>
      worker.step(async () => ({
        objects: [...objects.keys()]
          .filter((key) => key.startsWith(prefix))
          .toSorted()
          .slice(0, limit)
          .map((key) => ({ key })),
      })),
  };
  return bucket as unknown as R2Bucket; // nothing else is asked of it
}
