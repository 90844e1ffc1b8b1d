/** How near the rhythm of an edit comes to its template's. */

/** Precision of editors' cuts and of beat trackers, as in `src/style/extract/edit.ts`. */
const ON_BEAT_SECONDS = 0.06;
/** Factors between a template's beats and a song's that an edit may choose. */
const SCALES = [0.5, 1, 2];

export interface Pulse {
  readonly beatSeconds: number;
  readonly firstSeconds: number;
}

/** Share of cuts within 60 ms of a beat. */
export function onBeatShare(cuts: readonly number[], { beatSeconds, firstSeconds }: Pulse): number {
  const near = cuts.filter((cut) => {
    const beats = (cut - firstSeconds) / beatSeconds;
    return Math.abs(beats - Math.round(beats)) * beatSeconds <= ON_BEAT_SECONDS;
  });
  return near.length / Math.max(1, cuts.length);
}

/** Share of cuts at random times that are on a beat. */
export function chanceOnBeat(beatSeconds: number): number {
  return Math.min(1, (2 * ON_BEAT_SECONDS) / beatSeconds);
}

/** Wasserstein distance (order 1) of two sets of shot lengths, in the unit of `other`, at the best factor of ½, 1 or 2. */
export function lengthDistance(lengths: readonly number[], other: readonly number[]): number {
  return Math.min(
    ...SCALES.map((scale) =>
      wasserstein(
        lengths.map((length) => length * scale),
        other,
      ),
    ),
  );
}

/** Order 1, of two sets of any sizes. */
export function wasserstein(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [one.toSorted((a, b) => a - b), other.toSorted((a, b) => a - b)];
  const steps = first.length * second.length;
  let sum = 0;
  for (let step = 0; step < steps; step++)
    sum += Math.abs(first[Math.floor(step / second.length)]! - second[Math.floor(step / first.length)]!);
  return sum / steps;
}

/** Standard deviation of the logarithms. */
export function logSpread(lengths: readonly number[]): number {
  const logs = lengths.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
}

/** F1 of cut times within `tolerance` seconds, each counted once. */
export function cutF1(found: readonly number[], wanted: readonly number[], tolerance: number): number {
  const left = [...wanted];
  let hits = 0;
  for (const cut of found) {
    const at = left.findIndex((one) => Math.abs(one - cut) <= tolerance);
    if (at < 0) continue;
    left.splice(at, 1);
    hits++;
  }
  return (2 * hits) / Math.max(1, found.length + wanted.length);
}
