import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box, ClipFacts, SubjectTrack, Transition } from '../../src/analysis/facts.ts';
import { GRADUAL_COMPONENTS } from '../../src/domain/job-choices.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { writeFinalCutXml } from '../../src/style/export/final-cut-xml.ts';
import { writeOtio } from '../../src/style/export/otio.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { GREY_LEVELS } from '../../src/style/model/look.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { type Timeline, timelineDurationSeconds } from '../../src/style/model/timeline.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import type { PlanRequest } from '../../src/style/plan/plan-request.ts';
import {
  clipFacts,
  colorStatistics,
  cutAt,
  flatPicture,
  LEADING_FACE,
  pulse,
} from '../support/clip-facts.ts';
import { filmOf } from '../support/monochrome-film.ts';

function styleOf(facts: ClipFacts): Style {
  return extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
}

/** Always the template's shape or rate. */
const SHAPE_FOLLOWED = { components: { aspect_ratio: true } };
const RATE_FOLLOWED = { components: { frame_rate: true } };
const UPRIGHT = clipFacts({ video: { width: 540, height: 960 } });

function plan(
  source: ClipFacts,
  template: ClipFacts | null,
  config: object = {},
  more: Partial<PlanRequest> = {},
) {
  const result = planTimeline({
    source,
    style: template === null ? null : styleOf(template),
    template,
    config: jobConfigSchema.parse(config),
    ...more,
  });
  checkInvariants(source, result.timeline);
  return result;
}

/** Invariants of every timeline. */
function checkInvariants(source: ClipFacts, timeline: Timeline): void {
  const fps = framesPerSecond(timeline.frameRate);
  const text = JSON.stringify(timeline);
  assert.ok(!/NaN|null,null/.test(text) && !text.includes('Infinity'));
  assert.deepEqual(JSON.parse(text), timeline, 'the plan survives JSON');
  assert.ok(
    timeline.width % 2 === 0 && timeline.height % 2 === 0 && timeline.width >= 2 && timeline.height >= 2,
  );
  assert.ok(timeline.clips.length >= 1);
  let last = 0;
  for (const clip of timeline.clips) {
    const frames = (clip.sourceEndSeconds - clip.sourceStartSeconds) * fps;
    assert.ok(frames > 0.99 && Math.abs(frames - Math.round(frames)) < 1e-6, `clip of ${frames} frames`);
    const start = clip.sourceStartSeconds * fps;
    assert.ok(Math.abs(start - Math.round(start)) < 1e-6, 'starts on the frame grid');
    assert.ok(clip.sourceStartSeconds >= last - 1e-9, 'in source order, without overlap');
    last = clip.sourceEndSeconds;
    for (const { x, y, width, height } of [clip.from, clip.to]) {
      assert.ok(width > 0 && height > 0 && x >= -1e-9 && y >= -1e-9, 'inside the picture');
      assert.ok(x + width <= 1 + 1e-9 && y + height <= 1 + 1e-9, 'inside the picture');
    }
  }
  assert.ok(last <= source.video.durationSeconds + 1 / fps);
  assert.equal(timeline.clips[0].reason, 'start');
  let before = 0;
  for (const { clipIndex, durationSeconds } of timeline.transitions) {
    assert.ok(clipIndex > before && clipIndex < timeline.clips.length, 'in order, between two clips');
    before = clipIndex;
    for (const clip of [timeline.clips[clipIndex - 1], timeline.clips[clipIndex]]) {
      assert.ok(durationSeconds / 2 <= (clip.sourceEndSeconds - clip.sourceStartSeconds) / 2 + 1e-9, 'fits');
    }
  }
  if (timeline.audio !== null) {
    for (const { gainDb } of timeline.audio.equalizer) assert.ok(gainDb >= -18 && gainDb <= 9);
    assert.ok((timeline.audio.compressor?.rangeLu ?? 1) >= 1);
    // Sound that is left as it is keeps its peaks.
    const { truePeakDbtp, targetLufs } = timeline.audio;
    if (truePeakDbtp === null) assert.equal(targetLufs, null);
    else assert.equal(truePeakDbtp, -1);
  }
}

