import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { completion } from '../../src/cli/completion.ts';
import { QUALITIES } from '../../src/domain/job-choices.ts';
import { PRESETS } from '../../src/presets/presets.ts';
import { temporaryFolder } from '../support/clips.ts';

async function script(t: TestContext, shell: string): Promise<string> {
  let reported = '';
  const mocked = t.mock.method(console, 'log', (line: string) => {
    reported += `${line}\n`;
  });
  const signal = new AbortController().signal;
  await completion.run({ positionals: [shell], values: {}, environment: {}, commands: COMMANDS, signal });
  mocked.mock.restore();
  return reported;
}

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What bash offers for the last of the words. */
function offered(text: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _styledna; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-u', '-c', `${text}\n${ask}`], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', { skip: hasBash ? false : 'needs bash' }, () => {
  const qualities = Object.keys(QUALITIES);
  const rows: readonly [what: string, words: string[], offers: readonly string[]][] = [
    ['commands', ['styledna', ''], [...Object.keys(COMMANDS), '--help', '--version']],
    ['a begun command', ['styledna', 'ext'], ['extract']],
    ['options', ['styledna', 'analyze', '--'], ['--json', '--report', '--help']],
    ['a begun option', ['styledna', 'apply', 'a.mp4', '--str'], ['--strength']],
    ['qualities', ['styledna', 'apply', '-q', ''], qualities],
    ['presets', ['styledna', 'preview', 'a.mp4', '--preset', ''], PRESETS.map(({ id }) => id)],
    ['a begun preset', ['styledna', 'grade', '--preset', 'no'], ['noir']],
    ['shells', ['styledna', 'completion', ''], ['bash', 'zsh', 'fish']],
    ['files, which bash knows, for an option', ['styledna', 'apply', '--template', ''], []],
    ['files, which bash knows, for an argument', ['styledna', 'apply', ''], []],
  ];
  for (const [what, words, offers] of rows)
    test(what, async (t) => {
      const some = offered(await script(t, 'bash'), words);
      assert.deepEqual(some.filter((word) => offers.includes(word)).sort(), [...offers].sort());
      if (offers.length === 0) assert.deepEqual(some, []);
      if (!words.at(-1)!.startsWith('--')) assert.deepEqual(some.sort(), [...offers].sort());
    });
});

const hasFish = spawnSync('fish', ['--version']).status === 0;

describe('completion in fish', { skip: hasFish ? false : 'needs fish' }, () => {
  const rows: readonly [line: string, offers: readonly string[]][] = [
    ['styledna ext', ['extract']],
    ['styledna --', ['--help', '--version']],
    ['styledna apply a.mp4 --str', ['--strength']],
    ['styledna analyze --', ['--json', '--report', '--server', '--help']],
    ['styledna apply -q ', Object.keys(QUALITIES)],
    ['styledna grade --preset no', ['noir']],
    ['styledna completion ', ['bash', 'zsh', 'fish']],
    ['styledna apply --template clip', ['clip-a.mp4']],
    ['styledna apply clip', ['clip-a.mp4']],
  ];
  for (const [line, offers] of rows)
    test(line, async (t) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'clip-a.mp4'), '');
      writeFileSync(join(folder, 'styledna.fish'), await script(t, 'fish'));
      const ask = ['-c', `source styledna.fish; complete -C '${line}'`];
      const { stdout } = spawnSync('fish', ask, { encoding: 'utf8', cwd: folder });
      const some = stdout.split('\n').map((one) => one.split('\t')[0]);
      assert.deepEqual(some.filter((one) => one !== '').sort(), [...offers].sort());
    });
});

test('fish completes every command and option', async (t) => {
  const lines = (await script(t, 'fish')).trim().split('\n');
  assert.ok(lines.every((line) => line.startsWith('complete -c styledna ')));
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    assert.ok(
      lines.some((line) => line.includes(`-a ${name} -d "`)),
      name,
    );
    const { options } = await load();
    for (const option of Object.keys(options))
      assert.ok(
        lines.some((line) => line.includes(`from ${name}" -l ${option}`)),
        `${name} --${option}`,
      );
  }
});

test('every word that is offered is one that the option takes', async () => {
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    const { options, choices = {} } = await load();
    for (const option of Object.keys(choices))
      assert.ok(option === '' || option in options, `${name} --${option}`);
  }
});
