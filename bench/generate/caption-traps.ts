/** Text and textures that are no captions. */
import {
  type CaptionClip,
  cameraMove,
  type DrawnScene,
  drawTexture,
  filmShots,
  plainPicture,
  type SceneShot,
  type Size,
  sceneWish,
  viewShots,
} from './caption-scenes.ts';
import { CREDITS, LANGUAGES, SCREEN_LINES, SIGNS } from './caption-texts.ts';
import type { RgbPicture } from './footage.ts';
import {
  drawText,
  type FontName,
  fillBox,
  type Lettering,
  layText,
  type Rgb,
  type TextStyle,
} from './lettering.ts';
import type { Random } from './random.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

export const CAPTION_TRAPS = [
  'sign',
  'logo',
  'screen',
  'texture',
  'ticker',
  'title',
  'shirt',
  'timecode',
  'lowerthird',
  'credits',
  'nothing',
  'stillsign',
] as const;
export type CaptionTrap = (typeof CAPTION_TRAPS)[number];

export type Draw = (frame: number) => RgbPicture;

const TRAPS: Readonly<Record<CaptionTrap, (clip: CaptionClip) => Draw | Promise<Draw>>> = {
  sign: (clip) => drawSigns(clip, 1),
  stillsign: (clip) => drawSigns(clip, 0),
  shirt: drawShirt,
  logo: drawLogo,
  screen: drawScreen,
  texture: drawTextures,
  ticker: drawTicker,
  title: drawTitle,
  lowerthird: drawLowerThird,
  timecode: drawTimecode,
  credits: drawCredits,
  nothing: async (clip) =>
    viewShots(await filmShots(clip.random, { ...clip, ...sceneWish(clip.random) }), clip.size),
};

export async function drawTrap(clip: CaptionClip, kind: CaptionTrap): Promise<DrawnScene> {
  return { kind: `no-${kind}`, frameAt: await TRAPS[kind](clip), truth: { captions: false } };
}

export function styleOf(random: Random, size: number, color: Rgb, more: Partial<TextStyle> = {}): TextStyle {
  const font: FontName = random.pick(['inter', 'interRegular', 'montserrat', 'anton', 'serif']);
  return {
    font,
    size: Math.round(size),
    color,
    outline: 0,
    outlineColor: BLACK,
    shadow: 0,
    box: null,
    ...more,
  };
}

/** Signs in the scenes of some shots: with `moving` 0 as still as the camera. */
async function drawSigns(clip: CaptionClip, moving: number): Promise<Draw> {
  const { random, size } = clip;
  const shots = await filmShots(random, { ...clip, shots: random.whole(2, 4), moving, stills: 0 });
  const signs = shots.map(() => (random.chance(0.75) ? drawSign(random, size) : null));
  const places = shots.map(() => ({ x: random.between(0.2, 0.7), y: random.between(0.2, 0.75) }));
  return viewShots(shots, size, (world, shot) => {
    const sign = signs[shot];
    const place = places[shot];
    if (sign)
      layText(world, sign, {
        x: place.x * world.width - sign.width / 2,
        y: place.y * world.height - sign.height / 2,
      });
  });
}

export function drawSign(random: Random, size: Size): Lettering {
  const text = size.height * random.between(0.06, 0.12);
  const paint: Rgb = [random.whole(0, 255), random.whole(0, 255), random.whole(0, 255)];
  const bright = 0.3 * paint[0] + 0.6 * paint[1] + 0.1 * paint[2] > 130;
  const style = styleOf(random, text, bright ? BLACK : WHITE, { box: { color: paint, opacity: 1 } });
  const lines = random.chance(0.3) ? [random.pick(SIGNS), random.pick(SIGNS)] : [random.pick(SIGNS)];
  return drawText(lines, style);
}

/** Text on someone who walks, stops and walks on. */
async function drawShirt(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(await filmShots(random, { ...clip, ...sceneWish(random) }), size);
  const text = drawSign(random, size);
  const pace = random.between(0.6, 1.6);
  return (frame) => {
    const picture = view(frame);
    const t = (frame / rate) * pace;
    // Visible for most of each second step.
    const walked = Math.floor(t) + Math.min(1, 2 * (t % 1));
    const x = ((walked * 0.23) % 1.2) * size.width - text.width / 2;
    const bob = Math.min(1, 2 * (t % 1)) < 1 ? 3 * Math.sin(9 * t) : 0;
    layText(picture, text, { x, y: 0.45 * size.height + bob - text.height / 2 });
    return picture;
  };
}