function randomFacts(random: () => number): ClipFacts {
  const between = (low: number, high: number) => low + (high - low) * random();
  const durationSeconds = between(0.5, 90);
  const rates = [
    [24000, 1001],
    [25, 1],
    [30, 1],
    [12500, 1000],
    [240, 1],
    [7217, 1000],
  ] as const;
  const [numerator, denominator] = rates[Math.floor(random() * rates.length)];
  const sizes = [
    [1920, 1080],
    [540, 960],
    [721, 481],
    [2, 2],
    [3026, 1386],
    [96, 4096],
  ] as const;
  const [width, height] = sizes[Math.floor(random() * sizes.length)];
  const transitions: Transition[] = [];
  for (let at = between(0.3, 8); at < durationSeconds - 1.5; at += between(0.25, 12)) {
    const cut = cutAt(at, numerator / denominator);
    if (random() < 0.7) transitions.push(cut);
    else
      transitions.push({
        ...cut,
        type: random() < 0.5 ? 'dissolve' : 'wipe',
        endSeconds: cut.startSeconds + 0.8,
      });
    at += 0.8;
  }
  const box = (): Box => {
    const [w, h] = [between(0.02, 1), between(0.02, 1)];
    return { x: between(0, 1 - w), y: between(0, 1 - h), width: w, height: h };
  };
  const subjects: SubjectTrack[] = Array.from({ length: Math.floor(random() * 4) }, () => {
    const startSeconds = between(0, durationSeconds);
    const boxes = Array.from({ length: 10 }, (_, step) => ({
      timeSeconds: startSeconds + step / 5,
      box: box(),
    }));
    const kind = (['face', 'motion', 'color'] as const)[Math.floor(random() * 3)];
    return { kind, startSeconds, endSeconds: startSeconds + 2, boxes, salience: random() };
  });
  const spans = Array.from({ length: Math.floor(random() * 5) }, () => {
    const startSeconds = between(0, durationSeconds);
    return { startSeconds, endSeconds: startSeconds + between(0.2, 6) };
  });
  const captioned = random() < 0.3;
  return clipFacts({
    video: {
      durationSeconds,
      frameRate: { numerator, denominator },
      width,
      height,
      transitions,
      captions: {
        share: captioned ? 0.4 : 0,
        spans: captioned ? spans.map((span) => ({ ...span, box: box() })) : [],
        style: captioned ? { position: 'bottom', lineHeight: 0.05, color: '#ffffff', outlined: true } : null,
        confidence: 1,
      },
    },
    audio:
      random() < 0.2
        ? null
        : {
            durationSeconds,
            ...(random() < 0.5 ? pulse(between(60, 180), durationSeconds) : {}),
            speech: { share: 0.3, spans, confidence: 1 },
          },
    motion: { zoomShare: random(), subjects, activity: Array.from({ length: 100 }, random) },
  });
}

test('every invariant over many random pairs of clips and configurations', () => {
  const random = seededRandom(42);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)];
  for (let round = 0; round < 100; round++) {
    const [source, template] = [randomFacts(random), randomFacts(random)];
    const config = {
      quality: pick(['low', 'medium', 'high', 'ultra']),
      style_strength: pick([0, 0.3, 0.8, 1]),
      resolution: pick(['auto', 'source', '720p', '2160p']),
      framing: pick(['auto', 'crop', 'pad']),
      pacing: pick(['punch_in', 'trim', 'keep']),
      seed: round,
      components: { pacing: random() < 0.8, motion: random() < 0.8, aspect_ratio: random() < 0.8 },
    };
    const { timeline } = plan(source, random() < 0.1 ? null : template, config);
    const lines = Math.min(timeline.width, timeline.height);
    if (config.quality === 'low') assert.ok(lines <= 480);
    if (config.quality === 'medium') assert.ok(lines <= 1080);
    const own = Math.min(source.video.width, source.video.height);
    if (config.resolution === 'source') assert.ok(lines <= own, 'never scaled up');
    if (config.resolution === 'auto') assert.ok(lines <= Math.max(own, 1080), 'a size to publish');
    assert.equal(new Set(timeline.clips.map(({ fit }) => fit)).size, 1, 'one manner');
    if (config.pacing !== 'trim') {
      const length = timelineDurationSeconds(timeline);
      const frame = 1 / framesPerSecond(timeline.frameRate);
      assert.ok(Math.abs(length - source.video.durationSeconds) <= frame, 'nothing lost');
    }
    const { durationSeconds, frameRate, width, height } = source.video;
    const take = { fileName: 'source.mp4', durationSeconds, frameRate, width, height, audioChannels: 2 };
    const media = { takes: [take], music: null };
    assert.ok(!/NaN/.test(writeOtio(timeline, media)));
    assert.ok(!/NaN/.test(writeFinalCutXml(timeline, media)));
  }
});

test('no style, or a strength of 0: one clip, no grade; loudness only without a style, and as it is at 0', () => {
  const source = clipFacts({ video: { transitions: [10, 20].map((time) => cutAt(time)) } });
  const template = clipFacts({ video: { width: 540, height: 960 }, audio: pulse(120, 40) });
  const asItIs = { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: null };
  const levelled = { ...asItIs, targetLufs: -14, truePeakDbtp: -1 };
  for (const [{ timeline }, audio] of [
    [plan(source, null), levelled],
    [plan(source, null, { components: { audio: false } }), asItIs],
    [plan(source, template, { style_strength: 0 }), asItIs],
  ] as const) {
    assert.equal(timeline.clips.length, 1);
    assert.deepEqual([timeline.width, timeline.height, timeline.takes[0]!.grade], [1280, 720, null]);
    assert.deepEqual(timeline.audio, audio);
  }
  for (const off of [0, false]) {
    const { timeline } = plan(source, template, { components: { audio: off } });
    assert.deepEqual(timeline.audio, asItIs);
  }
});

test('sound that runs on behind the picture is reported in seconds; a few frames of it are not', () => {
  const { audio: base } = clipFacts({ audio: pulse(120, 40) });
  const warned = (surplusSeconds: number) => {
    const facts = clipFacts({});
    const audio = { ...base!, durationSeconds: facts.video.durationSeconds + surplusSeconds };
    return plan({ ...facts, audio }, null).warnings.filter(
      ({ code }) => code === 'SOUND_LONGER_THAN_PICTURE',
    );
  };
  assert.deepEqual(warned(0.2), []);
  assert.match(warned(4)[0].message, /^The last 4\.0 s /);
});

