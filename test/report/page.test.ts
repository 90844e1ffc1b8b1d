import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { ClipFacts, Transition } from '../../src/analysis/facts.ts';
import type { Still } from '../../src/domain/footage.ts';
import { reportPage } from '../../src/report/page.ts';
import { type ReportInput, reportView } from '../../src/report/report.ts';
import { planStills } from '../../src/report/still-plan.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { clipFacts, cutAt, pulse } from '../support/clip-facts.ts';

const CREATED = new Date('2026-01-02T03:04:05Z');

const DISSOLVE: Transition = {
  type: 'dissolve',
  startFrame: 500,
  endFrame: 520,
  startSeconds: 20,
  endSeconds: 20.8,
  easing: 'ease_in',
  confidence: 0.61,
};

function inputOf(facts: ClipFacts, parts: Partial<ReportInput> = {}): ReportInput {
  const plan = planStills(facts.video.shots).stills;
  const still = ({ timeSeconds }: { timeSeconds: number }): Still => ({
    timeSeconds,
    width: 64,
    height: 36,
    jpeg: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]),
  });
  return {
    name: 'clip.mp4',
    clip: facts,
    audio: facts.audio,
    style: extractStyle(facts, { createdAt: CREATED, fingerprint: null }),
    format: {
      container: 'mov',
      videoCodec: 'h264',
      audio: facts.audio && { codec: 'aac', sampleRate: 48_000, channels: 2 },
    },
    plan,
    stills: plan.map(still),
    envelope: facts.audio && { durationSeconds: 40, min: [-0.5, -1], max: [0.5, 1], rms: [0.2, 0.4] },
    createdAt: CREATED,
    ...parts,
  };
}

const pageOf = (facts: ClipFacts, parts: Partial<ReportInput> = {}) =>
  reportPage(reportView(inputOf(facts, parts)));

const FULL = clipFacts({
  video: {
    transitions: [cutAt(10), DISSOLVE, cutAt(30.3)],
    captions: {
      share: 0.3,
      spans: [{ startSeconds: 2, endSeconds: 14, box: { x: 0.2, y: 0.8, width: 0.6, height: 0.1 } }],
      style: { position: 'bottom', lineHeight: 0.05, color: '#ffffff', outlined: true },
      confidence: 0.8,
    },
  },
  audio: {
    ...pulse(120, 40),
    speech: { share: 0.2, spans: [{ startSeconds: 1, endSeconds: 9 }], confidence: 0.7 },
  },
  motion: { punchIns: [{ timeSeconds: 10, logScale: 0.2 }] },
});
const BLACK_AND_SILENT = clipFacts({
  video: { color: { ...clipFacts().video.color, confidence: 0 } },
  audio: {
    loudness: { integratedLufs: null, rangeLu: null, truePeakDbtp: null, shortTermLufs: [null, null] },
    spectrum: { centresHz: [], levelsDb: [], quietDb: [] },
  },
  motion: { confidence: 0 },
});
const PAGES = {
  'a clip with everything': pageOf(FULL),
  'a clip without sound': pageOf(clipFacts({ audio: null })),
  'black and silent': pageOf(BLACK_AND_SILENT),
  'sound alone': pageOf(FULL, { clip: null, style: {}, plan: [], stills: [] }),
  'pictures that are missing': pageOf(FULL, { stills: [] }),
  'a still': pageOf(clipFacts({ video: { durationSeconds: 0 }, audio: null })),
};

const VOID = new Set(['meta', 'br', 'hr', 'img', 'input', 'link']);

const withoutCode = (page: string) => page.replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, '');

/** What matches, with a little around it: a whole page would bury the message. */
const excerpt = (text: string, pattern: RegExp) => {
  const found = pattern.exec(text);
  return found && text.slice(Math.max(0, found.index - 60), found.index + 60);
};

/** Opening and closing tags that do not belong together. */
function misplacedTags(page: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, close, name, rest] of withoutCode(page).matchAll(
    /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^">])*)>/g,
  )) {
    if (close === '/') {
      const expected = open.pop();
      if (expected !== name) wrong.push(`</${name}> for <${expected}>`);
    } else if (!VOID.has(name!) && !rest!.endsWith('/')) open.push(name!);
  }
  return [...wrong, ...open];
}

