/**
 * The two globals of Bun that React's server build for Bun uses. The build step in scripts/react-for-workers.ts gives
 * them to it, so that workerd runs it too.
 */

/** The source of a direct stream. React writes texts to the controller instead of queueing bytes. */
interface DirectSource {
  type: "direct";
  pull(controller: DirectController): void;
  cancel(reason: unknown): void;
}

interface DirectController {
  /** @returns true: there is always room for more */
  write(text: string): true;
  flush(): void;
  end(): void;
  error(reason: unknown): void;
}

/** Texts are encoded together once they have this many UTF-16 units, or when React flushes. */
const ENCODE_AT = 65_536;

const encoder = new TextEncoder();

function joinTexts(bytes: ReadableStreamController<Uint8Array>): DirectController {
  let joined = "";
  function flush(): void {
    if (joined === "") return;
    const encoded = encoder.encode(joined);
    joined = "";
    bytes.enqueue(encoded);
  }
  return {
    write(text) {
      joined += text;
      if (joined.length >= ENCODE_AT) flush();
      return true;
    },
    flush,
    end() {
      flush();
      bytes.close();
    },
    error: (reason) => bytes.error(reason),
  };
}

/** A stream of bytes whose source writes texts. */
class DirectStream extends ReadableStream<Uint8Array> {
  constructor(source: DirectSource) {
    let controller: DirectController | undefined;
    super(
      {
        type: "bytes",
        pull(bytes) {
          controller ??= joinTexts(bytes);
          source.pull(controller);
        },
        cancel: (reason) => source.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

export { DirectStream as ReadableStream };

export const Buffer = {
  /** React counts a boundary's size to decide what it sends later. The number of UTF-16 units is near enough for that. */
  byteLength: (text: string): number => text.length,
};