const cutsEvery = (step: number, durationSeconds = 40) =>
  Array.from({ length: Math.floor(durationSeconds / step) - 1 }, (_, index) => cutAt((index + 1) * step));

test('the same seed gives the same plan, another seed another', () => {
  const source = clipFacts({ video: { faces: [LEADING_FACE] } });
  const template = clipFacts({ video: { transitions: cutsEvery(3.7) } });
  const one = plan(source, template, { seed: 1 });
  assert.deepEqual(plan(source, template, { seed: 1 }), one);
  assert.notDeepEqual(plan(source, template, { seed: 2 }).timeline.clips, one.timeline.clips);
});

test('punch-in reaches the template’s pace within 10 %, on the beat, with framings that differ', () => {
  const source = clipFacts({ video: { faces: [LEADING_FACE] }, audio: pulse(126, 40) });
  // A faster pace than one framing in three seconds is followed at strength 1 alone.
  for (const [step, style_strength] of [
    [1.3, 1],
    [3.2, 0.8],
    [5, 0.8],
  ] as const) {
    const template = clipFacts({ video: { transitions: cutsEvery(step) } });
    const { timeline } = plan(source, template, { style_strength });
    const wanted = cutsEvery(step).length;
    const made = timeline.clips.length - 1;
    assert.ok(Math.abs(made - wanted) <= Math.max(1, 0.1 * wanted), `${made} cuts for ${wanted}`);
    for (const [index, clip] of timeline.clips.slice(1).entries()) {
      const beat = (clip.sourceStartSeconds * 126) / 60;
      assert.ok(Math.abs(beat - Math.round(beat)) * (60 / 126) <= 0.0201, 'on the beat');
      const [before, after] = [timeline.clips[index].to.width, clip.from.width];
      assert.ok(Math.max(before / after, after / before) >= 1.2, 'a visible change');
    }
  }
});

test('a short template has a warning if its clip is available, a long one never', () => {
  const short = clipFacts({ video: { durationSeconds: 12, transitions: [cutAt(4), cutAt(8)] } });
  const isTold = (template: ClipFacts | null, more: Partial<PlanRequest> = {}) =>
    plan(clipFacts(), template, {}, more).warnings.some(({ code }) => code === 'TEMPLATE_SHORT');
  assert.ok(isTold(short));
  assert.ok(!isTold(null, { style: styleOf(short) }), 'of a style alone it is not known how it was measured');
  assert.ok(!isTold(clipFacts({ video: { transitions: cutsEvery(4) } })));
});

test('a lower strength cuts less', () => {
  const source = clipFacts({ video: { faces: [LEADING_FACE] } });
  const template = clipFacts({ video: { transitions: cutsEvery(3.2) } });
  const counts = [0.2, 0.5, 0.8].map(
    (style_strength) => plan(source, template, { style_strength }).timeline.clips.length,
  );
  assert.ok(counts[0] < counts[1] && counts[1] < counts[2], String(counts));
});

describe('an uncertain look is reported', () => {
  const codesOf = (confidence: number | undefined, config: object = {}) => {
    const style = {
      ...styleOf(clipFacts()),
      look: {
        greys: GREY_LEVELS.map((level) => ({ in: level, out: level, a: 8, b: 0 })),
        chroma: 1,
        confidence,
      },
    } as Style;
    return plan(clipFacts(), null, config, { style }).warnings.map(({ code }) => code);
  };
  for (const [confidence, isSaid] of [
    [0.19, true],
    [0.2, false],
    [undefined, false],
  ] as const)
    test(`confidence ${confidence}`, () => {
      assert.equal(codesOf(confidence).includes('LOOK_UNSURE'), isSaid);
      assert.ok(!codesOf(confidence, { components: { color: false } }).includes('LOOK_UNSURE'));
    });
});

