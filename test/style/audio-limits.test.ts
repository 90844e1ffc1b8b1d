/** How loud, how wide and how peaked: at any strength, for room noise, speech and music. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import { maxLoudness, planAudio } from '../../src/style/audio/audio.ts';
import { equalizerTowards } from '../../src/style/audio/equalizer.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { audioOf } from '../../src/style/plan/mastering.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { audioFacts, clipFacts, pulse } from '../support/clip-facts.ts';

describe('loudness and dynamics of a plan', () => {
  const { loudness, spectrum } = audioFacts();
  const shortTermLufs = Array.from({ length: 34 }, (_, k) => -60 + ((k * 7) % 34));
  const room = (integratedLufs: number, parts: Parameters<typeof audioFacts>[0] = {}) =>
    maxLoudness(audioFacts({ loudness: { ...loudness, integratedLufs, shortTermLufs }, ...parts }));
  const speech = (share: number) => ({ speech: { share, spans: [], confidence: 0.9 } });
  const ANY = Number.POSITIVE_INFINITY;

  for (const [what, seen, wanted] of [
    // The tenth of the levels is −57 LUFS: 23 dB below the limit of room noise.
    ['a room is raised until its quiet parts are those of a room', room(-40), -17],
    [
      'or its whole, where no second of it was measured',
      room(-40, { loudness: { ...loudness, integratedLufs: -40, shortTermLufs: [null] } }),
      -30,
    ],
    [
      'not lowered',
      room(-28, { loudness: { ...loudness, integratedLufs: -28, shortTermLufs: [-28, -29] } }),
      -28,
    ],
    ['up to −26 LUFS', room(-26), -3],
    ['louder is no room', room(-25.9), ANY],
    ['nor is what speaks', room(-40, speech(0.1)), ANY],
    ['what hardly speaks is', room(-40, speech(0.09)), -17],
    [
      'nor what has a likely beat',
      room(-40, { tempo: { bpm: 90, confidence: 0.5, support: 1, alternatives: [] } }),
      ANY,
    ],
    [
      'knocks in noise are no beat',
      room(-40, { tempo: { bpm: 120, confidence: 0.4, support: 0.5, alternatives: [] } }),
      -17,
    ],
    ['silence with a click in it stays', room(-40, { silence: { share: 0.96, spans: [] } }), -40],
    ['silence with more in it is raised', room(-40, { silence: { share: 0.94, spans: [] } }), -17],
  ] as const) {
    test(what, () => assert.equal(seen, wanted));
  }

  /** Towards a style at −20 LUFS with a range of 4 LU and peaks at −8 dBTP, from a range of 8 and a crest of 14. */
  const planned = (strength: number, change: Partial<Style> = {}, source = audioFacts()) => {
    const style = extractStyle(
      clipFacts({ audio: audioFacts({ loudness: { ...loudness, rangeLu: 4, truePeakDbtp: -8 } }) }),
      {
        createdAt: new Date(0),
        fingerprint: null,
      },
    );
    return planAudio(source, { ...style, ...change }, strength);
  };

  /** The strength that applies half of the change: see `levelShareOf`. */
  const HALF_WAY = 1 - Math.cbrt(0.5);

  for (const normalization_level of [-60, -30, -8])
    test(`of silence nothing is said, whatever the style: ${normalization_level} LUFS`, () => {
      const silence = audioFacts({
        loudness: { integratedLufs: null, rangeLu: null, truePeakDbtp: null, shortTermLufs: [null] },
      });
      const style = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
      const loud = { ...style, audio_style: { ...style.audio_style!, normalization_level } };
      const warnings: Warning[] = [];
      audioOf(silence, loud, 0.8, warnings);
      assert.deepEqual(warnings, []);
    });

  test('half of the change', () => {
    const { compressor, targetLufs } = planned(HALF_WAY);
    // Of peaks that are 1.6 dB lower than usual .7 is followed; the range is not unusual; a style at −20 LUFS counts as one at −19.
    assert.deepEqual([compressor, targetLufs], [{ rangeLu: 8, crestDb: 13.44 }, -16.5]);
  });

  for (const [what, plan, rangeLu, crestDb] of [
    ['a range is followed', planned(1, { loudness_range_lu: 8.4 }), 8.4, 12],
    ['peaks that a style has are never given back', planned(HALF_WAY, { true_peak_dbtp: -4 }), 8, 16],
    [
      'speech keeps 4 LU and 12 dB',
      planned(1, { loudness_range_lu: 2, true_peak_dbtp: -12 }, audioFacts(speech(0.5))),
      4,
      12,
    ],
    ['music keeps 1 LU and 6 dB', planned(1, { loudness_range_lu: 0, true_peak_dbtp: -19 }), 1, 6],
    ['words are not spread', planned(1, { loudness_range_lu: 12 }, audioFacts(speech(0.1))), 8, 12],
    ['without words it may be', planned(1, { loudness_range_lu: 12 }, audioFacts(speech(0.09))), 12, 12],
    [
      'a ratio alone only narrows',
      planned(
        1,
        { loudness_range_lu: undefined } as Partial<Style>,
        audioFacts({ loudness: { ...loudness, rangeLu: 2 } }),
      ),
      2,
      12,
    ],
  ] as const) {
    test(what, () => assert.deepEqual(plan.compressor, { rangeLu, crestDb }));
  }

  test('behind another spectrum a range is held that is to stay, that of speech too', () => {
    const bright = { ...spectrum, levelsDb: spectrum.levelsDb.map((level, at) => level + at) };
    const range = (rangeLu: number, share: number) => {
      const facts = clipFacts({
        audio: audioFacts({ spectrum: bright, loudness: { ...loudness, rangeLu } }),
      });
      const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
      return planAudio(audioFacts(speech(share)), style, 1).compressor?.rangeLu;
    };
    assert.deepEqual([range(8.4, 0), range(12, 0.5), range(12, 0), range(5, 0.5)], [8.4, 8, 12, 5]);
  });

  test('a style of −36 LUFS counts, a quieter one does not', () => {
    const at = (normalization_level: number) =>
      planned(1, {
        audio_style: { normalization_level, compression_ratio: 2, bass_boost: 0, enhance_speech: false },
      }).targetLufs;
    assert.deepEqual([at(-36), at(-36.1)], [-36, -14]);
  });

  test('a quiet style makes no video quieter than −19 LUFS up to .8, speech and one that was louder not than −16, and all of it at 1', () => {
    const at = (strength: number, normalization_level: number, integratedLufs = -25) =>
      planned(
        strength,
        { audio_style: { normalization_level, compression_ratio: 2, bass_boost: 0, enhance_speech: false } },
        audioFacts({ loudness: { ...loudness, integratedLufs } }),
      ).targetLufs!;
    for (const [own, least] of [
      [-25, -19],
      [-17.5, -17.5],
      [-10, -16],
    ] as const)
      assert.ok(Math.abs(at(0.8, -32.6, own) - least) < 0.1, `${own}: ${at(0.8, -32.6, own)}`);
    const spoken = planned(
      0.8,
      {
        audio_style: { normalization_level: -30, compression_ratio: 2, bass_boost: 0, enhance_speech: false },
      },
      audioFacts({ loudness: { ...loudness, integratedLufs: -25 }, ...speech(0.9) }),
    );
    assert.ok(Math.abs(spoken.targetLufs! + 16) < 0.1, `speech: ${spoken.targetLufs}`);
    assert.ok(Math.abs(at(0.8, -18) + 18) < 0.1, `${at(0.8, -32.6)}`);
    assert.equal(at(1, -32.6), -32.6);
    assert.ok(at(0.9, -32.6) < -24 && at(0.9, -32.6) > -32);
  });
});

