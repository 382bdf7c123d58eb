import "./messaging.css";
import { type ComponentType, Suspense, useRef, useState } from "react";
import { messageBoxId } from "#app/messaging/message-box.ts";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { FirstMessage } from "./first-message.tsx";
import type { SellerMessageProps } from "./seller-message.tsx";

/** Browsers load it when the dialog opens, or for the box on the page. */
const SellerMessage: ComponentType<SellerMessageProps> = import.meta.env.SSR
  ? (await import("./seller-message.tsx")).SellerMessage
  : lazyPart(async () => (await import("./seller-message.tsx")).SellerMessage);

interface MessageDialogProps extends Pick<SellerMessageProps, "product" | "messageKey" | "origin"> {
  recipientName: string;
  /** They have pressed "Message the seller" on the public page. */
  startsOpen?: boolean;
}

/**
 * "Message" on a product's page: a button, and the dialog that writes to its seller. It closes when the message is
 * sent. Whoever has begun another one by then writes on.
 */
export function MessageDialog({ recipientName, startsOpen = false, ...message }: MessageDialogProps) {
  const [open, setOpen] = useState(startsOpen);
  const isBegun = useRef(false);
  return (
    <FirstMessage
      id={messageBoxId(message.product.id)}
      button="Message"
      title={`Message ${recipientName}`}
      description={`About ${message.product.name}`}
      primary={false}
      open={open}
      onOpenChange={setOpen}
    >
      <Suspense fallback={<Skeleton shape="text" />}>
        <SellerMessage
          {...message}
          inDialog={open}
          onSent={() => isBegun.current || setOpen(false)}
          onBegun={(begun) => void (isBegun.current = begun)}
        />
      </Suspense>
    </FirstMessage>
  );
}