describe('warnings of a plan', () => {
  const measured = styleOf(clipFacts());
  const style: Style = { ...measured, look: { ...measured.look!, confidence: 1 } };
  const said = (changes: Partial<Style>, source = clipFacts(), config: object = {}) => {
    const { warnings, timeline } = plan(source, null, config, { style: { ...style, ...changes } });
    return { codes: warnings.map(({ code }) => code), warnings, timeline };
  };
  const unmeasured = { ...style.confidence!, pacing: 0, transitions: 0, motion: 0 };
  const colorless = { video: { color: { ...clipFacts().video.color, confidence: 0 } } };
  const silent = { ...style.audio_style!, normalization_level: -69 };
  const { loudness } = clipFacts().audio!;
  const room = clipFacts({ audio: { loudness: { ...loudness, integratedLufs: -60 } } });
  const flat = colorStatistics({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 14 + 2.5 * at),
    covariance: [12, 0, 9],
  });
  const dark = colorStatistics({ lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 0.4 * at) });
  const black = { video: { color: { ...clipFacts().video.color, clip: dark } } };
  const recording = clipFacts({ video: { color: { ...clipFacts().video.color, clip: flat } } });

  const drawing = clipFacts({
    video: { picture: flatPicture([0, 2, 4], [0.9, 0.9, 0.9]) },
  });

  test('that a film in black and white takes no color, up to strength .8', () => {
    const warm = { ...style.color_statistics!, mean_ab: [10, 30] as [number, number] };
    const messageOf = (source: ClipFacts, color: number) =>
      said({ color_statistics: warm }, source, { components: { color } }).warnings.find(
        ({ code }) => code === 'LOOK_LIMITED',
      )?.message ?? '';
    const film = clipFacts({ video: filmOf(10, 0) });
    assert.match(messageOf(film, 0.8), /to keep black and white/);
    for (const [source, color] of [
      [film, 1],
      [clipFacts({ video: filmOf(0, 10) }), 0.8],
    ] as const)
      assert.doesNotMatch(messageOf(source, color), /black and white/);
  });

  for (const [what, made, expected] of [
    ['nothing where all is as it should be', said({}), []],
    ['that parts were not measured', said({ confidence: unmeasured }), ['STYLE_NOT_MEASURED']],
    ['not of an image, which has no such parts', said({ confidence: unmeasured, source_kind: 'image' }), []],
    [
      'nor of parts that are not wanted',
      said({ confidence: unmeasured }, clipFacts(), {
        components: { pacing: false, transitions: false, motion: false },
      }),
      [],
    ],
    [
      'that a style has no color',
      said({ confidence: { ...style.confidence!, color: 0 } }),
      ['COLOR_NOT_MEASURED'],
    ],
    [
      'that a template is almost entirely black',
      said({
        color_statistics: {
          ...style.color_statistics!,
          lightness_percentiles: Array.from({ length: 21 }, (_, at) => (at < 18 ? 0.2 * at : 30 * (at - 17))),
        },
      }),
      ['COLOR_NOT_MEASURED'],
    ],
    ['that a source has none', said({}, clipFacts(colorless)), ['COLOR_NOT_MEASURED']],
    ['that a source is almost entirely black', said({}, clipFacts(black)), ['COLOR_NOT_MEASURED']],
    ['that a source is a logarithmic recording', said({}, recording), ['SOURCE_DEVELOPED']],
    ['not where its colors stay', said({}, recording, { components: { color: false } }), []],
    [
      'that a template is one',
      said({ color_statistics: styleOf(recording).color_statistics }),
      ['TEMPLATE_FLAT'],
    ],
    ['that the colors of a drawing stay', said({}, drawing), ['LOOK_LIMITED']],
    ['not where the look is wanted in full', said({}, drawing, { components: { color: 1 } }), []],
    ['nor under a look that was authored', said({ color_statistics: undefined }, drawing), []],
    ['that a style is silent', said({ audio_style: silent }), ['AUDIO_STYLE_SILENT']],
    ['that a source is the sound of a room', said({}, room), ['LOUDNESS_LIMITED']],
    [
      'that a rate is too low for pictures that move',
      said({ frame_rate: 9.9 }, clipFacts(), RATE_FOLLOWED),
      ['FRAME_RATE_KEPT'],
    ],
    ['not from ten a second on', said({ frame_rate: 10 }, clipFacts(), RATE_FOLLOWED), []],
  ] as const)
    test(what, () => assert.deepEqual(made.codes, expected));

  test('the parts that were not measured are named, and not applied', () => {
    const { warnings, timeline } = said({ confidence: unmeasured, cut_frequency: 2, zoom_usage: 1 });
    assert.match(warnings[0].message, /pacing, transitions, motion could not be measured \(confidence 0\)/);
    assert.equal(timeline.clips.length, 1);
    assert.deepEqual(timeline.clips[0].from, timeline.clips[0].to);
    assert.equal(timeline.version, 2);
  });
});

describe('a component with a strength of its own', () => {
  const template = clipFacts({ video: { transitions: cutsEvery(1) }, audio: pulse(120, 40) });
  const at = (config: object) => plan(clipFacts({ audio: pulse(126, 40) }), template, config).timeline;

  test('has its own strength, independent of the others', () => {
    const mixed = at({ style_strength: 0.6, components: { color: 0.2, pacing: 1, audio: true } });
    assert.deepEqual(mixed.audio, at({ style_strength: 0.6 }).audio);
    assert.deepEqual(mixed.takes, at({ style_strength: 0.2 }).takes);
    assert.equal(mixed.clips.length, at({ style_strength: 1 }).clips.length);
    assert.notEqual(mixed.clips.length, at({ style_strength: 0.2 }).clips.length);
  });

  test('is there alone when the style has no strength otherwise', () => {
    const none = at({ style_strength: 0 });
    const { takes, ...rest } = at({ style_strength: 0, components: { color: 0.5 } });
    assert.deepEqual(takes, at({ style_strength: 0.5 }).takes);
    assert.deepEqual(rest.clips, none.clips);
  });

  test('is left out at 0, as by false', () => {
    for (const component of GRADUAL_COMPONENTS)
      assert.deepEqual(at({ components: { [component]: 0 } }), at({ components: { [component]: false } }));
  });
});

