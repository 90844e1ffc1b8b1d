/** Words from speech with their times, as captions of an edit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TextCue } from '../../src/domain/footage.ts';
import { type JobConfigInput, jobConfigSchema } from '../../src/domain/job-config.ts';
import type { OmittedWords } from '../../src/domain/transcription.ts';
import { captionsOfWords } from '../../src/style/captions/sentences.ts';
import { toOutputTime } from '../../src/style/captions/timing.ts';
import type { MetricsOf } from '../../src/style/model/caption-face.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { wantsCaptions } from '../../src/style/plan/captions.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { clipFacts } from '../support/clip-facts.ts';

const metricsOf: MetricsOf = () => ({ capHeightEm: 0.7, advanceEm: () => 0.5 });
const styled = (timing: 'words' | 'lines', more: Partial<Style> = {}): Style => ({
  ...(CAPTIONED_STYLE as Style),
  subtitle_style: { ...(CAPTIONED_STYLE as Style).subtitle_style!, timing },
  ...more,
});
/** Words with uneven lengths and pauses: nothing of their times follows from their letters. */
const WORDS: readonly TextCue[] = (
  [
    ['I', 1, 1.9],
    ['extraordinarily', 2.1, 2.4],
    ['like', 2.4, 3],
    ['it', 3.5, 3.55],
    ['here.', 3.55, 4],
    ['Really.', 5, 5.6],
  ] as const
).map(([text, startSeconds, endSeconds]) => ({ text, startSeconds, endSeconds }));

function planned(
  style: Style | null,
  {
    words = WORDS,
    config = {},
    source = clipFacts(),
    omitted = { looped: 0, afterEnd: 0 },
  }: {
    words?: readonly TextCue[];
    config?: JobConfigInput;
    source?: ReturnType<typeof clipFacts>;
    omitted?: OmittedWords;
  } = {},
) {
  const { timeline, warnings } = planTimeline({
    source,
    style,
    template: null,
    config: jobConfigSchema.parse({ captions: 'transcribe', ...config }),
    captions: {
      ...{
        origin: 'speech',
        cues: captionsOfWords(words),
        signCount: 0,
        isTelemetry: false,
        guessedEncoding: null,
        metricsOf,
      },
      omitted,
    },
  });
  const rows = timeline.captions.map(({ startSeconds, endSeconds, lines }) => [
    lines.join(' '),
    Number(startSeconds.toFixed(3)),
    Number(endSeconds.toFixed(3)),
  ]);
  const codes = warnings.map(({ code }) => code).filter((code) => /CAPTION|SPEECH/.test(code));
  const message = warnings.find(({ code }) => code === 'SPEECH_WORDS_LEFT_OUT')?.message;
  return { rows, codes, look: timeline.captionLook, ...(message === undefined ? {} : { message }) };
}