describe('the greatest loudness', () => {
  const { loudness } = audioFacts();
  const wanted = { normalization_level: -8, compression_ratio: 2, bass_boost: 0, enhance_speech: false };
  const style = {
    ...extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null }),
    audio_style: wanted,
  };
  for (const [integratedLufs, strength, least, most] of [
    // A source that is louder than the common loudness stays as loud.
    [-27, 0.8, -14, -13.9],
    [-17, 0.8, -14, -13.9],
    [-13, 0.8, -13.1, -12.9],
    [-9, 0.8, -9.1, -8.9],
    [-27, 1, -8, -8],
  ] as const) {
    test(`${integratedLufs} LUFS at ${strength}`, () => {
      const { targetLufs } = planAudio(
        audioFacts({ loudness: { ...loudness, integratedLufs }, ...pulse(120, 40) }),
        style,
        strength,
      );
      assert.ok(targetLufs! >= least && targetLufs! <= most, `${targetLufs}`);
    });
  }
});

describe('the equaliser', () => {
  const source = audioFacts();
  const { centresHz, levelsDb } = source.spectrum;
  const towards = (centres: readonly number[], levels: readonly number[]) => {
    const style = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
    const spectrum = { centres_hz: [...centres], levels_db: [...levels] };
    return equalizerTowards(source, { ...style, spectrum }, { reach: 1, caution: 0 });
  };

  test('between a style’s bands goes by the logarithm of frequency, beyond them by the outermost', () => {
    const coarse = [63, 500, 4000];
    const wanted = [-30, -38, -44];
    // Bands lie an octave apart: three of them between two of the style's.
    const between = (hz: number) => {
      const place = Math.max(0, Math.min(2, Math.log2(hz / 62.5) / 3));
      const [from, to] = [wanted[Math.floor(place)], wanted[Math.ceil(place)]];
      return from + (to - from) * (place - Math.floor(place));
    };
    const [rough, fine] = [towards(coarse, wanted), towards(centresHz, centresHz.map(between))];
    for (const [band, { gainDb }] of rough.entries())
      assert.ok(
        Math.abs(gainDb - fine[band].gainDb) <= 0.06,
        `${centresHz[band]} Hz: ${gainDb}, ${fine[band]!.gainDb}`,
      );
  });

  test('a tone that sticks out is spread over its neighbours by a tenth', () => {
    const gains = towards(
      centresHz,
      levelsDb.map((level, band) => level + (band === 5 ? 5 : 0)),
    );
    const rest = gains[1].gainDb;
    const over = [4, 5, 6].map((band) => gains[band].gainDb - rest);
    for (const [at, share] of [0.1, 0.8, 0.1].entries())
      assert.ok(Math.abs(over[at] - share * 5) < 0.02, `${over[at]}`);
  });
});

