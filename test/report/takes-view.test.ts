/** The report of an edit: slots, takes and song, and its page. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { takesPage } from '../../src/report/takes-page.ts';
import { type TakesReportInput, type TakesView, takesView } from '../../src/report/takes-view.ts';
import { takesReport } from '../support/takes-report.ts';

let input: TakesReportInput;
let view: TakesView;
before(async () => {
  input = await takesReport();
  view = takesView(input);
});

describe('the view of an edit', () => {
  test('its headline counts shots, takes that are shown, and beats', () => {
    assert.equal(view.headline, '3 shots of 2 takes in 4.00 s, 2 on the beat');
    assert.deepEqual(
      view.facts.find(({ label }) => label === 'Changes'),
      { label: 'Changes', value: '1 cut, 1 gradual' },
    );
  });

  test('each slot has its take, its moment, and the shot of the template that it follows', () => {
    assert.deepEqual(
      view.slots.map(({ number, takeName, moment, templateShot, isPinned }) => ({
        ...{ number, takeName, moment, templateShot, isPinned },
      })),
      [
        {
          number: 0,
          takeName: 'day <1>.mp4',
          moment: '0:02.00 to 0:03.00',
          templateShot: 1,
          isPinned: false,
        },
        { number: 1, takeName: 'beach.jpg', moment: 'photo', templateShot: 2, isPinned: true },
        {
          number: 2,
          takeName: 'day <1>.mp4',
          moment: '0:06.00 to 0:07.50',
          templateShot: 3,
          isPinned: false,
        },
      ],
    );
    assert.deepEqual(view.slots[1]!.alternatives, ['day <1>.mp4, 0:05.00 to 0:06.50']);
  });

  test('transitions are those of the output, around the start of their slot', () => {
    const [cut, dissolve] = view.time.transitions;
    assert.deepEqual([cut!.type, cut!.endSeconds, cut!.beat], ['cut', 1, null]);
    assert.deepEqual(
      [dissolve!.text, dissolve!.startSeconds, dissolve!.endSeconds],
      ['dissolve 400 ms', 2.3, 2.7],
    );
  });

  test('beats and sections of the song are in the time of the output', () => {
    assert.deepEqual(
      view.time.beats.map(({ timeSeconds }) => timeSeconds),
      [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4],
    );
    assert.deepEqual(view.song!.sections, [
      { startSeconds: 0, endSeconds: 2, energy: 0.4 },
      { startSeconds: 2, endSeconds: 4, energy: 1 },
    ]);
  });

  test('a take lists its used and unused parts, the longest reason first', () => {
    const [video, photo, unused] = view.takes;
    assert.equal(video!.used, '2.50 s in 2 slots: 0, 2');
    assert.equal(video!.passedOver, 'usable, but no shot needs it 3.00 s, blurred 2.50 s');
    assert.deepEqual(
      video!.spans.map(({ kind, startSeconds }) => [kind, startSeconds]),
      [
        ['refused', 0],
        ['used', 2],
        ['free', 3],
        ['used', 6],
        ['refused', 9],
      ],
    );
    assert.deepEqual([photo!.durationSeconds, photo!.passedOver], [null, null]);
    assert.deepEqual([unused!.used, unused!.passedOver], ['not used', 'excluded 5.00 s']);
  });

  test('without song, template and pictures it has the rest', () => {
    const bare = takesView({
      ...input,
      ...{ song: null, template: null },
      output: { ...input.output, stills: [], envelope: null },
    });
    assert.deepEqual([bare.song, bare.time.beats, bare.time.wave], [null, [], null]);
    assert.match(takesPage(bare, []), /no picture/);
  });
});

test('the page escapes names, loads nothing from elsewhere, and stores each picture once', () => {
  const page = takesPage(view, input.template!.shots);
  assert.ok(page.includes('day &lt;1&gt;.mp4') && !page.includes('day <1>.mp4'));
  assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//);
  for (const id of ['edit-still-0', 'edit-still-2', 'template-still-3'])
    assert.equal(page.split(`id="${id}"`).length, 2, id);
});
