/**
 * Plays a part of a video, which may be loaded for it. Resolves at the end of the part, or of the video. Rejects if the browser cannot play it, and
 * with the signal's reason.
 */
export async function playSpan(
  video: HTMLVideoElement,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<void> {
  if (video.error !== null) throw new Error('The video cannot be played');
  if (video.readyState === HTMLMediaElement.HAVE_NOTHING) {
    video.preload = 'auto';
    await happened(video, 'loadedmetadata', signal, () => video.load());
  }
  const at = Math.min(from, video.duration);
  if (video.currentTime !== at) await happened(video, 'seeked', signal, () => (video.currentTime = at));
  try {
    await video.play();
    await new Promise<void>((resolve) => {
      const look = () => {
        if (signal.aborted || video.ended || video.paused || video.currentTime >= to) resolve();
        else requestAnimationFrame(look);
      };
      look();
    });
  } finally {
    video.pause();
  }
  signal.throwIfAborted();
}

function happened(
  video: HTMLVideoElement,
  name: 'loadedmetadata' | 'seeked',
  signal: AbortSignal,
  begin: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const on = (target: EventTarget, event: string, act: () => void) =>
      target.addEventListener(
        event,
        () => {
          ended.abort();
          act();
        },
        { signal: ended.signal },
      );
    on(video, name, resolve);
    on(video, 'error', () => reject(new Error('The video cannot be played')));
    on(signal, 'abort', () => reject(signal.reason));
    begin();
  });
}
