import { type ReactElement, useLayoutEffect, useRef } from 'react';
import type { Film } from './film.ts';

/** Where one of the two pictures lies in the frames of a comparison, in pixels. */
export interface Part {
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** One of the two, drawn from the same frame as the other. */
export function Half({
  film,
  part,
  label,
  className,
}: {
  readonly film: Film;
  readonly part: Part;
  readonly label: string;
  readonly className: string | undefined;
}): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { x, width, height } = part;
  useLayoutEffect(() => {
    const context = canvas.current!.getContext('2d', { alpha: false })!;
    return film.addPainter((frame) => context.drawImage(frame, x, 0, width, height, 0, 0, width, height));
  }, [film, x, width, height]);
  return (
    <canvas ref={canvas} className={className} width={width} height={height} role="img" aria-label={label} />
  );
}
