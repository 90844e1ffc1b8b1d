/** The report's list of what a talk leaves out: times of source and output, reason and certainty. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { partsOfSource, partsOfTakes, talkPartsCard } from '../../src/report/talk-parts.ts';
import { takesReport } from '../support/takes-report.ts';

const removal = {
  start_seconds: 2,
  end_seconds: 2.5,
  at_seconds: 2,
  reason: 'pause',
  certainty: 0.93,
} as const;
const TALK = {
  removed_seconds: 4,
  median_pause_seconds: null,
  removals: [
    removal,
    { start_seconds: 61, end_seconds: 64.5, at_seconds: 60.5, reason: 'retake', certainty: 0.9 },
  ] as const,
  proposals: [{ ...removal, start_seconds: 70, end_seconds: 72, at_seconds: 66, reason: 'retake' } as const],
};

/** Texts of the cells of each row, headings included. */
function rows(page: string): string[][] {
  return [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell!.replace(/<[^>]*>/g, '')),
  );
}

describe('parts of a talk in the report', () => {
  test('of one source: each removal and each proposal, as the summary has it', () => {
    const page = talkPartsCard(partsOfSource({ talk: { ...TALK, removals: [...TALK.removals] } }))!.text;
    const heads = ['From', 'To', 'Length', 'In the output', 'Reason', 'Certainty'];
    assert.deepEqual(rows(page), [
      heads,
      ['0:02.00', '0:02.50', '500 ms', '0:02.00', 'Pause', '93 %'],
      ['1:01.00', '1:04.50', '3.50 s', '1:00.50', 'Said again right after', '90 %'],
      heads,
      ['1:10.00', '1:12.00', '2.00 s', '1:06.00', 'Said again right after', '93 %'],
    ]);
    assert.match(page, /<caption>Left out: 4\.00 s</);
    assert.match(page, /<button type="button" class="moment" data-seconds="60.5">/);
  });

  test('of several takes: those that speak, with their names; a take of which nothing is shown has no time', async () => {
    const { edit } = await takesReport();
    const [talk, photo, other] = edit.takes;
    const takes = [
      {
        ...talk!,
        role: 'talk' as const,
        passed_over: [
          {
            range: [1, 2] as [number, number],
            reason: 'filler word',
            reason_code: { code: 'filler' as const, values: { certainty: 0.8, at_seconds: 1 } },
          },
          { range: [3, 4] as [number, number], reason: 'excluded' },
        ],
      },
      { ...photo!, role: 'b_roll' as const },
      { ...other!, role: 'b_roll' as const },
    ];
    const parts = partsOfTakes({ ...edit, takes }, (id) => `<${id}>`);
    assert.deepEqual(rows(talkPartsCard(parts)!.text).slice(1), [
      ['&lt;a&gt;', '0:01.00', '0:02.00', '1.00 s', '0:01.00', 'Filler word', '80 %'],
      ['&lt;a&gt;', '0:03.00', '0:04.00', '1.00 s', 'not shown', 'Excluded', 'not measured'],
    ]);
  });

  test('without a talk there is no list', async () => {
    assert.equal(talkPartsCard(partsOfSource({})), null);
    const { edit } = await takesReport();
    assert.equal(talkPartsCard(partsOfTakes(edit, String)), null);
  });
});