test('no cut inside speech without a clear beginning of a word, and a warning', () => {
  const spans = [{ startSeconds: 1, endSeconds: 39 }];
  const source = clipFacts({ audio: { speech: { share: 0.95, spans, confidence: 1 } } });
  const template = clipFacts({ video: { transitions: cutsEvery(1) } });
  const { timeline, warnings } = plan(source, template);
  for (const clip of timeline.clips.slice(1)) {
    assert.ok(clip.sourceStartSeconds <= 1 || clip.sourceStartSeconds >= 39, String(clip.sourceStartSeconds));
  }
  assert.ok(warnings.some(({ code }) => code === 'PACING_LIMITED'));
});

test('trim shortens long shots towards the template’s, and spares speech', () => {
  const spans = [{ startSeconds: 12, endSeconds: 15 }];
  const source = clipFacts({ audio: { speech: { share: 0.1, spans, confidence: 1 } } });
  const template = clipFacts({ video: { transitions: cutsEvery(2) } });
  const { timeline } = plan(source, template, { pacing: 'trim' });
  const length = timelineDurationSeconds(timeline);
  assert.ok(length < 34 && length > 10, `${length} s`);
  assert.ok(timeline.clips.some(({ reason }) => reason === 'trim'));
  for (const clip of timeline.clips) {
    for (const time of [clip.sourceStartSeconds, clip.sourceEndSeconds]) {
      assert.ok(time <= 12 || time >= 15, `a cut at ${time} s`);
    }
  }
});

test('transitions are at the source’s cuts with the template’s type, length and direction', () => {
  const source = clipFacts({ video: { transitions: [10, 20, 30].map((time) => cutAt(time)) } });
  const wipe: Transition = {
    ...cutAt(10),
    type: 'wipe',
    startSeconds: 10,
    endSeconds: 10.6,
    easing: 'ease_in_out',
    direction: 'up',
  };
  const template = clipFacts({
    video: { transitions: [wipe, { ...wipe, startSeconds: 20, endSeconds: 20.6 }] },
  });
  const { timeline } = plan(source, template, { components: { motion: false } });
  assert.equal(timeline.transitions.length, 3);
  for (const transition of timeline.transitions) {
    assert.equal(timeline.clips[transition.clipIndex].reason, 'source_cut');
    assert.deepEqual(
      [transition.type, transition.durationSeconds, transition.easing, transition.direction],
      ['wipe', 0.6, 'ease_in_out', 'up'],
    );
  }
  const off = plan(source, template, { components: { transitions: false } });
  assert.deepEqual(off.timeline.transitions, []);
});

test('few places show the mix in turn, the primary type first', () => {
  const source = clipFacts({ video: { transitions: [10, 20, 30].map((time) => cutAt(time)) } });
  const gradual = (type: Transition['type'], time: number): Transition => ({
    ...cutAt(time),
    type,
    endSeconds: time + 0.5,
  });
  const transitions = [5, 15, 25].flatMap((time) => [
    gradual('dissolve', time),
    gradual('slide', time + 3),
    gradual('circle', time + 6),
  ]);
  const { timeline } = plan(source, clipFacts({ video: { transitions } }), { pacing: 'keep' });
  assert.deepEqual(timeline.transitions.map(({ type }) => type).sort(), ['circle', 'dissolve', 'slide']);
});

test('the crop follows the subject and keeps captions; subjects that do not fit are padded', () => {
  const subject = (box: Box): SubjectTrack => ({
    startSeconds: 0,
    endSeconds: 40,
    boxes: Array.from({ length: 200 }, (_, step) => ({ timeSeconds: step / 5, box })),
    salience: 0.9,
    kind: 'face',
  });
  const template = clipFacts({ video: { width: 540, height: 960 } });
  const narrow = clipFacts({ motion: { subjects: [subject({ x: 0.7, y: 0.3, width: 0.2, height: 0.5 })] } });
  const { timeline } = plan(narrow, template, SHAPE_FOLLOWED);
  assert.deepEqual([timeline.width, timeline.height], [720, 1280]);
  const { from, fit } = timeline.clips[0];
  assert.equal(fit, 'crop');
  assert.ok(from.x <= 0.7 && from.x + from.width >= 0.9, `${from.x}..${from.x + from.width}`);

  const apart = [0.1, 0.7].map((x) => subject({ x, y: 0.3, width: 0.2, height: 0.5 }));
  const padded = plan(clipFacts({ motion: { subjects: apart } }), template, SHAPE_FOLLOWED).timeline;
  assert.equal(padded.clips[0].fit, 'pad');
  assert.deepEqual([padded.width, padded.height], [720, 1280]);

  const captions = (width: number): ClipFacts =>
    clipFacts({
      video: {
        captions: {
          share: 0.5,
          spans: [{ startSeconds: 0, endSeconds: 20, box: { x: 0.05, y: 0.8, width, height: 0.1 } }],
          style: { position: 'bottom', lineHeight: 0.05, color: '#ffffff', outlined: true },
          confidence: 1,
        },
      },
    });
  const kept = plan(captions(0.2), template, SHAPE_FOLLOWED).timeline.clips[0].from;
  assert.ok(kept.x <= 0.02 + 1e-9 && kept.x + kept.width >= 0.28, 'with room about them');
  assert.equal(plan(captions(0.6), template, SHAPE_FOLLOWED).timeline.clips[0].fit, 'pad');
});

