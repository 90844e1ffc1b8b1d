import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { escapeText, markup, scriptJson } from '../../src/report/markup.ts';

describe('markup', () => {
  for (const [text, expected] of [
    ['plain text', 'plain text'],
    ['a & b', 'a &amp; b'],
    ['<script>', '&lt;script&gt;'],
    ['"x" \'y\'', '&quot;x&quot; &#39;y&#39;'],
    ['&amp;', '&amp;amp;'],
    ['\u0000a\u0007b\u0085', '\ufffda\ufffdb\ufffd'],
    ['exe.\u202egpj', 'exe.\ufffdgpj'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['Ünïcödé 映画 🎬', 'Ünïcödé 映画 🎬'],
  ] as const) {
    test(`escapes ${JSON.stringify(text)}`, () => {
      assert.equal(escapeText(text), expected);
      assert.equal(markup`<p title="${text}">${[text]}</p>`.text, `<p title="${expected}">${expected}</p>`);
    });
  }

  test('keeps markup, leaves out missing values', () => {
    const inner = markup`<b>${1.5}</b>`;
    assert.equal(markup`${[inner, [inner]]}${null}${undefined}${false}|${0}`.text, '<b>1.5</b><b>1.5</b>|0');
  });

  test('JSON in a script never ends it', () => {
    const value = { name: '</script><script>alert(1)</script><!--' };
    const { text } = scriptJson(value);
    assert.ok(!text.includes('<'));
    assert.deepEqual(JSON.parse(text), value);
  });
});
