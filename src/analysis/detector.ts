/**
 * Interface of all classes that analyze a clip in one pass.
 *
 * A detector receives each input once, in order, and accesses nothing else. The same code therefore serves
 * streams, tests and benchmarks. `push` receives a frame, a block or a spectrum, with the results of earlier
 * detectors for it (`Input`). It returns `Found`: the events that are certain, in time order. They may be
 * late, because later frames may be needed. `finish` is called once, at the clip's end. It receives other
 * detectors' results for the whole clip (`Known`) and returns the remaining results.
 *
 * Functions over finished facts (`analyseMotion`, `trackBeats`, `genreOf`, `matchSoundtracks`) are not
 * detectors: they use the whole clip at once.
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
