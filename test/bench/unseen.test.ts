/** Clips without a part in tuning: truths that can be scored, halves that share nothing, files with their truths. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readTruth, readTruths, type TruthFile } from '../../bench/lib/truth.ts';
import { layOut } from '../../bench/unseen/lay-out.ts';
import { HALVES, readManifest, truthName, truthOf, type UnseenFile } from '../../bench/unseen/manifest.ts';

const manifest = readManifest();
const sourceOf = ({ repository, package: from, path }: UnseenFile) => `${repository ?? from} ${path}`;
const ascending = (times: readonly number[]) => times.every((time, i) => i === 0 || time > times[i - 1]);

describe('manifest of the unseen clips', () => {
  it('has a truth for every listed file, and a file for every truth', () => {
    const folder = dirname(truthOf('any.mp4'));
    assert.deepEqual(
      globSync('*', { cwd: folder }).sort(),
      manifest
        .filter(({ truth }) => truth !== false)
        .map(({ file }) => truthName(file))
        .sort(),
    );
  });

  it('keeps each source within one half', () => {
    const halves = new Map(manifest.map((entry) => [sourceOf(entry), entry.half]));
    for (const entry of manifest) assert.equal(halves.get(sourceOf(entry)), entry.half, entry.file);
    const hashes = new Map(manifest.map(({ sha256, half }) => [sha256, half]));
    for (const { sha256, half, file } of manifest) assert.equal(hashes.get(sha256), half, file);
  });

  for (const entry of manifest) {
    it(`names the origin of ${entry.file}`, () => {
      assert.ok(HALVES.includes(entry.half));
      assert.match(entry.sha256, /^[0-9a-f]{64}$/);
      if (entry.package === undefined)
        assert.match(`${entry.repository} ${entry.commit}`, /^https:\S+ [0-9a-f]{40}$/);
      assert.ok(entry.licence.length > 2 && entry.path.length > 0);
    });

    if (entry.truth === false) continue;
    it(`has a truth that can be scored for ${entry.file}`, () => {
      const raw = JSON.parse(readFileSync(truthOf(entry.file), 'utf8')) as TruthFile;
      const truth = readTruth(truthOf(entry.file));
      assert.equal(truth.name, entry.file);
      const within = (time: number) => time >= 0 && time <= entry.seconds;
      const cuts = truth.cutsSeconds ?? [];
      assert.ok(ascending(cuts) && cuts.every((time) => time > 0 && within(time)), 'cuts');
      assert.ok(truth.optionalCutsSeconds.every(within), 'optional cuts');
      for (const [i, { type, startSeconds, endSeconds }] of truth.transitions.entries()) {
        assert.ok(type !== null || raw.transitions![i].optional === true, 'a wanted transition has a type');
        assert.ok(within(startSeconds) && startSeconds < endSeconds && within(endSeconds), 'transition');
      }
      const heard = truth.beats !== null || truth.made.no_beat === true;
      assert.equal(heard, truth.cutsSeconds === null, 'either a picture or a sound is asked');
      if (truth.beats !== null) {
        assert.ok(truth.beats.bpm >= 50 && truth.beats.bpm <= 220);
        assert.ok(truth.beats.offsetSeconds >= 0 && truth.beats.offsetSeconds < 60 / truth.beats.bpm);
      }
    });
  }
});

describe('laying out', () => {
  const root = mkdtempSync(join(tmpdir(), 'unseen-'));
  after(() => rmSync(root, { recursive: true }));

  it('finds a source by its content under any name, and lists missing ones', () => {
    const sources = join(root, 'downloads', 'deep');
    mkdirSync(sources, { recursive: true });
    writeFileSync(join(sources, 'renamed.bin'), 'the song');
    const [known, other] = manifest.filter(({ cut }) => cut === undefined);
    const here = { ...known!, sha256: createHash('sha256').update('the song').digest('hex') };
    const folder = join(root, 'laid');
    assert.deepEqual(layOut([here, other!], join(root, 'downloads'), folder), [other]);
    assert.equal(readFileSync(join(folder, here.half, here.file), 'utf8'), 'the song');
    const [truth, ...rest] = readTruths(folder);
    assert.equal(basename(truth!.path), here.file);
    assert.deepEqual(rest, []);
    assert.ok(!existsSync(join(folder, other!.half, other!.file)));
  });
});
