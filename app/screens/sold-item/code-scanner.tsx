import "#app/deals/components/deal-steps.css";
import { useEffect, useRef, useState } from "react";
import { readHandoverCode } from "#app/deals/code/handover-code-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";

/** Part of the browser's Shape Detection API, which TypeScript doesn't know. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
declare const BarcodeDetector: new (options: { formats: string[] }) => Detector;

/** How often the picture is read, in ms. */
const READ_EVERY_MS = 250;

interface CodeScannerProps {
  itemId: string;
  /** The code of this item was read. */
  onCode: (code: string) => void;
}

/** The camera's picture, read until it shows the code of this item. The camera stops when this is closed. */
export function CodeScanner({ itemId, onCode }: CodeScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [error, setError] = useState<string | null>(null);
  const found = useRef(onCode);
  useEffect(() => {
    found.current = onCode;
  });

  useEffect(() => {
    let isClosed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: MediaStream | undefined;
    const stop = () => stream?.getTracks().forEach((track) => track.stop());

    async function open() {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (isClosed) return stop();
      const picture = video.current;
      if (!picture) return;
      picture.srcObject = stream;
      await picture.play();
      const detector = new BarcodeDetector({ formats: ["qr_code"] });
      const read = async () => {
        const [seen] = await detector.detect(picture).catch(() => []);
        if (isClosed) return;
        const reading = seen && readHandoverCode(seen.rawValue, itemId);
        if (reading?.ok) return found.current(reading.code);
        if (reading) setError(reading.error);
        timer = setTimeout(() => void read(), READ_EVERY_MS);
      };
      void read();
    }
    open().catch((failure: unknown) => !isClosed && setError(cameraError(failure)));
    return () => {
      isClosed = true;
      clearTimeout(timer);
      stop();
    };
  }, [itemId]);

  return (
    <>
      <video ref={video} className="scanner__picture" muted playsInline aria-label="What the camera sees" />
      {error && (
        <Callout tone="red" role="alert">
          {error}
        </Callout>
      )}
    </>
  );
}

function cameraError(failure: unknown): string {
  const name = failure instanceof DOMException ? failure.name : "";
  if (name === "NotAllowedError")
    return "You haven't allowed this site to use the camera. Allow it in your browser, or type the code.";
  if (name === "NotFoundError") return "We found no camera on this device. Please type the code.";
  return "The camera couldn't be opened. Another app may be using it. Please type the code.";
}
