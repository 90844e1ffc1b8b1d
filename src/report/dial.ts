import { type Markup, markup } from './markup.ts';
import type { DialView } from './view.ts';
import { signed } from './wording.ts';

const RADIUS = 42;
const CENTRE = { x: 60, y: 54 };
/** Angle of ±100 from the top. */
const SWING_DEGREES = 120;

/** A dial whose zero is at the top: an arc from there to the value. */
export function dial({ name, value, ends, kind }: DialView): Markup | null {
  if (value === null) return null;
  const words = signed(value);
  const drawn = markup`<path class="turn ${value < 0 ? 'below' : 'above'}" d="${arc(0, value)}"/>${knob(value)}<text class="reading" x="${CENTRE.x}" y="${CENTRE.y + 8}" text-anchor="middle">${words}</text>`;
  return markup`<figure class="dial dial-${kind}"><svg viewBox="0 0 120 98" role="img" aria-label="${name}: ${words} of ±100"><path class="bed" d="${arc(-100, 100)}"/><line class="zero" x1="${CENTRE.x}" x2="${CENTRE.x}" y1="${CENTRE.y - RADIUS - 7}" y2="${CENTRE.y - RADIUS + 7}"/>${drawn}<text class="end" x="14" y="95">${ends[0]}</text><text class="end" x="106" y="95" text-anchor="end">${ends[1]}</text></svg><figcaption>${name}</figcaption></figure>`;
}

function place(value: number): { x: string; y: string } {
  const angle = (Math.max(-100, Math.min(100, value)) / 100) * SWING_DEGREES * (Math.PI / 180);
  return {
    x: (CENTRE.x + RADIUS * Math.sin(angle)).toFixed(2),
    y: (CENTRE.y - RADIUS * Math.cos(angle)).toFixed(2),
  };
}

function arc(from: number, to: number): string {
  const [start, end] = [place(from), place(to)];
  const long = Math.abs(to - from) * (SWING_DEGREES / 100) > 180 ? 1 : 0;
  return `M${start.x} ${start.y}A${RADIUS} ${RADIUS} 0 ${long} ${to >= from ? 1 : 0} ${end.x} ${end.y}`;
}

function knob(value: number): Markup {
  const { x, y } = place(value);
  return markup`<circle class="knob" cx="${x}" cy="${y}" r="5.5"/>`;
}
