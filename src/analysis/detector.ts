/**
 * Interface of all classes that analyze a clip in one pass. A detector receives each input once, in order, and accesses
 * nothing else, so that the same code serves a stream, a test's array and a benchmark.
 * `push` receives a frame, a block or a spectrum, with the results of earlier detectors for it (`Input`), and returns
 * `Found`: a detector of events returns those that are certain, in time order and possibly late, because it may need
 * later frames. `finish` ends the clip, once. It receives the results of other detectors for the whole clip (`Known`)
 * and returns the remaining results.
 * Functions over finished facts (`analyseMotion`, `trackBeats`, `guessGenre`, `matchSoundtracks`) are not detectors:
 * they use the whole clip at once.
 */
export interface Detector<
  Input extends readonly unknown[],
  Facts,
  Known extends readonly unknown[] = [],
  Found = void,
> {
  push(...input: Input): Found;
  finish(...known: Known): Facts;
}
