/** Where pictures of other takes hide the cuts of a talk. */

/** The frames of the output in which one take speaks, and the cuts between its parts. */
export interface TalkSection {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Cuts at which the picture jumps, ascending. `hiddenSeconds`: omitted time. */
  readonly cuts: readonly { readonly frame: number; readonly hiddenSeconds: number }[];
  /** First frames of phrases after any omission, ascending. */
  readonly phrases: readonly number[];
}

export interface BRollManner {
  /** Lengths in seconds, at least one, used in turn. */
  readonly lengths: readonly number[];
  /** Share of the talk under pictures, 0..1; null: not known, so that pictures only hide cuts. */
  readonly share: number | null;
}

export interface BRollPlace {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Omitted time of the cuts that it hides; 0: none. */
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
/** Most pictures without the speaker between them. */
const MAX_RUN = 4;

/** At most `most` ascending places, evenly over the talk: with a known share they have it, else they hide cuts. */
export function bRollPlaces(
  sections: readonly TalkSection[],
  manner: BRollManner,
  most: number,
  frameRate: number,
): BRollPlace[] {
  const { share } = manner;
  const lengths = manner.lengths.map((seconds) =>
    Math.round(Math.max(MIN_B_ROLL_SECONDS, Math.min(MAX_B_ROLL_SECONDS, seconds)) * frameRate),
  );
  if (share !== null) return sharedPlaces(sections, { lengths, share }, most, frameRate);
  return spread(hidingPlaces(sections, lengths, frameRate), most);
}

/** The heaviest of each of `most` groups of neighbors. */
function spread(places: readonly BRollPlace[], most: number): BRollPlace[] {
  const groups = Math.min(most, places.length);
  return Array.from({ length: groups }, (_, at) =>
    places
      .slice(Math.round((at * places.length) / groups), Math.round(((at + 1) * places.length) / groups))
      .reduce((best, other) => (other.hiddenSeconds > best.hiddenSeconds + 1e-9 ? other : best)),
  );
}

interface Limits {
  /** Frames of a section in which pictures may lie. */
  readonly first: number;
  readonly last: number;
}

function limitsOf(
  { startFrame, endFrame }: TalkSection,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  frameRate: number,
): Limits {
  const before = isFirst ? OPENING_SECONDS : TAKE_START_SECONDS;
  return {
    first: startFrame + Math.round(before * frameRate),
    last: endFrame - (isLast ? Math.round(ENDING_SECONDS * frameRate) : 0),
  };
}

/**
 * Places whose time up to each moment is near the share of that time. Each is moved by at most half of the time between two, to hide a cut or
 * to begin with a phrase. Lengths in frames.
 */
function sharedPlaces(
  sections: readonly TalkSection[],
  { lengths, share }: { readonly lengths: readonly number[]; readonly share: number },
  most: number,
  frameRate: number,
): BRollPlace[] {
  const frames = (seconds: number) => Math.round(seconds * frameRate);
  const total = sections.at(-1)!.endFrame;
  const lengthOf = (number: number) => lengths[number % lengths.length]!;
  const sumOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => lengthOf(from + at)).reduce((sum, one) => sum + one, 0);
  const reached = Math.min(share, sumOf(0, most) / total);
  const speaker = (sumOf(0, lengths.length) / lengths.length) * (1 / reached - 1);
  const run = Math.min(MAX_RUN, Math.max(1, Math.ceil(frames(SPEAKER_SECONDS) / Math.max(1, speaker))));
  const places: BRollPlace[] = [];
  let covered = 0;
  for (const [index, section] of sections.entries()) {
    const ends = { isFirst: index === 0, isLast: index === sections.length - 1 };
    const { first, last } = limitsOf(section, ends, frameRate);
    while (places.length < most) {
      const count = Math.min(run, most - places.length);
      const length = sumOf(places.length, count);
      const from = Math.max(first, (places.at(-1)?.endFrame ?? 0) + frames(SPEAKER_SECONDS));
      const due = Math.round((covered + length / 2) / reached - length / 2);
      const reach = Math.round((length / reached - length) / 2);
      const window = {
        from: Math.max(from, due - reach),
        to: Math.min(last - length, Math.max(due, from) + reach),
      };
      const startFrame = startNear(section, window, { due, length, frameRate });
      if (startFrame === null) break;
      let at = startFrame;
      for (let one = 0; one < count; one++) {
        const number = places.length;
        const endFrame = at + lengthOf(number);
        const hiddenSeconds = hiddenBy(section, at, endFrame);
        places.push({ startFrame: at, endFrame, hiddenSeconds, length: number % lengths.length });
        at = endFrame;
      }
      covered += length;
    }
  }
  return places;
}

/** The first frame, within a window, that hides the longest omissions, else begins with a phrase, else is nearest to `due`. Null: there is none. */
function startNear(
  section: TalkSection,
  { from, to }: { readonly from: number; readonly to: number },
  wanted: { readonly due: number; readonly length: number; readonly frameRate: number },
): number | null {
  const { due, length, frameRate } = wanted;
  const sliver = Math.round(SLIVER_SECONDS * frameRate);
  const nearest = Math.max(from, Math.min(to, due));
  const ofCuts = section.cuts.flatMap(({ frame }) => LEADS.map((lead) => frame - Math.round(lead * length)));
  // A start that leaves a moment of the speaker beside a cut can be moved by as much.
  const near = [0, sliver, -sliver, 2 * sliver, -2 * sliver].map((moved) => nearest + moved);
  const starts = [...near, ...section.phrases, ...ofCuts].filter(
    (start) => start >= from && start <= to && !leavesSliver(section, start, start + length, sliver),
  );
  const phrases = new Set(section.phrases);
  const worth = (start: number) =>
    1000 * hiddenBy(section, start, start + length) + (phrases.has(start) ? 1 : 0);
  const isBetter = (start: number, other: number) =>
    worth(start) === worth(other)
      ? Math.abs(start - due) < Math.abs(other - due)
      : worth(start) > worth(other);
  return starts.reduce<number | null>(
    (best, start) => (best === null || isBetter(start, best) ? start : best),
    null,
  );
}

/** Places that hide cuts. Lengths in frames. */
function hidingPlaces(
  sections: readonly TalkSection[],
  wanted: readonly number[],
  frameRate: number,
): BRollPlace[] {
  const frames = (seconds: number) => Math.round(seconds * frameRate);
  const places: BRollPlace[] = [];
  let covered = 0;
  for (const [index, section] of sections.entries()) {
    const ends = { isFirst: index === 0, isLast: index === sections.length - 1 };
    const { first, last } = limitsOf(section, ends, frameRate);
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
      const best = [wanted[length]!, frames(MIN_B_ROLL_SECONDS)]
        .flatMap((one) => LEADS.map((lead) => placeOver(section, frame, one, lead)))
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

function placeOver(section: TalkSection, cut: number, length: number, lead: number): Over {
  const startFrame = cut - Math.round(lead * length);
  const endFrame = startFrame + length;
  return { startFrame, endFrame, hiddenSeconds: hiddenBy(section, startFrame, endFrame) };
}

function hiddenBy({ cuts }: TalkSection, startFrame: number, endFrame: number): number {
  return cuts.reduce(
    (sum, { frame, hiddenSeconds }) => sum + (frame >= startFrame && frame < endFrame ? hiddenSeconds : 0),
    0,
  );
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