describe('warnings of a plan', () => {
  const style = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
  const codesOf = (
    change: Partial<Style>,
    audio: Parameters<typeof audioFacts>[0] = {},
    pacing = 'punch_in',
    template: ClipFacts | null = clipFacts(),
  ) => {
    const config = jobConfigSchema.parse({ pacing });
    const source = clipFacts({ audio });
    const { warnings } = planTimeline({
      source,
      style: { ...style, ...change },
      template,
      config,
      captions: null,
    });
    return warnings.map(({ code }) => code);
  };
  const quiet = {
    loudness: { ...audioFacts().loudness, integratedLufs: -40 },
    silence: { share: 0.96, spans: [] },
  };
  const QUIET = { normalization_level: -30, compression_ratio: 2, bass_boost: 0, enhance_speech: false };
  const LOUD = { normalization_level: -8, compression_ratio: 2, bass_boost: 0, enhance_speech: false };
  const quieterFor = (integratedLufs: number) =>
    codesOf(
      { audio_style: { ...QUIET, normalization_level: -18 } },
      { loudness: { ...audioFacts().loudness, integratedLufs } },
    );
  const SILENT = { normalization_level: -45, compression_ratio: 2, bass_boost: 0, enhance_speech: false };

  for (const [what, code, warned, silent] of [
    [
      'a template of less than 30 s',
      'TEMPLATE_SHORT',
      codesOf({ source_duration_seconds: 29.9 }),
      codesOf({ source_duration_seconds: 30 }),
    ],
    [
      'but not a style that was written',
      'TEMPLATE_SHORT',
      codesOf({ source_duration_seconds: 1 }),
      codesOf({ source_duration_seconds: 0 }),
    ],
    [
      'nor a style that was given without its template',
      'TEMPLATE_SHORT',
      codesOf({ source_duration_seconds: 12 }),
      codesOf({ source_duration_seconds: 12 }, {}, 'punch_in', null),
    ],
    [
      'nor where the pace stays',
      'TEMPLATE_SHORT',
      codesOf({ source_duration_seconds: 1 }),
      codesOf({ source_duration_seconds: 1 }, {}, 'keep'),
    ],
    ['background that more would turn into noise', 'LOUDNESS_LIMITED', codesOf({}, quiet), codesOf({})],
    ['a quiet style', 'LOUDNESS_LIMITED', codesOf({ audio_style: QUIET }), codesOf({})],
    ['a quieter style and a loud source', 'LOUDNESS_LIMITED', quieterFor(-14), quieterFor(-20)],
    ['a loud style and a calm source', 'LOUDNESS_LIMITED', codesOf({ audio_style: LOUD }), codesOf({})],
    ['a style without sound', 'AUDIO_STYLE_SILENT', codesOf({ audio_style: SILENT }), codesOf({})],
  ] as const) {
    test(what, () => {
      assert.ok(warned.includes(code), warned.join());
      assert.ok(!silent.includes(code), silent.join());
    });
  }
});
