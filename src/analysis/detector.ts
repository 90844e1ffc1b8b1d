/**
 * What every class obeys that looks at a clip as it passes. It sees each input once, in order, and touches nothing else, so that
 * the same code serves a stream, a test's array and a benchmark.
 *
 * `push` takes a frame, a block or a spectrum, with what earlier detectors found in it (`Input`), and answers with `Found`: a
 * detector of events tells those that it is sure of, in time order and perhaps late, since it may need to look ahead. `finish`
 * ends the clip, once. It takes what other detectors found in all of it (`Known`) and answers with all that is still to be told.
 *
 * Functions over finished facts (`analyseMotion`, `trackBeats`, `guessGenre`, `matchSoundtracks`) are no detectors: they
 * look forwards and backwards.
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