test('one manner for the whole video: padded where more than a third of the time needs it', () => {
  const subject = (startSeconds: number, endSeconds: number, box: Box): SubjectTrack => ({
    startSeconds,
    endSeconds,
    boxes: Array.from({ length: Math.round(5 * (endSeconds - startSeconds)) }, (_, step) => ({
      timeSeconds: startSeconds + step / 5,
      box,
    })),
    salience: 0.9,
    kind: 'face',
  });
  const template = clipFacts({ video: { width: 540, height: 960 } });
  for (const [cut, config, fit] of [
    [13, {}, 'crop'],
    [13.6, {}, 'pad'],
    [30, {}, 'pad'],
    [30, { framing: 'crop' }, 'crop'],
    [0.4, { framing: 'pad' }, 'pad'],
  ] as const) {
    const apart = [0.1, 0.7].map((x) => subject(0, cut, { x, y: 0.3, width: 0.2, height: 0.5 }));
    const narrow = subject(cut, 40, { x: 0.7, y: 0.3, width: 0.2, height: 0.5 });
    const source = clipFacts({
      video: { transitions: [cutAt(cut)] },
      motion: { subjects: [...apart, narrow] },
    });
    const { timeline, warnings } = plan(source, template, { pacing: 'keep', ...SHAPE_FOLLOWED, ...config });
    const said = warnings.find(({ code }) => code === 'CROP_CUTS')?.message;
    if (fit === 'crop' && !('framing' in config)) assert.match(said!, /for 13\.0 of 40\.0 s\. .*"pad"/);
    else assert.equal(said, undefined);
    const words = `${cut} s, ${JSON.stringify(config)}`;
    assert.deepEqual(
      timeline.clips.map((clip) => clip.fit),
      [fit, fit],
      words,
    );
    assert.equal(new Set(timeline.clips.map(({ from }) => from.width)).size, 1, `one band: ${words}`);
    if ('framing' in config && fit === 'pad') assert.equal(timeline.clips[0].from.width, 1);
  }
});

test('a subject that is soon gone does not hold the crop for the rest of the shot', () => {
  const box = { x: 0.02, y: 0.3, width: 0.1, height: 0.4 };
  const passing = (endSeconds: number): SubjectTrack => ({
    startSeconds: 0,
    endSeconds,
    boxes: Array.from({ length: 5 * endSeconds }, (_, step) => ({ timeSeconds: step / 5, box })),
    salience: 0.5,
    kind: 'face',
  });
  const template = clipFacts({ video: { width: 540, height: 960 } });
  const left = (endSeconds: number) =>
    plan(clipFacts({ motion: { subjects: [passing(endSeconds)] } }), template, SHAPE_FOLLOWED).timeline
      .clips[0].from.x;
  assert.ok(left(40) <= 0.03, `${left(40)}`);
  assert.ok(Math.abs(left(4) - 0.34) < 0.02, `${left(4)}`);
});

test('a framing whose path stays within a place does not move', () => {
  const figures = [0, 1.5, 3].map((timeSeconds) => {
    const part = timeSeconds < 3 ? 17 : 18;
    const across = Array.from({ length: 24 }, (_, at) => (at === part || at === part + 1 ? 0.5 : 0));
    return { timeSeconds, across, down: new Array(24).fill(1 / 24) };
  });
  const template = clipFacts({ video: { width: 540, height: 960 } });
  const [clip] = plan(clipFacts({ video: { figures } }), template).timeline.clips;
  const { from, track } = clip!;
  assert.equal(track, undefined);
  assert.ok(from.x <= 18 / 24 && from.x + from.width >= 19 / 24, `${from.x}`);
});

test('a new ratio excludes the source’s black bars, also when following and punched in; without a style they stay', () => {
  const activeArea = { x: 0.05, y: 0, width: 0.9, height: 1 };
  const source = clipFacts({ video: { activeArea } });
  const template = clipFacts({ video: { transitions: cutsEvery(2) } });
  for (const [width, height] of [
    [1280, 720],
    [540, 960],
    [1920, 800],
  ] as const) {
    const shaped = clipFacts({ video: { ...template.video, width, height } });
    const { timeline } = plan(source, shaped, SHAPE_FOLLOWED);
    for (const { from, to } of timeline.clips) {
      for (const { x, width: shown } of [from, to]) {
        assert.ok(x >= 0.05 - 1e-9 && x + shown <= 0.95 + 1e-9, `${x}..${x + shown}`);
      }
    }
    assert.ok(Math.abs(timeline.width / timeline.height / (width / height) - 1) < 0.02);
  }
  assert.deepEqual(plan(source, null).timeline.clips[0].from, { x: 0, y: 0, width: 1, height: 1 });
});