describe('words from speech', () => {
  test('word by word each is shown when it is spoken; a short one joins the next', () => {
    const { rows, codes } = planned(styled('words'));
    assert.deepEqual(rows, [
      ['I', 1, 2.1],
      ['extraordinarily', 2.1, 2.4],
      ['like', 2.4, 3.5],
      ['it here.', 3.5, 4],
      ['Really.', 5, 5.833],
    ]);
    assert.deepEqual(codes, []);
  });

  test('in lines each sentence is shown while it is spoken', () => {
    assert.deepEqual(planned(styled('lines')).rows, [
      ['I extraordinarily like it here.', 1, 4],
      ['Really.', 5, 5.833],
    ]);
  });

  test('a sentence for several screens changes them between spoken words', () => {
    const words = Array.from({ length: 12 }, (_, n) => ({
      text: n % 2 === 0 ? 'a' : 'considerably',
      startSeconds: n * 0.5,
      endSeconds: n * 0.5 + 0.4,
    }));
    const tall = {
      ...styled('lines'),
      subtitle_style: { ...styled('lines').subtitle_style!, line_height: 0.2 },
    };
    const { rows } = planned(tall, { words });
    assert.ok(rows.length > 1);
    for (const [text, start] of rows) {
      const first = rows
        .slice(
          0,
          rows.findIndex((row) => row[0] === text && row[1] === start),
        )
        .map(([one]) => one);
      const index = first.join(' ').split(' ').filter(Boolean).length;
      assert.equal(start, words[index].startSeconds);
    }
  });

  const { subtitle_style: _, ...withoutCaptions } = styled('words', { use_subtitles: false });
  for (const [what, style, config] of [
    ['without a style', null, {}],
    ['in a style without captions', withoutCaptions, {}],
    ['where its captions are not followed', styled('words'), { components: { subtitles: false } }],
  ] as const) {
    test(`${what} they are shown plain`, () => {
      const { rows, codes, look } = planned(style, { config });
      assert.equal(rows.length, 2);
      assert.deepEqual(codes, []);
      assert.deepEqual(
        [look!.timing, look!.position, look!.color, look!.ground],
        ['lines', 'bottom', '#ffffff', 'outline'],
      );
    });
  }

  test('none: a warning', () => {
    assert.deepEqual(planned(styled('words'), { words: [] }), {
      rows: [],
      codes: ['NO_SPEECH_FOUND'],
      look: undefined,
    });
  });

  for (const [omitted, reasons] of [
    [{ looped: 18, afterEnd: 0 }, /^18 words .* left out: 18 repeat a phrase ten times or more in a row\. /],
    [{ looped: 0, afterEnd: 3 }, /^3 words .* left out: 3 begin after the end of the sound\. /],
    [{ looped: 18, afterEnd: 3 }, /^21 words .*: 18 repeat .* in a row, 3 begin after/],
  ] as const)
    test(`that were left out are reported: ${JSON.stringify(omitted)}`, () => {
      const { codes, message } = planned(styled('words'), { omitted });
      assert.deepEqual(codes, ['SPEECH_WORDS_LEFT_OUT']);
      assert.match(message!, reasons);
      const none = planned(styled('words'), { omitted, words: [] });
      assert.deepEqual(none.codes, ['SPEECH_WORDS_LEFT_OUT', 'NO_SPEECH_FOUND']);
    });

  test('are not shown over captions in the picture', () => {
    const facts = clipFacts();
    const style = { position: 'bottom', lineHeight: 0.05, color: '#ffffff', outlined: true } as const;
    const source = { ...facts, video: { ...facts.video, captions: { ...facts.video.captions, style } } };
    assert.deepEqual(planned(styled('words'), { source }), {
      rows: [],
      codes: ['CAPTIONS_IN_PICTURE'],
      look: undefined,
    });
  });

  test('that are cut out of the source are not shown', () => {
    const runs = [
      { startSeconds: 0, endSeconds: 2.2, outputSeconds: 0 },
      { startSeconds: 3.4, endSeconds: 8, outputSeconds: 2.2 },
    ];
    const shown = toOutputTime(captionsOfWords(WORDS), runs).map(({ text, startSeconds, words }) => [
      text,
      Number(startSeconds.toFixed(3)),
      words!.map((word) => Number(word.startSeconds.toFixed(3))),
    ]);
    assert.deepEqual(shown, [
      ['I', 1, [1]],
      ['it here.', 2.2, [2.3, 2.35]],
      ['Really.', 3.8, [3.8]],
    ]);
  });
});

test('a caption file precedes speech, and speech replaces the text track', () => {
  const config = jobConfigSchema.parse({ captions: 'transcribe' });
  assert.deepEqual(
    (['file', 'speech', 'track'] as const).filter((origin) => wantsCaptions(null, config, origin)),
    ['file', 'speech'],
  );
  assert.equal(wantsCaptions(styled('words'), jobConfigSchema.parse({}), 'speech'), false);
});
