/** Transitions in Final Cut Pro 7 XML. */
import type { FrameRate } from '../../domain/time.ts';
import type { TimelineTransition } from '../model/timeline.ts';
import { rate } from './final-cut-file.ts';
import type { PlacedClip, PlacedTransition } from './placed-clips.ts';
import { element, type XmlElement } from './xml.ts';

/** Effects of Final Cut Pro 7. Other transitions are written as a dissolve with their own name. */
export function transitionItem(
  { start }: PlacedClip,
  { transition, before, after }: PlacedTransition,
  frameRate: FrameRate,
): XmlElement {
  return element('transitionitem', [
    rate(frameRate),
    element('start', start - before),
    element('end', start + after),
    element('alignment', before === 0 ? 'start' : after === 0 ? 'end' : 'center'),
    element('effect', [
      element('name', NAMES[transition.type]),
      ...effectOf(transition),
      element('effecttype', 'transition'),
      element('mediatype', 'video'),
    ]),
  ]);
}

const NAMES: Readonly<Record<TimelineTransition['type'], string>> = {
  dissolve: 'Cross Dissolve',
  fade_black: 'Dip to Color Dissolve',
  fade_white: 'Dip to Color Dissolve',
  fade_color: 'Dip to Color Dissolve',
  wipe: 'Edge Wipe',
  slide: 'Slide (StyleDNA)',
  circle: 'Circle (StyleDNA)',
  zoom: 'Zoom (StyleDNA)',
};

/** SMPTE 258M wipe codes: 1 moves its edge to the right, 2 downwards; `reverse` the other way. */
const WIPES = {
  right: { code: 1, isReversed: false },
  left: { code: 1, isReversed: true },
  down: { code: 2, isReversed: false },
  up: { code: 2, isReversed: true },
} as const;

function effectOf({ type, direction, color }: TimelineTransition): readonly XmlElement[] {
  if (type === 'wipe') {
    const { code, isReversed } = WIPES[direction ?? 'right'];
    return [
      element('effectid', 'Edge Wipe'),
      element('effectcategory', 'Wipe'),
      element('wipecode', code),
      element('reverse', isReversed),
    ];
  }
  if (type === 'fade_black' || type === 'fade_white' || type === 'fade_color') {
    const hex = type === 'fade_black' ? '#000000' : type === 'fade_white' ? '#ffffff' : (color ?? '#000000');
    const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
    return [
      element('effectid', 'Dip to Color Dissolve'),
      element('effectcategory', 'Dissolve'),
      element('parameter', [
        element('parameterid', 'color'),
        element('name', 'Color'),
        element('value', [
          element('alpha', 0),
          element('red', channel(1)),
          element('green', channel(3)),
          element('blue', channel(5)),
        ]),
      ]),
    ];
  }
  return [element('effectid', 'Cross Dissolve'), element('effectcategory', 'Dissolve')];
}