test('each shot loses its own bars, and the output has the size of what is shown longest', () => {
  const upright = { x: 0.342, y: 0, width: 0.317, height: 1 };
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const source = clipFacts({
    video: {
      transitions: [cutAt(10), cutAt(30)],
      shotAreas: [upright, whole, upright],
      width: 1920,
      height: 1080,
    },
  });
  const template = clipFacts({ video: { width: 1080, height: 1920 } });
  const config = { components: { pacing: false, aspect_ratio: true }, resolution: 'source' };
  const { timeline } = plan(source, template, config);
  assert.deepEqual([timeline.width, timeline.height], [606, 1080]);
  const shown = timeline.clips.map(({ from }) => [from.x, from.x + from.width, from.height]);
  for (const [left, right] of [shown[0], shown[2]])
    assert.ok(left! >= 0.342 - 1e-9 && right! <= 0.659 + 1e-9, `${left}..${right}`);
  assert.ok(shown.every(([, , height]) => height! > 0.98));
});

test('bars of one shot do not make the others lose their last column', () => {
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const shotAreas = [whole, { x: 0.0125, y: 0, width: 0.975, height: 1 }];
  const source = clipFacts({ video: { transitions: [cutAt(30)], shotAreas, width: 854, height: 480 } });
  const config = { components: { pacing: false, motion: false }, resolution: 'source' };
  const { timeline } = plan(source, clipFacts(), config);
  assert.deepEqual([timeline.width, timeline.height], [854, 480]);
  assert.deepEqual(timeline.clips[0].from, whole);
  assert.ok(timeline.clips[1].from.width <= 0.975);
});

test('a caption inside a bar stays, with the strip of bar behind it', () => {
  const area = { x: 0, y: 0.13, width: 1, height: 0.74 };
  const caption = { startSeconds: 2, endSeconds: 5, box: { x: 0.3, y: 0.9, width: 0.4, height: 0.05 } };
  const captions = { share: 0.1, spans: [caption], style: null, confidence: 0.9 };
  const source = clipFacts({ video: { activeArea: area, transitions: [cutAt(20)], captions } });
  const square = clipFacts({ video: { width: 720, height: 720 } });
  const [first, second] = plan(source, square, { components: { pacing: false, aspect_ratio: true } }).timeline
    .clips;
  assert.ok(first!.from.y >= 0.13 - 1e-9 && first!.from.y + first!.from.height >= 0.95);
  assert.ok(second!.from.y >= 0.13 - 1e-9 && second!.from.y + second!.from.height <= 0.87 + 1e-9);
});

test('two figures farther apart than a crop pad the picture; overlapping ones do not', () => {
  const fitOf = (shares: (part: number) => number) => {
    const across = Array.from({ length: 24 }, (_, part) => shares(part));
    const down = new Array(24).fill(1 / 24);
    const figures = [{ timeSeconds: 0, across, down }];
    const source = clipFacts({ video: { durationSeconds: 4, figures } });
    return plan(source, UPRIGHT, SHAPE_FOLLOWED).timeline.clips[0].fit;
  };
  const isOne = (part: number) => part >= 4 && part < 8;
  const isOther = (part: number) => part >= 16 && part < 20;
  assert.equal(
    fitOf((part) => (isOne(part) || isOther(part) ? 1 / 8 : 0)),
    'pad',
  );
  assert.equal(
    fitOf((part) => (isOne(part) ? 1 / 4 : 0)),
    'crop',
  );
  assert.equal(
    fitOf((part) => (part >= 4 && part < 20 ? 1 / 16 : 0)),
    'crop',
  );
  // The second is a chair, or a shadow.
  assert.equal(
    fitOf((part) => (isOne(part) ? 0.22 : isOther(part) ? 0.03 : 0)),
    'crop',
  );
});

test('a padded picture shows no more than its subjects need', () => {
  const at = (x: number): SubjectTrack => ({
    startSeconds: 0,
    endSeconds: 40,
    boxes: Array.from({ length: 200 }, (_, step) => ({
      timeSeconds: step / 5,
      box: { x, y: 0.3, width: 0.1, height: 0.5 },
    })),
    salience: 0.4,
    kind: 'face',
  });
  const source = clipFacts({ motion: { subjects: [at(0.2), at(0.6)] } });
  const { from, fit } = plan(source, UPRIGHT, SHAPE_FOLLOWED).timeline.clips[0];
  assert.equal(fit, 'pad');
  assert.ok(from.x <= 0.2 && from.x + from.width >= 0.7 && from.width < 0.75, JSON.stringify(from));
});

const RATES: readonly [number, number, number][] = [
  [30, 24, 24],
  [30, 240, 60],
  [240, 120, 120],
  [30, 7.2, 30],
  [25, 29.97, 30000 / 1001],
];
for (const [own, styled, planned] of RATES) {
  test(`a source of ${own} frames/s under a style of ${styled}: ${planned.toFixed(2)}`, () => {
    const source = clipFacts({ video: { frameRate: { numerator: own, denominator: 1 } } });
    const style = { ...styleOf(clipFacts()), frame_rate: styled };
    const { timeline } = plan(source, null, RATE_FOLLOWED, { style });
    assert.ok(Math.abs(framesPerSecond(timeline.frameRate) - planned) < 1e-9);
    const kept = plan(source, null, { components: { frame_rate: false } }, { style });
    assert.equal(framesPerSecond(kept.timeline.frameRate), own);
  });
}