describe('a report of', () => {
  for (const [what, page] of Object.entries(PAGES)) {
    test(`${what} is whole HTML with finite numbers and known colors`, () => {
      assert.deepEqual(misplacedTags(page), []);
      const visible = withoutCode(page);
      assert.equal(excerpt(visible, /\bNaN\b|Infinity|undefined|\bnull\b|\[object/), null);
      const ids = [...visible.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, 'ids are unique');
      for (const [, id] of visible.matchAll(
        /(?:href|aria-labelledby)="#?((?:clip|template|source)-still-\d+)"/g,
      )) {
        assert.ok(ids.includes(id), `${id} is there`);
      }
    });

    test(`${what} reaches for nothing and runs only its own script`, () => {
      const foreign = page.replaceAll('http://www.w3.org/2000/svg', '');
      assert.equal(excerpt(foreign, /https?:|\/\/[a-z]+\.|@import|url\((?!#)/), null);
      const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)![1];
      assert.ok(policy.startsWith('default-src &#39;none&#39;; img-src data:;'));
      for (const [tag, element] of [
        ['style', /<style>([\s\S]*?)<\/style>/g],
        ['script', /<script>([\s\S]*?)<\/script>/g],
      ] as const) {
        const found = [...page.matchAll(element)];
        assert.equal(found.length, 1, `one ${tag}`);
        const hash = createHash('sha256').update(found[0][1]).digest('base64');
        assert.ok(policy.includes(`${tag}-src &#39;sha256-${hash}&#39;`), `${tag} is the one allowed`);
      }
      assert.equal(
        excerpt(withoutCode(page), /<[^>]+\s(?:style|on[a-z]+)=/),
        null,
        'forbidden by the policy',
      );
    });
  }
});

describe('names cannot become markup', () => {
  for (const name of [
    '"><script>alert(1)</script>.mp4',
    '</title><img src=x onerror=alert(1)>',
    "'; alert(1); '",
    '</script><script>alert(1)</script>',
    '</style><svg onload=alert(1)>',
    '&lt;script&gt;.mp4',
  ]) {
    test(JSON.stringify(name), () => {
      const page = pageOf(FULL, { name, format: { container: name, videoCodec: name, audio: null } });
      const plain = PAGES['a clip with everything'];
      const tags = (text: string) => [...text.matchAll(/<\/?(script|style|img|title|svg)\b/gi)].length;
      assert.equal(tags(page), tags(plain));
      assert.deepEqual(misplacedTags(page), []);
    });
  }
});

describe('content of a report', () => {
  const page = PAGES['a clip with everything'];

  for (const [what, says] of [
    [
      'the cut where it lies',
      /<g><title>Cut at 0:10.00, confidence 100 %, on the beat<\/title><line class="cut" x1="25%"/,
    ],
    ['a cut off the beat', /Cut at 0:30.32, confidence 100 %<\/title>/],
    [
      'the dissolve with its length, easing and confidence',
      /dissolve 800 ms, ease in, 0:20.00 to 0:20.80, confidence 61 %/,
    ],
    ['beats', /Beat at 0:10.00, confidence 90 %/],
    ['the speech', /Speech 0:01.00 to 0:09.00/],
    ['the caption', /<rect class="kind-captions" x="5%" width="30%"/],
    ['the punch-in', /Punch-in at 0:10.00: ×1.22/],
    ['the tempo', /<b>120.0<\/b> BPM/],
    ['the format of the file, not of the analysis', /aac, stereo, 48 kHz/],
    ['the style as JSON', /&quot;tempo_bpm&quot;: 120/],
    ['one picture for each shot at least', /id="clip-still-3"/],
  ] as const) {
    test(what, () => assert.ok(says.test(page), String(says)));
  }

  test('missing findings are not shown as 0', () => {
    const view = reportView(inputOf(BLACK_AND_SILENT));
    assert.deepEqual([view.color, view.camera], [null, null]);
    assert.deepEqual(
      view.headlines.map(({ label, value }) => [label, value]),
      [
        ['Rhythm', 'One shot'],
        ['Sound', 'Silence'],
      ],
    );
    for (const { label, value } of view.audio!.readings) assert.equal(value, null, label);
    assert.ok(view.notes.includes('Not found: camera motion and captions.'), view.notes.join('\n'));
    assert.ok(view.notes.includes('The sound is silence.'));
  });

  test('transitions have the names of the sentence', () => {
    const transitions = [cutAt(10), { ...DISSOLVE, type: 'circle' as const }];
    const view = reportView(inputOf(clipFacts({ video: { transitions } })));
    assert.match(view.headlines.find(({ label }) => label === 'Rhythm')!.note!, /50 % cuts, 50 % irises$/);
    assert.deepEqual(
      view.rhythm!.mix.map(({ name }) => name),
      ['Cut', 'Iris'],
    );
    assert.equal(view.time.transitions[1]!.text, 'iris 800 ms');
  });

  test('cuts on the off-beat are named so', () => {
    const cuts = [5.25, 10.75, 15.25, 30.25].map((seconds) => cutAt(seconds, 100));
    const facts = clipFacts({ video: { transitions: cuts }, audio: pulse(120, 40) });
    const { transitions } = reportView(inputOf(facts)).time;
    assert.deepEqual(
      transitions.map(({ beat }) => beat),
      ['off-beat', 'off-beat', 'off-beat', 'off-beat'],
    );
  });
});
