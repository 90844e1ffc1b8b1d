import { type FramingScore, HELD, NEARLY_HELD } from './score.ts';

export interface FramingTotals {
  readonly shots: number;
  /** Share of the time in which a crop could hold the marked box … */
  readonly couldHold: number;
  /** … and of that time, in which the crop does. */
  readonly cropHolds: number;
  /** The same, including near misses that a person would accept. */
  readonly cropNearlyHolds: number;
  /** The same of a crop in the middle. */
  readonly centreHolds: number;
  readonly centreNearlyHolds: number;
  /** Mean share of the box inside the crop, of that time. */
  readonly cropShare: number;
  /** Share of all time in which the output contains the box, cropped or padded. */
  readonly drawnHolds: number;
  /** Shots that request padding although a crop could contain all boxes. */
  readonly asking: number;
  readonly askingInVain: number;
  /** Shots that do not request padding although no crop can contain a box. */
  readonly notAsking: number;
  /** Clips drawn padded, and of these those in which no more than a third of the time needs it. */
  readonly padded: number;
  readonly paddedInVain: number;
}

export function totalsOf(scores: readonly FramingScore[]): FramingTotals {
  const moments = scores.flatMap((score) => score.moments);
  const shots = scores.flatMap((score) => score.shots);
  const fitting = moments.filter(({ fits }) => fits);
  const asking = shots.filter(({ asksForPadding }) => asksForPadding);
  const shareWhere = (isHeld: (moment: FramingScore['moments'][number]) => boolean) =>
    timeOf(fitting.filter(isHeld)) / timeOf(fitting);
  const padded = scores.filter(({ fit }) => fit === 'pad');
  return {
    shots: shots.length,
    couldHold: timeOf(fitting) / timeOf(moments),
    cropHolds: shareWhere(({ heldCropped }) => heldCropped >= HELD),
    cropNearlyHolds: shareWhere(({ heldCropped }) => heldCropped >= NEARLY_HELD),
    centreHolds: shareWhere(({ heldCentred }) => heldCentred >= HELD),
    centreNearlyHolds: shareWhere(({ heldCentred }) => heldCentred >= NEARLY_HELD),
    cropShare:
      fitting.reduce((sum, { weight, heldCropped }) => sum + weight * heldCropped, 0) / timeOf(fitting),
    drawnHolds: timeOf(moments.filter(({ held }) => held >= HELD)) / timeOf(moments),
    asking: asking.length,
    askingInVain: asking.filter(({ fits }) => fits).length,
    notAsking: shots.filter(({ fits, asksForPadding }) => !fits && !asksForPadding).length,
    padded: padded.length,
    paddedInVain: padded.filter((score) => !needsPadding(score)).length,
  };
}

/** As decision 0038 has it: where a crop cannot hold the boxes in more than a third of the time. */
function needsPadding({ shots }: FramingScore): boolean {
  const seconds = (of: FramingScore['shots']) => of.reduce((sum, shot) => sum + shot.seconds, 0);
  return seconds(shots.filter(({ fits }) => !fits)) > seconds(shots) / 3;
}

function timeOf(moments: FramingScore['moments']): number {
  return moments.reduce((sum, { weight }) => sum + weight, 0);
}