test('push-ins take about the style’s share of time', () => {
  const source = clipFacts({ video: { transitions: cutsEvery(2) } });
  const { timeline } = plan(source, clipFacts({ motion: { zoomShare: 0.4 } }), { pacing: 'keep' });
  const moving = timeline.clips.filter(({ from, to }) => to.width < from.width);
  const share = timelineDurationSeconds({ clips: moving }) / 40;
  assert.ok(Math.abs(share - 0.4) < 0.06, String(share));
});

test('a style with captions: no text to show is a warning, captions in the picture are not', () => {
  const captions = {
    share: 0.5,
    spans: [],
    style: { position: 'bottom' as const, lineHeight: 0.05, color: '#ffffff', outlined: true },
    confidence: 1,
  };
  const template = clipFacts({ video: { captions } });
  const none = plan(clipFacts(), template);
  assert.ok(none.warnings.some(({ code }) => code === 'NO_CAPTION_TRACK'));
  const own = plan(clipFacts({ video: { captions } }), template);
  assert.ok(!own.warnings.some(({ code }) => code === 'NO_CAPTION_TRACK'));
});

test('a style of the specification’s fields alone is enough', () => {
  const { version, created_at, aspect_ratio, extraction_confidence } = styleOf(clipFacts());
  const style: Style = {
    version,
    created_at,
    aspect_ratio,
    extraction_confidence,
    frame_rate: 24,
    cut_frequency: 0.5,
    motion_intensity: 0.2,
    zoom_usage: 0.2,
    use_subtitles: false,
    source_duration_seconds: 60,
    color_grade: { temperature: 40, tint: 0, saturation: 20, contrast: 20, highlights: 0, shadows: 0 },
    primary_transition: { type: 'dissolve', duration_ms: 400, easing: 'linear' },
    audio_style: { normalization_level: -10, compression_ratio: 4, bass_boost: 4, enhance_speech: false },
  };
  const source = clipFacts({ video: { transitions: [20].map((time) => cutAt(time)) } });
  const { timeline } = plan(source, null, { style_strength: 1 }, { style });
  assert.ok(timeline.clips.length > 15);
  assert.equal(timeline.transitions[0]?.type, 'dissolve');
  assert.equal(timeline.audio?.targetLufs, -10);
  assert.ok(timeline.takes[0]!.grade !== null);
});

test('an image has no frame rate to follow; a video has', () => {
  const style = { ...styleOf(clipFacts()), frame_rate: 50 };
  for (const [source_kind, rate] of [
    ['image', 25],
    ['video', 50],
  ] as const) {
    const { timeline } = plan(clipFacts(), null, RATE_FOLLOWED, { style: { ...style, source_kind } });
    assert.equal(framesPerSecond(timeline.frameRate), rate);
  }
});

test('the hue of skin is guarded where there is one face, and nowhere else', () => {
  const style = styleOf(clipFacts());
  const face: SubjectTrack = { startSeconds: 0, endSeconds: 1, kind: 'face', salience: 0.5, boxes: [] };
  for (const [faces, degrees] of [
    [[], 180],
    [[face], 6],
  ] as const) {
    const { timeline } = plan(clipFacts({ video: { faces } }), null, {}, { style });
    assert.ok(timeline.takes[0]!.grade !== null && 'skinGuardDegrees' in timeline.takes[0]!.grade);
    assert.equal(timeline.takes[0]!.grade.skinGuardDegrees, degrees);
  }
});

test('a template as flat and pale as a logarithmic recording is followed, and named', () => {
  const style = styleOf(clipFacts());
  /** Only its darkest tone decides between a picture and a recording: halfway between both. */
  const codes = (darkest: number) => {
    const lightness_percentiles = Array.from({ length: 21 }, (_, at) =>
      at <= 10 ? darkest + ((46 - darkest) * at) / 10 : 46 + 2 * (at - 10),
    );
    const color_statistics = { ...style.color_statistics!, lightness_percentiles, covariance_ab: [16, 0, 1] };
    const request = { source: clipFacts(), style: { ...style, color_statistics } as Style, template: null };
    const { warnings } = planTimeline({ ...request, config: jobConfigSchema.parse({}) });
    return warnings.map(({ code }) => code);
  };
  assert.ok(codes(2.05).includes('TEMPLATE_FLAT'));
  assert.ok(!codes(1.95).includes('TEMPLATE_FLAT'));
});

test('a style of nearly a published shape becomes that, unless the source has the same odd shape', () => {
  // A recorded player: nearly 9:16.
  const odd = { width: 226, height: 426 };
  const video = (size: object) => ({ ...clipFacts(), video: { ...clipFacts().video, ...size } });
  const shapeOf = (source: ClipFacts) => {
    const { timeline, warnings } = plan(source, video(odd), SHAPE_FOLLOWED);
    const ratio = timeline.width / timeline.height;
    return [ratio, warnings.some(({ code }) => code === 'RATIO_PUBLISHED')] as const;
  };
  const [published, isTold] = shapeOf(clipFacts());
  assert.ok(Math.abs(published - 9 / 16) < 0.005 && isTold, `${published}`);
  const [kept, isKeptTold] = shapeOf(video(odd));
  assert.ok(Math.abs(kept - 226 / 426) < 0.005 && !isKeptTold, `${kept}`);
});
