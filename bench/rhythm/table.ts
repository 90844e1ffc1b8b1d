import type { Pair } from '../fidelity/pairs.ts';
import { nameOf } from '../fidelity/tables.ts';
import { table } from '../lib/report.ts';
import type { PaceResult } from './measure.ts';

/** Pair by pair, in changes a minute, then in changes. */
export function paceTable(results: readonly { readonly pair: Pair; readonly pace: PaceResult }[]): string {
  const head = [
    'source → template',
    'template/min',
    'planned/min',
    'ours sees',
    'scdet sees',
    'at half',
    'wanted',
    'own',
    'planned',
    'lost: speech',
    'beats',
    'room',
    'made',
    'seen by ours',
    'by scdet',
    'at half',
    'on beat',
    'in speech',
    'in a beginning',
    'chance',
  ];
  const cell = (value: number | null) => (value === null ? '' : String(value));
  const rows = results.map(({ pair, pace }) => {
    const minute = (count: number | null) => (count === null ? '' : (count / pace.minutes).toFixed(0));
    const { planned, near, locked } = pace.onBeat;
    return [
      nameOf(pair),
      pace.templatePerMinute.toFixed(0),
      minute(pace.planned),
      minute(pace.found.ours),
      minute(pace.found.scdet),
      minute(pace.found.scdetHalf),
      ...[pace.wanted, pace.own, pace.planned].map(String),
      ...[pace.lost.speech, pace.lost.beats, pace.lost.room].map(String),
      ...[pace.made.count, pace.made.ours, pace.made.scdet, pace.made.scdetHalf].map(cell),
      planned === 0 ? '' : `${near} of ${planned}${locked ? ', locked' : ''}`,
      String(pace.speech.cuts),
      cell(pace.speech.inBeginnings),
      pace.speech.chance === null ? '' : pace.speech.chance.toFixed(2),
    ];
  });
  const sum = (of: (pace: PaceResult) => number) => results.reduce((all, { pace }) => all + of(pace), 0);
  const totals = [
    'sum',
    ...['', '', '', '', ''],
    ...[
      sum(({ wanted }) => wanted),
      sum(({ own }) => own),
      sum(({ planned }) => planned),
      sum(({ lost }) => lost.speech),
      sum(({ lost }) => lost.beats),
      sum(({ lost }) => lost.room),
      sum(({ made }) => made.count),
      sum(({ made }) => made.ours),
      sum(({ made }) => made.scdet ?? 0),
      sum(({ made }) => made.scdetHalf ?? 0),
    ].map(String),
    `${sum(({ onBeat }) => onBeat.near)} of ${sum(({ onBeat }) => onBeat.planned)}`,
    String(sum(({ speech }) => speech.cuts)),
    String(sum(({ speech }) => speech.inBeginnings ?? 0)),
    '',
  ];
  return table(head, [...rows, totals]);
}
