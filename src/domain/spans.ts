/** Times from a start to an end, in seconds of one clock. */
export interface Span {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export function lengthOf({ startSeconds, endSeconds }: Span): number {
  return endSeconds - startSeconds;
}

export function totalSeconds(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + lengthOf(span), 0);
}

/** Seconds that two spans have in common. */
export function overlapSeconds(one: Span, other: Span): number {
  return Math.max(
    0,
    Math.min(one.endSeconds, other.endSeconds) - Math.max(one.startSeconds, other.startSeconds),
  );
}

/** Seconds of a span that others cover, each counted by itself. */
export function sharedSeconds(span: Span, others: readonly Span[]): number {
  return others.reduce((sum, other) => sum + overlapSeconds(span, other), 0);
}

/** Seconds of a span that any of the others covers. */
export function coveredSeconds(span: Span, others: readonly Span[]): number {
  return sharedSeconds(span, joinedSpans(others));
}

/** Spans in ascending order; those that touch or have a gap shorter than `gapSeconds` between them are one. */
export function joinedSpans(spans: readonly Span[], gapSeconds = 0): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.startSeconds - other.startSeconds)) {
    const last = joined.at(-1);
    const gap = span.startSeconds - (last?.endSeconds ?? Number.NEGATIVE_INFINITY);
    if (last !== undefined && (gap <= 0 || gap < gapSeconds))
      joined[joined.length - 1] = { ...last, endSeconds: Math.max(last.endSeconds, span.endSeconds) };
    else joined.push(span);
  }
  return joined;
}
