import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { PRESETS } from '../../src/presets/presets.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { styleSentence } from '../../src/style/model/style-sentence.ts';

type Style = Parameters<typeof styleSentence>[0];

const SURE = { color: 1, pacing: 1, transitions: 1, motion: 1, audio: 1, subtitles: 1 };
const REST = { temperature: 0, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 };
/** A minute of one ordinary shot with sound, of which nothing is worth a word. */
const PLAIN: Style = {
  aspect_ratio: '16:9',
  cut_frequency: 0,
  source_duration_seconds: 60,
  color_grade: REST,
  confidence: SURE,
};
const CUT: Style = { ...PLAIN, cut_frequency: 0.5, transition_mix: { cut: 1 } };
const graded = (dials: Partial<typeof REST>): Style => ({ ...PLAIN, color_grade: { ...REST, ...dials } });
const sure = (part: keyof typeof SURE, value: number) => ({ ...SURE, [part]: value });
const spread = (chroma: number) => ({
  lightness_percentiles: Array.from({ length: 21 }, (_, at) => at * 5),
  mean_ab: [0, 0] as [number, number],
  covariance_ab: [chroma ** 2, 0, 0] as [number, number, number],
});

const SENTENCES: readonly (readonly [string, Style, string])[] = [
  ['nothing known', {}, 'Nothing stands out'],
  ['one shot', PLAIN, 'One shot'],
  [
    'the whole of it',
    {
      ...CUT,
      color_grade: { ...REST, temperature: 30, contrast: 20 },
      cut_frequency: 0.625,
      cuts_on_beat: 0.6,
      transition_mix: { cut: 0.8, dissolve: 0.2 },
      tempo_bpm: 150.01,
      music_genre: 'rock',
    },
    'Warm, hard contrast, a cut every 1.6 s on the beat, mostly hard cuts, some dissolves, 150 BPM rock',
  ],
  [
    'dials just seen',
    graded({ temperature: -15, saturation: 18, contrast: -15 }),
    'Cool, vivid color, soft contrast, one shot',
  ],
  [
    'dials just not',
    graded({ temperature: 14.9, tint: 29.9, saturation: -17.9, contrast: 14.9, shadows: 19.9 }),
    'One shot',
  ],
  ['strong dials', graded({ temperature: 50, contrast: -49.9 }), 'Very warm, soft contrast, one shot'],
  [
    'three words on color',
    graded({ tint: -30, saturation: -18, contrast: 15, shadows: 20, highlights: 20 }),
    'Green tint, muted color, hard contrast, one shot',
  ],
  ['tones', graded({ shadows: -20, highlights: -20 }), 'Deep blacks, dimmed highlights, one shot'],
  [
    'a grade that is a guess',
    { ...graded({ temperature: 60 }), confidence: sure('color', 0.49) },
    'One shot',
  ],
  [
    'a grade that just is none',
    { ...graded({ temperature: 40 }), confidence: sure('color', 0.5) },
    'Warm, one shot',
  ],
  [
    'a look that is a guess',
    { ...graded({ temperature: 60 }), look: { greys: [], chroma: 1, confidence: 0.49 } },
    'One shot',
  ],
  [
    'no color measured',
    { ...graded({ temperature: 60, saturation: -90 }), confidence: sure('color', 0) },
    'One shot',
  ],
  ['written without color', graded({ saturation: -85, temperature: 40 }), 'Black and white, one shot'],
  ['nearly', graded({ saturation: -84 }), 'Very muted color, one shot'],
  [
    'shot without color',
    { ...graded({ saturation: -45 }), color_statistics: spread(1.9) },
    'Black and white, one shot',
  ],
  [
    'shot with some',
    { ...graded({ saturation: -45 }), color_statistics: spread(2.1) },
    'Muted color, one shot',
  ],
  ['a fast edit', { ...CUT, cut_frequency: 2.5 }, 'A cut every 0.4 s'],
  ['a slow one', { ...CUT, cut_frequency: 0.08 }, 'A cut every 13 s'],
  ['a very slow one', { ...CUT, cut_frequency: 0.01, source_duration_seconds: 3600 }, 'A cut every 1.7 min'],
  ['a pace that is a guess', { ...CUT, confidence: sure('pacing', 0.29) }, 'Nothing stands out'],
  ['a pace that just is none', { ...CUT, confidence: sure('pacing', 0.3) }, 'A cut every 2 s'],
  ['a pace not measured', { ...PLAIN, confidence: sure('pacing', 0) }, 'Nothing stands out'],
  ['one cut', { ...CUT, cut_frequency: 1 / 60 }, 'One cut'],
  ['two', { ...CUT, cut_frequency: 2 / 60 }, 'Two cuts'],
  ['three', { ...CUT, cut_frequency: 3 / 60 }, 'A cut every 20 s'],
  ['two dissolves', { ...CUT, cut_frequency: 2 / 60, transition_mix: { dissolve: 1 } }, 'Two dissolves'],
  [
    'one of each',
    { ...CUT, cut_frequency: 2 / 60, transition_mix: { cut: 0.5, wipe: 0.5 } },
    'One cut and one wipe',
  ],
  [
    'two of a kind unknown',
    { ...CUT, cut_frequency: 2 / 60, confidence: sure('transitions', 0.4) },
    'Two changes of shot',
  ],
  [
    'one of a kind unknown',
    { ...CUT, cut_frequency: 1 / 60, confidence: sure('transitions', 0.4) },
    'One change of shot',
  ],
  [
    'all gradual',
    { ...CUT, transition_mix: { dissolve: 1 } },
    'A change of shot every 2 s, all of them dissolves',
  ],
  [
    'most gradual',
    { ...CUT, transition_mix: { cut: 0.4, slide: 0.6 } },
    'A change of shot every 2 s, mostly slides',
  ],
  [
    'kinds mixed',
    { ...CUT, transition_mix: { cut: 0.4, slide: 0.4, wipe: 0.2 } },
    'A change of shot every 2 s, cuts and transitions of many kinds',
  ],
  [
    'kinds that are a guess',
    { ...CUT, transition_mix: { cut: 0.6, wipe: 0.4 }, confidence: sure('transitions', 0.49) },
    'A cut every 2 s',
  ],
  [
    'flashes',
    {
      ...CUT,
      transition_mix: { cut: 0.7, fade_white: 0.3 },
      primary_transition: { type: 'fade_white', duration_ms: 400, easing: 'linear' },
    },
    'A cut every 2 s, mostly hard cuts, some flashes of white',
  ],
  [
    'fades through a color, by its name',
    {
      ...CUT,
      transition_mix: { cut: 0.7, fade_color: 0.3 },
      transition_color: '#101c4a',
    },
    'A cut every 2 s, mostly hard cuts, some fades through dark blue',
  ],
  [
    'slower than a flash',
    {
      ...CUT,
      transition_mix: { cut: 0.7, fade_white: 0.3 },
      primary_transition: { type: 'fade_white', duration_ms: 401, easing: 'linear' },
    },
    'A cut every 2 s, mostly hard cuts, some fades through white',
  ],
  ['hardly on the beat', { ...CUT, cuts_on_beat: 0.29 }, 'A cut every 2 s'],
  [
    'on it, five cuts',
    { ...CUT, cut_frequency: 1, source_duration_seconds: 5, cuts_on_beat: 0.4 },
    'A cut every 1 s on the beat',
  ],
  [
    'by chance, four cuts',
    { ...CUT, cut_frequency: 1, source_duration_seconds: 4, cuts_on_beat: 0.4 },
    'A cut every 1 s',
  ],
  ['a tripod', { ...PLAIN, camera_shake: 0.009 }, 'One shot, steady camera'],
  ['between', { ...PLAIN, camera_shake: 0.01 }, 'One shot'],
  ['a hand', { ...PLAIN, camera_shake: 0.025, motion_intensity: 0.9 }, 'One shot, handheld'],
  [
    'a camera that is a guess',
    { ...PLAIN, camera_shake: 0.1, zoom_usage: 1, confidence: sure('motion', 0.49) },
    'One shot',
  ],
  [
    'zooms and movement',
    { ...PLAIN, camera_shake: 0.02, zoom_usage: 0.3, motion_intensity: 0.6 },
    'One shot, zooms, much movement',
  ],
  ['few', { ...PLAIN, zoom_usage: 0.29, motion_intensity: 0.59 }, 'One shot'],
  ['captions', { ...PLAIN, use_subtitles: true }, 'One shot, captions'],
  [
    'captions, how',
    {
      ...PLAIN,
      use_subtitles: true,
      subtitle_style: {
        position: 'middle',
        line_height: 0.05,
        color: '#ffffff',
        outlined: true,
        timing: 'words',
      },
    },
    'One shot, captions word by word in the middle',
  ],
  [
    'captions that are a guess',
    { ...PLAIN, use_subtitles: true, confidence: sure('subtitles', 0.4) },
    'One shot',
  ],
  ['upright', { ...PLAIN, aspect_ratio: '9:16' }, 'One shot, upright 9:16'],
  ['upright, of no common ratio', { ...PLAIN, aspect_ratio: '113:213' }, 'One shot, upright'],
  ['square', { ...PLAIN, aspect_ratio: '1:1' }, 'One shot, square'],
  ['wide', { ...PLAIN, aspect_ratio: '239:100' }, 'One shot, wide 2.39:1'],
  ['television', { ...PLAIN, aspect_ratio: '4:3' }, 'One shot, 4:3'],
  ['no sound', { ...PLAIN, confidence: { color: 1, pacing: 1 } }, 'One shot, no sound'],
  ['silence', { ...PLAIN, music_genre: 'silence' }, 'One shot, silent'],
  ['speech', { ...PLAIN, music_genre: 'speech' }, 'One shot, speech'],
  ['music without a pulse', { ...PLAIN, music_genre: 'hip_hop' }, 'One shot, hip-hop music'],
  ['of unknown kind', { ...PLAIN, music_genre: 'unknown', tempo_bpm: 99.6 }, 'One shot, 100 BPM'],
  ['loud', { ...PLAIN, audio_style: level(-11) }, 'One shot, loud (−11 LUFS)'],
  ['usual', { ...PLAIN, audio_style: level(-11.1) }, 'One shot'],
  ['quiet', { ...PLAIN, audio_style: level(-28) }, 'One shot, quiet (−28 LUFS)'],
  ['quiet for a second', { ...PLAIN, audio_style: level(-28), confidence: sure('audio', 0.29) }, 'One shot'],
  [
    'an image',
    { ...graded({ temperature: 20 }), source_kind: 'image', confidence: { color: 1, pacing: 0 } },
    'A still picture, warm',
  ],
  [
    'an upright image',
    { ...PLAIN, source_kind: 'image', aspect_ratio: '4:5', confidence: { color: 0 } },
    'A still picture, upright 4:5',
  ],
  ['a song', { music_genre: 'electronic', tempo_bpm: 128 }, '128 BPM electronic'],
  ['written without cuts', { ...PLAIN, confidence: undefined, source_duration_seconds: 0 }, 'No cuts'],
];