async function drawLogo(clip: CaptionClip): Promise<Draw> {
  const { random, size } = clip;
  const view = viewShots(await filmShots(random, { ...clip, ...sceneWish(random) }), size);
  const logo = drawText(
    [random.pick(['NEWS 24', 'chan9', '@traveller', 'STUDIO ONE', 'LIVE'])],
    styleOf(random, random.between(16, 26), WHITE, random.chance(0.5) ? { outline: 1 } : {}),
  );
  const opacity = random.pick([1, 0.7, 0.45]);
  const { left, right, top, bottom } = logo.bounds;
  const x = random.chance(0.5) ? 0.05 * size.width - left : 0.95 * size.width - right;
  const y = random.chance(0.5) ? 0.06 * size.height - top : 0.94 * size.height - bottom;
  return (frame) => {
    const picture = view(frame);
    layText(picture, logo, { x: Math.round(x), y: Math.round(y), opacity });
    return picture;
  };
}

/** Pages of text that scroll in steps, a window that opens, a cursor. */
function drawScreen(clip: CaptionClip): Draw {
  const { random, size, rate, frameCount } = clip;
  const dark = random.chance(0.4);
  const paper: Rgb = dark ? [24, 26, 32] : [246, 246, 248];
  const style = {
    ...styleOf(random, random.between(12, 17), dark ? [225, 225, 230] : [20, 20, 30]),
    font: 'interRegular' as const,
  };
  const lines = random.shuffled(SCREEN_LINES).map((line) => drawText([line], style, 'left'));
  const advance = Math.round(1.7 * style.size);
  const steps = [0, ...Array.from({ length: 5 }, () => random.between(0.6, frameCount / rate))].sort(
    (a, b) => a - b,
  );
  const opens = random.between(2, 6);
  const message = drawText([random.pick(SCREEN_LINES), 'OK    Cancel'], {
    ...style,
    size: style.size + 2,
    color: BLACK,
  });
  return (frame) => {
    const picture = plainPicture(size, paper);
    const seconds = frame / rate;
    const page = steps.filter((step) => step <= seconds).length;
    for (let row = 0; row * advance < size.height - advance; row++) {
      const line = lines[(row + 3 * page) % lines.length];
      layText(picture, line, { x: 12 - line.bounds.left, y: row * advance });
    }
    if (seconds >= opens && seconds < opens + 2.5) {
      const x = size.width / 2 - message.width / 2;
      const y = size.height / 2 - message.height / 2;
      fillBox(
        picture,
        { x: x + 10, y, width: message.width - 20, height: message.height },
        [210, 214, 220],
        1,
      );
      layText(picture, message, { x, y });
    }
    fillBox(
      picture,
      {
        x: size.width * (0.5 + 0.4 * Math.sin(seconds)),
        y: size.height * (0.5 + 0.3 * Math.cos(0.7 * seconds)),
        width: 6,
        height: 10,
      },
      [230, 40, 40],
      1,
    );
    return picture;
  };
}

function drawTextures(clip: CaptionClip): Draw {
  const { random, size, frameCount } = clip;
  const count = random.whole(2, 4);
  const shots: SceneShot[] = Array.from({ length: count }, (_, index) => {
    const world = drawTexture(random, {
      width: Math.round(1.3 * size.width),
      height: Math.round(1.3 * size.height),
    });
    const firstFrame = Math.round((index * frameCount) / count);
    return {
      firstFrame,
      frameCount: Math.round(((index + 1) * frameCount) / count) - firstFrame,
      world: () => world,
      ...cameraMove(random, random.chance(0.6)),
      shake: 0,
    };
  });
  return viewShots(shots, size);
}

/** A line of news that runs along the bottom. */
async function drawTicker(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(await filmShots(random, { ...clip, ...sceneWish(random) }), size);
  const words = random.shuffled(LANGUAGES[0].sentences).slice(0, 4).join('  +++  ');
  const text = drawText([words], styleOf(random, 0.05 * size.height, WHITE), 'left');
  const speed = random.between(50, 140);
  const top = 0.87 * size.height;
  const color: Rgb = random.pick([
    [160, 10, 20],
    [10, 20, 90],
    [15, 15, 15],
  ]);
  return (frame) => {
    const picture = view(frame);
    fillBox(picture, { x: 0, y: top, width: size.width, height: 0.1 * size.height }, color, 1);
    const run = (speed * frame) / rate;
    layText(picture, text, { x: size.width * 0.7 - run, y: top + 0.05 * size.height - text.height / 2 });
    return picture;
  };
}

