import type { Direction } from '../../../src/analysis/facts.ts';
import { ZOOM_DEPTH } from '../../../src/render/picture/composite.ts';
import { ease } from '../../../src/signal/easing.ts';
import type { TimelineTransition } from '../../../src/style/model/timeline.ts';
import type { Rectangle } from './stage.ts';

/** Draws a frame of a transition on a 2D canvas, as `composite.ts` of the renderer draws it. */
export function drawCrossing(
  context: CanvasRenderingContext2D,
  { type, direction, color }: TimelineTransition,
  share: number,
  from: CanvasImageSource,
  to: CanvasImageSource,
  place: Rectangle,
): void {
  const { x, y, width, height } = place;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  const over = (image: CanvasImageSource, alpha: number) => {
    context.globalAlpha = alpha;
    context.drawImage(image, x, y);
  };
  switch (type) {
    case 'dissolve':
      over(from, 1);
      over(to, share);
      break;
    case 'fade_black':
    case 'fade_white':
    case 'fade_color':
      context.fillStyle = type === 'fade_white' ? '#fff' : type === 'fade_color' ? (color ?? '#000') : '#000';
      context.fillRect(x, y, width, height);
      over(share < 0.5 ? from : to, Math.abs(1 - 2 * share));
      break;
    case 'wipe':
      over(from, 1);
      clipTo(context, revealed(direction ?? 'right', share, place));
      over(to, 1);
      break;
    case 'slide': {
      const [dx, dy] = shiftOf(direction ?? 'left', place);
      context.drawImage(from, x + share * dx, y + share * dy);
      context.drawImage(to, x + (share - 1) * dx, y + (share - 1) * dy);
      break;
    }
    case 'circle':
      over(from, 1);
      context.beginPath();
      context.arc(x + width / 2, y + height / 2, (share * Math.hypot(width, height)) / 2, 0, 2 * Math.PI);
      context.clip();
      over(to, 1);
      break;
    case 'zoom': {
      const scale = 1 + ZOOM_DEPTH * share;
      const [wide, high] = [width * scale, height * scale];
      context.drawImage(from, x - (wide - width) / 2, y - (high - height) / 2, wide, high);
      over(to, ease('ease_in_out', share));
      break;
    }
  }
  context.restore();
}

function clipTo(context: CanvasRenderingContext2D, { x, y, width, height }: Rectangle): void {
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
}

function revealed(direction: Direction, share: number, { x, y, width, height }: Rectangle): Rectangle {
  const [wide, high] = [Math.round(share * width), Math.round(share * height)];
  if (direction === 'right') return { x, y, width: wide, height };
  if (direction === 'left') return { x: x + width - wide, y, width: wide, height };
  if (direction === 'down') return { x, y, width, height: high };
  return { x, y: y + height - high, width, height: high };
}

/** Of a whole slide. */
function shiftOf(direction: Direction, { width, height }: Rectangle): [number, number] {
  if (direction === 'left') return [-width, 0];
  if (direction === 'right') return [width, 0];
  return [0, direction === 'up' ? -height : height];
}
