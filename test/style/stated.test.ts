/** Doubtful findings are not published and not applied. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsTable } from '../../src/cli/style-table.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { reportView } from '../../src/report/report.ts';
import { planAudio } from '../../src/style/audio/audio.ts';
import { audioFields } from '../../src/style/extract/audio.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { neutralFields } from '../../src/style/model/measured-parts.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { audioFacts, clipFacts, cutAt, LEADING_FACE, pulse } from '../support/clip-facts.ts';

const styleOf = (facts: ReturnType<typeof clipFacts>) =>
  extractStyle(facts, { createdAt: new Date(0), fingerprint: 'AQAA' });

/** A pulse of which next to nothing speaks. */
function faintPulse(support: number) {
  const { tempo, beats } = pulse(188, 40);
  return { tempo: { ...tempo!, confidence: 0.01, support }, beats };
}

test('a tempo is published from a support of .15, with its beats, however uncertain its octave', () => {
  const faint = audioFields(audioFacts(faintPulse(0.11)));
  for (const name of ['tempo_bpm', 'tempo_alternatives', 'detected_beats'] as const)
    assert.equal(faint[name], undefined, name);
  const published = audioFields(audioFacts(faintPulse(0.19)));
  assert.equal(published.tempo_bpm, 188);
  assert.ok(published.detected_beats!.length > 100);
});

test('a doubtful genre is unknown; next to no sound has no audio style', () => {
  const fields = audioFields(audioFacts({ genre: { name: 'speech', confidence: 0.3 }, confidence: 0.02 }));
  assert.equal(fields.music_genre, 'unknown');
  for (const name of ['audio_style', 'spectrum', 'loudness_range_lu', 'true_peak_dbtp'] as const)
    assert.equal(fields[name], undefined, name);
});

const doubtful = clipFacts({
  video: { transitions: [cutAt(0.5)], durationSeconds: 1 },
  audio: { ...faintPulse(0.11), confidence: 0.02 },
  motion: { medianSpeed: 0.2, zoomShare: 0.6, confidence: 0.1 },
});

test('motion and pacing of low confidence are neutral, with a confidence of 0', () => {
  const style = styleOf(doubtful);
  const { motion, pacing, audio } = style.confidence!;
  assert.deepEqual([motion, pacing, audio], [0, 0, 0]);
  assert.deepEqual([style.motion_intensity, style.zoom_usage, style.cut_frequency], [0, 0, 0]);
  assert.deepEqual(
    [style.camera_shake, style.shot_lengths, style.cuts_on_beat],
    [undefined, undefined, undefined],
  );
  assert.deepEqual(neutralFields(style), ['cut_frequency', 'motion_intensity', 'zoom_usage']);
});

test('a report states nothing of it', () => {
  const view = reportView({
    name: 'clip.mp4',
    clip: doubtful,
    audio: doubtful.audio,
    style: styleOf(doubtful),
    format: { container: 'mp4', videoCodec: 'h264', audio: null },
    plan: [],
    stills: [],
    envelope: null,
    createdAt: new Date(0),
  });
  assert.deepEqual(
    [view.headlines.map(({ label }) => label), view.camera, view.audio],
    [['Color'], null, null],
  );
  const paced = ['Changes of shot', 'Median shot', 'Mean shot'];
  const readings = view.rhythm!.readings.filter(({ label }) => paced.includes(label));
  assert.deepEqual(
    readings.map(({ value }) => value),
    [null, null, null],
  );
  assert.ok(
    view.notes.includes('Not found: pace, camera motion, captions, loudness, tempo and speech.'),
    view.notes.join('\n'),
  );
  assert.deepEqual(view.time.beats, []);
});

test('a doubtful tempo is printed with its confidence', () => {
  const printed = (confidence: number) => findingsTable({ tempo_bpm: 120, tempo_confidence: confidence });
  assert.match(printed(0.49), /^ {2}Tempo +120 BPM {2}\(doubtful: confidence 0\.49\)$/);
  assert.match(printed(0.5), /^ {2}Tempo +120 BPM$/);
});

test('fields of a style with confidence 0 are not applied', () => {
  const source = clipFacts({ video: { transitions: [cutAt(20)], faces: [LEADING_FACE] }, audio: {} });
  const template = clipFacts({
    video: { transitions: Array.from({ length: 19 }, (_, at) => cutAt(2 * (at + 1))) },
    audio: {},
    motion: { zoomShare: 0.9 },
  });
  const style = {
    ...styleOf(template),
    primary_transition: { type: 'dissolve', duration_ms: 500, easing: 'linear' } as const,
    transition_mix: { dissolve: 1 },
    zoom_usage: 0.9,
  };
  const config = jobConfigSchema.parse({});
  const apply = (confidence: number) => {
    const parts = { pacing: confidence, transitions: confidence, motion: confidence, audio: confidence };
    const published = { ...style, confidence: { ...style.confidence, ...parts } };
    const { timeline, warnings } = planTimeline({ source, style: published, template, config });
    const moving = timeline.clips.filter(({ from, to }) => from.width !== to.width).length;
    const shaped =
      planAudio(source.audio!, published, 1).equalizer.length + (timeline.audio!.compressor === null ? 0 : 1);
    return {
      applied: [timeline.clips.length > 2, timeline.transitions.length > 0, moving > 0, shaped > 0],
      codes: warnings.map(({ code }) => code),
    };
  };
  const all = apply(0.8);
  assert.deepEqual(all.applied, [true, true, true, true]);
  const none = apply(0);
  assert.deepEqual(none.applied, [false, false, false, false]);
  assert.ok(none.codes.includes('STYLE_NOT_MEASURED') && !none.codes.includes('TEMPLATE_SHORT'));
});

test('cuts are not placed on the beats of an uncertain pulse', () => {
  const template = clipFacts({
    video: { transitions: Array.from({ length: 19 }, (_, at) => cutAt(2 * (at + 1))) },
  });
  const config = jobConfigSchema.parse({ components: { motion: false } });
  const cutsOf = (confidence: number) => {
    const source = clipFacts({ video: { faces: [LEADING_FACE] }, audio: faintPulse(confidence) });
    const { timeline } = planTimeline({ source, style: styleOf(template), template, config });
    return timeline.clips.slice(1).map(({ sourceStartSeconds }) => sourceStartSeconds);
  };
  const offBeat = (cuts: readonly number[]) =>
    cuts.filter((cut) => Math.abs((cut * 188) / 60 - Math.round((cut * 188) / 60)) > 0.1).length;
  assert.equal(offBeat(cutsOf(0.9)), 0);
  assert.ok(offBeat(cutsOf(0.11)) > 3, cutsOf(0.11).join());
});