function level(lufs: number) {
  return { normalization_level: lufs, compression_ratio: 2, bass_boost: 0, enhance_speech: false };
}

describe('a style in a sentence:', () => {
  for (const [what, style, sentence] of SENTENCES)
    test(what, () => {
      assert.equal(styleSentence(style), sentence);
    });
});

test('presets, as they are written', () => {
  const sentences = Object.fromEntries(PRESETS.map(({ id, style }) => [id, styleSentence(style)]));
  assert.equal(sentences['noir'], 'Black and white, hard contrast, a cut every 6.7 s');
  assert.equal(sentences['golden-hour'], 'Warm, a cut every 6.7 s, mostly hard cuts, some dissolves, zooms');
  assert.equal(new Set(Object.values(sentences)).size, PRESETS.length);
  for (const { style } of PRESETS) assert.ok(styleSchema.safeParse(style).success);
});

test('it runs in a browser: no import needs Node', () => {
  const seen = new Set<string>();
  const visit = (file: URL): void => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const text = readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(/^import (?!type )[^;]*? from '([^']+)';$/gm)) {
      assert.match(name!, /^\./, `${file.pathname} imports ${name}`);
      visit(new URL(name!, file));
    }
  };
  visit(new URL('../../src/style/model/style-sentence.ts', import.meta.url));
  assert.ok(seen.size > 2);
});
