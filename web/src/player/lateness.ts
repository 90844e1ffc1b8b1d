/** Frames over which lateness is judged. */
const WINDOW = 60;
/** Above this share of late frames the picture gets fewer lines. */
const MAX_LATE_SHARE = 0.2;

/** Counts frames that were shown after their time, or not at all. */
export class Lateness {
  shown = 0;
  late = 0;
  #recent: boolean[] = [];

  /** Frame `number` is shown when `due` should be; `last` was shown before it. */
  note(last: number, number: number, due: number): void {
    for (let frame = last + 1; frame <= number; frame++) {
      const isLate = frame < due;
      this.shown++;
      if (isLate) this.late++;
      this.#recent.push(isLate);
    }
    this.#recent = this.#recent.slice(-WINDOW);
  }

  /** Whether drawing is too slow; then counts from zero again. */
  isTooSlow(): boolean {
    const lateCount = this.#recent.filter((isLate) => isLate).length;
    if (this.#recent.length < WINDOW || lateCount <= MAX_LATE_SHARE * WINDOW) return false;
    this.#recent = [];
    return true;
  }

  reset(): void {
    [this.shown, this.late, this.#recent] = [0, 0, []];
  }
}
