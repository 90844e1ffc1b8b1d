/** The tests of the interface's specification through nginx: of a fleet from outside, and of the service's own against it in this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AUTHORIZATION } from '../support/sign-in-proxy.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Tests that do not depend on nginx's own answers, one process with nginx before it for each. */
const BEHIND_PROXY = [
  ...['jobs', 'job-files', 'upload', 'requests', 'captions', 'presets'].map(
    (name) => `test/http/${name}.test.ts`,
  ),
];

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** `proxyUrl`: where people sign in at a fleet. */
export async function runSpecificationTests(proxyUrl: string): Promise<TestCounts> {
  const fleet = { TEST_BASE_URL: proxyUrl, TEST_AUTHORIZATION: AUTHORIZATION };
  const runs = [
    await runTests(['test/http/specification.test.ts'], fleet),
    await runTests(BEHIND_PROXY, { TEST_PROXY: 'nginx' }),
  ];
  return {
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    failed: runs.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Failures are printed completely. */
async function runTests(
  files: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<TestCounts> {
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=tap', ...files], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let reported = '';
  child.stdout.on('data', (text: Buffer) => {
    reported += text.toString();
  });
  await once(child, 'close');
  const counted = (what: string) =>
    Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(reported)?.[1] ?? Number.NaN);
  const counts = { passed: counted('pass'), failed: counted('fail') };
  if (counts.failed !== 0 || child.exitCode !== 0) console.error(reported);
  return counts;
}
