import { useEffect, useRef } from 'react';

/** Between two requests for a value that changes continuously: a plan takes .06 to .1 s. */
const PAUSE_MS = 120;
/** A longer request is replaced by the next one; a plan whose child is cold takes 1.2 to 2.7 s. */
const PATIENCE_MS = 1000;

/** Milliseconds until a changed value is sent. `isBusy`: the request for the last one is pending. */
export function waitMs(sinceLastMs: number, isBusy: boolean): number {
  return Math.max(0, (isBusy ? PATIENCE_MS : PAUSE_MS) - sinceLastMs);
}

/**
 * Sends the newest value: the first change at once, those of a moving slider one request after the other, so that the picture follows it and no
 * request is ended by the next.
 */
export function usePaced<Value>({
  value,
  sent,
  send,
  isBusy,
}: {
  readonly value: Value;
  readonly sent: Value;
  readonly send: (value: Value) => void;
  readonly isBusy: boolean;
}): void {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (value === sent) return;
    const timer = setTimeout(
      () => {
        sentAt.current = performance.now();
        send(value);
      },
      waitMs(performance.now() - sentAt.current, isBusy),
    );
    return () => clearTimeout(timer);
  }, [value, sent, send, isBusy]);
}
