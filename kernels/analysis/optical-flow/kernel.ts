/**
 * The motion field: pictures and their coarse levels, vectors of blocks, the fit of the camera's motion, and
 * how well it explains the picture. Memory layout: `src/analysis/optical-flow/kernel.ts`; the parts are in
 * the folder `kernel`.
 *
 * Pictures have 16-bit samples, sixteenths of a grey level (0..4080), without padding. `width` and `height`
 * count samples, strides are in bytes. A block is 8×8 samples: each of its rows is one vector. Whole vectors
 * are read and written: up to 14 bytes beyond the end of a row, and 2 before it.
 */
export { fitBlocks, fitWithout, matchBlocks, placeLastMotion, remember, searchLost } from './kernel/blocks';
export { blockDifference, compareBetween, compareWhole, describe, totalDifference } from './kernel/compare';
export { modelX, modelY, placeFit } from './kernel/fit';
export { judge, meanError } from './kernel/judge';
export { correlate } from './kernel/jump';
export { countInside, placeBlocks, setArea } from './kernel/planes';
export { gradients, halve, highPass, smooth } from './kernel/pyramid';
export { placeRefiner } from './kernel/refine';
export { searchCoarseShift } from './kernel/search';