/** The title of the film, once, over its first seconds, often over a still. */
async function drawTitle(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(
    await filmShots(random, {
      ...clip,
      shots: random.whole(2, 4),
      moving: 0.4,
      stills: random.pick([0, 0.7]),
    }),
    size,
  );
  const title = drawText(
    [random.pick(['A WALK IN THE PARK', 'Summer of Glass', 'THE LAST TRAIN', 'My week in Lisbon'])],
    styleOf(random, Math.min(size.width, size.height) * random.between(0.07, 0.1), WHITE, { shadow: 1 }),
  );
  const starts = random.between(0, 1.5);
  const ends = starts + random.between(2, 3.5);
  return (frame) => {
    const picture = view(frame);
    const seconds = frame / rate;
    const opacity = Math.min(1, (seconds - starts) / 0.4, (ends - seconds) / 0.4);
    if (opacity > 0)
      layText(picture, title, {
        x: size.width / 2 - title.width / 2,
        y: size.height / 2 - title.height / 2,
        opacity,
      });
    return picture;
  };
}

/** Name and office of a speaker, once. */
async function drawLowerThird(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(await filmShots(random, { ...clip, ...sceneWish(random) }), size);
  const style = styleOf(random, 0.055 * size.height, WHITE, { box: { color: [20, 60, 120], opacity: 0.85 } });
  const text = drawText(
    random.pick([['Dr Anna Keller', 'Head of the institute'], ['JOHN BARNES', 'Reporter'], ['Marie Dubois']]),
    style,
    'left',
  );
  const starts = random.between(1, 4);
  const ends = starts + random.between(2.5, 4);
  return (frame) => {
    const picture = view(frame);
    const seconds = frame / rate;
    if (seconds < starts || seconds >= ends) return picture;
    const slid = Math.min(1, (seconds - starts) / 0.3);
    layText(picture, text, {
      x: 0.06 * size.width - text.bounds.left - (1 - slid) * 0.6 * size.width,
      y: 0.88 * size.height - text.bounds.bottom,
    });
    return picture;
  };
}

async function drawTimecode(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(await filmShots(random, { ...clip, ...sceneWish(random) }), size);
  const style = {
    ...styleOf(random, 0.06 * size.height, WHITE),
    ...random.pick([{ outline: 1 }, { box: { color: BLACK, opacity: 0.6 } }]),
    font: 'inter' as const,
  };
  const digits = [...'0123456789.'].map((digit) => drawText([digit], { ...style, box: null }));
  const withFrames = random.chance(0.6);
  const y = random.pick([0.05, 0.85]) * size.height;
  return (frame) => {
    const picture = view(frame);
    const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
    const text = `00.00.${two(frame / rate)}${withFrames ? `.${two(frame % rate)}` : ''}`;
    const left = size.width / 2 - (text.length * style.size * 0.65) / 2;
    if (style.box !== null)
      fillBox(
        picture,
        { x: left - 6, y, width: text.length * style.size * 0.65 + 12, height: 1.5 * style.size },
        style.box.color,
        style.box.opacity,
      );
    for (const [index, digit] of [...text].entries()) {
      const glyph = digits['0123456789.'.indexOf(digit)];
      const x = left + (index + 0.5) * style.size * 0.65 - glyph.width / 2;
      layText(picture, glyph, { x: Math.round(x), y: Math.round(y + 0.2 * style.size - 0.6 * style.size) });
    }
    return picture;
  };
}

async function drawCredits(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const overFilm = random.chance(0.4);
  const film = overFilm
    ? await filmShots(random, { ...clip, shots: 2, moving: 0.5, stills: 0, filters: 'eq=brightness=-0.25' })
    : null;
  const view = film === null ? () => plainPicture(size, BLACK) : viewShots(film, size);
  const style = styleOf(random, 0.05 * size.height, WHITE);
  const lines = CREDITS.map((line) => drawText([line], style));
  const advance = 2 * style.size;
  const speed = random.between(25, 70);
  return (frame) => {
    const picture = view(frame);
    for (const [index, line] of lines.entries()) {
      const y = size.height * 0.8 + index * advance - (speed * frame) / rate;
      if (y > -line.height && y < size.height)
        layText(picture, line, { x: size.width / 2 - line.width / 2, y });
    }
    return picture;
  };
}
