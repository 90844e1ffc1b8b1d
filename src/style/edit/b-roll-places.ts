/** Where pictures of other takes hide the cuts of a talk. */

/** The frames of the output in which one take speaks, and the cuts between its parts. */
export interface TalkSection {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Cuts at which the picture jumps, ascending. `hiddenSeconds`: omitted time. */
  readonly cuts: readonly { readonly frame: number; readonly hiddenSeconds: number }[];
}

export interface BRollPlace {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Omitted time of the cuts that it hides. */
  readonly hiddenSeconds: number;
  /** Number of its length among the wanted ones. */
  readonly length: number;
}

/** A shorter picture is not understood. */
export const MIN_B_ROLL_SECONDS = 1.2;
/** A longer one is watched for itself. */
const MAX_B_ROLL_SECONDS = 5;
/** A viewer sees who speaks before the first picture. */
const OPENING_SECONDS = 2;
/** Of each take: the face that begins to speak is seen. */
const TAKE_START_SECONDS = 1;
/** The talk ends on the speaker. */
const ENDING_SECONDS = 1;
/** Between two pictures the speaker is seen at least so long. */
const SPEAKER_SECONDS = 1.5;
/** Between a cut and the edge of a picture: a shorter view of the speaker is a flash. */
const SLIVER_SECONDS = 0.4;
/** Of the time that has passed, at most: the speaker is seen for the other half. */
const MAX_SHARE = 0.5;
/** Share of a picture before the cut that it hides; 0: it begins with the cut. */
const LEADS = [1 / 3, 0.5, 0.15, 0, 2 / 3];

/**
 * Ascending places, evenly over the talk.
 *
 * @param lengths Wanted lengths in seconds, at least one, used in turn.
 */
export function bRollPlaces(
  sections: readonly TalkSection[],
  lengths: readonly number[],
  frameRate: number,
): BRollPlace[] {
  const frames = (seconds: number) => Math.round(seconds * frameRate);
  const wanted = lengths.map((seconds) =>
    Math.max(MIN_B_ROLL_SECONDS, Math.min(MAX_B_ROLL_SECONDS, seconds)),
  );
  const places: BRollPlace[] = [];
  let covered = 0;
  for (const [index, section] of sections.entries()) {
    const first = section.startFrame + frames(index === 0 ? OPENING_SECONDS : TAKE_START_SECONDS);
    const last = section.endFrame - (index === sections.length - 1 ? frames(ENDING_SECONDS) : 0);
    for (const { frame } of section.cuts) {
      const before = places.at(-1);
      if (before !== undefined && frame <= before.endFrame) continue;
      const from = Math.max(first, before === undefined ? 0 : before.endFrame + frames(SPEAKER_SECONDS));
      const isAllowed = ({ startFrame, endFrame }: Over) =>
        startFrame >= from &&
        endFrame <= last &&
        covered + endFrame - startFrame <= MAX_SHARE * endFrame &&
        !leavesSliver(section, startFrame, endFrame, frames(SLIVER_SECONDS));
      const length = places.length % wanted.length;
      const best = [wanted[length]!, MIN_B_ROLL_SECONDS]
        .flatMap((seconds) => LEADS.map((lead) => placeOver(section, frame, frames(seconds), lead)))
        .filter(isAllowed)
        .reduce<Over | null>(better, null);
      if (best === null) continue;
      places.push({ ...best, length });
      covered += best.endFrame - best.startFrame;
    }
  }
  return places;
}

type Over = Omit<BRollPlace, 'length'>;

function placeOver({ cuts }: TalkSection, cut: number, length: number, lead: number): Over {
  const startFrame = cut - Math.round(lead * length);
  const endFrame = startFrame + length;
  const hidden = cuts.filter(({ frame }) => frame >= startFrame && frame < endFrame);
  const hiddenSeconds = hidden.reduce((sum, one) => sum + one.hiddenSeconds, 0);
  return { startFrame, endFrame, hiddenSeconds };
}

/** Of equal places the first. */
function better(one: Over | null, other: Over): Over {
  return one === null || other.hiddenSeconds > one.hiddenSeconds + 1e-9 ? other : one;
}

/** Whether the speaker is seen for a moment only, between a cut and an edge of the picture. */
function leavesSliver(
  { startFrame, endFrame, cuts }: TalkSection,
  from: number,
  to: number,
  least: number,
): boolean {
  const edges = [startFrame, ...cuts.map(({ frame }) => frame), endFrame];
  return edges.some((frame) => (frame < from && from - frame < least) || (frame > to && frame - to < least));
}
