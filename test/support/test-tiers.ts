/** Which command runs a test file: `npm test`, or the one of its tier. */
export const TIERS = ['faults', 'long', 'browser', 'package'] as const;
export type TestTier = (typeof TIERS)[number];

/**
 * Parts of file names. A file is of the first tier that has one. `long`: real clips in whole jobs, minimum scores, and variants of what other tiers
 * test once; `faults`: faults and attacks.
 */
export const PARTS_OF_TIERS: Readonly<Record<TestTier, readonly string[]>> = {
  long: [
    'accuracy/',
    'analysis/barred-media',
    'analysis/beat-confidence',
    'analysis/beat-mistaken',
    'analysis/bursts',
    'analysis/captions',
    'analysis/degenerate',
    'analysis/loudness-media',
    'analysis/shot-media',
    'analysis/small-captions',
    'analysis/wild-scenes',
    'bench/edit-judge',
    'browser/every-state',
    'cli/linked-packages',
    'cli/more-commands',
    'cli/overwrite',
    'cli/server',
    'cli/transfer',
    'client/operations',
    'database/prepared-cluster',
    'deploy/',
    'e2e/artifacts',
    'e2e/caption-clock',
    'e2e/captions',
    'e2e/clock',
    'e2e/comparison',
    'e2e/cube-look',
    'e2e/edit.test',
    'e2e/image-template',
    'e2e/job-timeline',
    'e2e/observability',
    'e2e/output-size',
    'e2e/pairs',
    'e2e/plan-previews',
    'e2e/previews',
    'e2e/proxies',
    'e2e/reuse',
    'e2e/shape-and-rate',
    'e2e/song-analysis',
    'e2e/source-range',
    'e2e/speech',
    'examples/',
    'faults/killed-edit',
    'faults/large-pictures',
    'http/captions',
    'http/presigned',
    'http/reference',
    'http/tus-client',
    'http/video-files',
    'mcp/',
    'media/file-clock',
    'pipeline/animated-takes',
    'pipeline/caption-file',
    'pipeline/changed-edit',
    'pipeline/direct-children',
    'pipeline/edit-titles',
    'pipeline/odd-takes',
    'pipeline/source-range',
    'pipeline/takes',
    'render/grade-fidelity',
    'render/proxy',
    'render/reproducible',
    'render/source-stills',
    'signal/kernel',
    'transfer/',
  ],
  faults: [
    'cli/commands',
    'cli/failed-start',
    'cli/json-errors',
    'cli/leftovers',
    'cli/log-secrets',
    'cli/system-limits',
    'cli/webhook-secret',
    'client/interruptions',
    'database/database',
    'e2e/injection',
    'e2e/lost-media',
    'faults/',
    'http/attacks',
    'http/hostile',
    'http/imports',
    'http/memory',
    'http/service.test',
    'http/specification',
    'http/unusable-takes',
    'http/uploads',
    'jobs/crash',
    'media/invalid-samples',
    'media/stored-protection',
    'pipeline/clip-child',
    'pipeline/code-cache',
    'pipeline/engine-memory',
    'pipeline/left-out-takes',
    'received/',
    'storage/partial-blobs',
    'storage/s3-hostile',
    'style/caption-file',
    'style/edit/any-request',
    'transcription/answer-reader',
    'transcription/transcriber',
    'transcription/transcript-fuzz',
    'webhooks/delivery',
  ],
  browser: ['browser/', 'render/playable'],
  package: ['http/openapi-lint', 'package/'],
};

export const holds = (file: string, parts: readonly string[]) => parts.some((part) => file.includes(part));

/** The tier of a file; null: `npm test`. */
const tierOf = (file: string): TestTier | null =>
  (Object.keys(PARTS_OF_TIERS) as TestTier[]).find((tier) => holds(file, PARTS_OF_TIERS[tier])) ?? null;

/**
 * The files of a tier, or of `npm test` (null), whose names contain one of the `wanted` words; without words all of them. Words without a tier
 * select from all tiers. Some cases of other files take long, and check `TEST_LONG` themselves: both commands run these files.
 */
export function filesOf(
  tier: TestTier | null,
  wanted: readonly string[],
  files: readonly string[],
  textOf: (file: string) => string,
): readonly string[] {
  const isOfTier = (file: string) =>
    tierOf(file) === tier || (tier === 'long' && textOf(file).includes('TEST_LONG'));
  return files.filter(
    (file) =>
      (wanted.length === 0 || holds(file, wanted)) &&
      ((tier === null && wanted.length > 0) || isOfTier(file)),
  );
}
