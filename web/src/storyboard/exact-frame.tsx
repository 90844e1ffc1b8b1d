import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { proxyData } from '../state/proxies.ts';
import { service } from '../state/service.ts';
import styles from './frame-picture.module.css';

/** A pointer that only passes loads nothing. */
const RESTED_MS = 60;
/** Some decoders never end a seek; proxies take 15 to 60 ms, and over a second where two cores also render. */
const SEEK_TIMEOUT_MS = 6000;

/** The frame of a take at a moment, from its proxy, over the still of the filmstrip; nothing until it is there. */
export function ExactFrame({
  videoId,
  seconds,
}: {
  readonly videoId: string;
  readonly seconds: number;
}): ReactElement | null {
  // Made for the player, if at all: a picture asks for none.
  const { data: copy } = useQuery({ ...proxyData(videoId), enabled: false });
  const [hasRested, rest] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => rest(true), RESTED_MS);
    return () => clearTimeout(timer);
  }, []);
  if (copy?.kind !== 'video' || !hasRested) return null;
  return <SeekingVideo key={videoId} address={service.proxyFileUrl(videoId)} seconds={seconds} />;
}

/** One seek at a time, the newest moment next. */
function SeekingVideo({
  address,
  seconds,
}: {
  readonly address: string;
  readonly seconds: number;
}): ReactElement | null {
  const video = useRef<HTMLVideoElement>(null);
  const target = useRef(seconds);
  target.current = seconds;
  const [shown, setShown] = useState<number | null>(null);
  const [hasFailed, fail] = useState(false);
  const isReached = shown === seconds;
  useEffect(() => {
    const element = video.current;
    if (element === null || element.readyState < HTMLMediaElement.HAVE_METADATA || element.seeking) return;
    element.currentTime = seconds;
  }, [seconds]);
  useEffect(() => {
    if (isReached) return;
    const timer = setTimeout(() => fail(true), SEEK_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [isReached]);
  if (hasFailed) return null;
  return (
    <video
      ref={video}
      className={styles.exact}
      src={address}
      data-shows={shown ?? undefined}
      muted
      playsInline
      preload="auto"
      tabIndex={-1}
      aria-hidden="true"
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = target.current;
      }}
      onSeeked={({ currentTarget }) => {
        const wanted = target.current;
        if (Math.abs(currentTarget.currentTime - wanted) < 0.001) setShown(wanted);
        else currentTarget.currentTime = wanted;
      }}
      onError={() => fail(true)}
    />
  );
}
