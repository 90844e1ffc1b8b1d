/** Artifacts of a job of the service, of the command line and of the library: the same files. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { Studio } from '../../src/library.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { command } from '../support/command.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const captions = join(folder, 'words.srt');
const SRT = '1\n00:00:00,200 --> 00:00:01,800\nTwo words\n';
let service: Service;
let source: string;
let videoId: string;
before(async () => {
  service = await startService();
  writeFileSync(captions, SRT);
  source = await makeClip(folder, {
    name: 'source',
    durationSeconds: 2,
    draw: (rgb, seconds) => {
      for (let y = 0, at = 0; y < 180; y++) {
        for (let x = 0; x < 320; x++, at += 3) {
          rgb[at] = 40 + ((x + 30 * seconds) % 180);
          rgb[at + 1] = 50 + y;
          rgb[at + 2] = 200 - ((x + y) % 150);
        }
      }
    },
  });
  videoId = await uploaded(service, source);
  await call(service.baseUrl, 'PUT', `/api/v1/videos/${videoId}/captions`, {
    body: SRT,
    headers: { 'content-type': 'application/x-subrip' },
  });
});
after(async () => service?.[Symbol.asyncDispose]());

/** The bytes of each artifact of a job, by its name. */
async function artifactsOfJob(request: Record<string, unknown>): Promise<Map<string, Buffer>> {
  await using job = await createJob(service, { video_id: videoId, ...request });
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  const files = new Map<string, Buffer>();
  for (const { name, url } of result.artifacts)
    files.set(name, Buffer.from(await (await fetch(url)).arrayBuffer()));
  return files;
}

const filesIn = (path: string) =>
  new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]));

/** The figures of a report, without its time and the paths of films. */
function saidIn(page: Buffer): string[] {
  const [table] = /<table>[\s\S]*?<\/table>/.exec(String(page))!;
  return [...table.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell]) => cell!);
}

function assertSame(found: Map<string, Buffer>, expected: Map<string, Buffer>): void {
  assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
  for (const [name, bytes] of expected) {
    const other = found.get(name)!;
    if (name === 'report.html') assert.deepEqual(saidIn(bytes), saidIn(other));
    else assert.ok(bytes.equals(other), `${name} differs`);
  }
}

describe('the artifacts', () => {
  test('of a style with captions, with a comparison, by the library', async () => {
    const config = { quality: 'low' };
    const expected = await artifactsOfJob({
      style_json: CAPTIONED_STYLE,
      config: { ...config, comparison: true },
    });
    assert.deepEqual([...expected.keys()].sort(), [
      'captions.srt',
      'comparison.mp4',
      'filmstrip.jpg',
      'grade.cube',
      'poster.jpg',
      'report.html',
      'style.json',
      'timeline.otio',
      'timeline.xml',
    ]);
    // Editing programs find the file by its name.
    const media = String(expected.get('timeline.otio')).match(/"(?:name|target_url)": "[^"]*\.mp4"/g);
    assert.deepEqual([...new Set(media)], ['"name": "source.mp4"', '"target_url": "source.mp4"']);
    const xml = new XMLParser().parse(String(expected.get('timeline.xml')));
    const [first] = [xml.xmeml.sequence.media.video.track.clipitem].flat();
    assert.deepEqual([first.file.name, first.file.pathurl], ['source.mp4', 'source.mp4']);
    const artifacts = join(folder, 'of-library');
    await studio.apply({
      source,
      captions,
      output: join(folder, 'of-library.mp4'),
      look: { style: styleSchema.parse(CAPTIONED_STYLE) },
      config,
      comparison: join(folder, 'side.mp4'),
      artifacts,
    });
    assertSame(filesIn(artifacts), expected);
  });

  test('of a preset, by the command line; what else is in the folder stays', async (t) => {
    const config = { quality: 'low', components: { subtitles: true } };
    const expected = await artifactsOfJob({ preset: 'golden-hour', config });
    const artifacts = join(folder, 'of-command');
    mkdirSync(artifacts);
    writeFileSync(join(artifacts, 'notes.txt'), 'mine');
    writeFileSync(join(artifacts, 'grade.cube'), 'of an earlier run');
    const output = join(folder, 'golden.mp4');
    const words = ['apply', source, '--preset', 'golden-hour', '-q', 'low', '--captions', captions];
    const places = ['-o', output, '--artifacts', artifacts];
    const refused = await command(t, ...words, ...places);
    assert.deepEqual([refused.code, existsSync(output)], [3, false]);
    assert.match(refused.stderr, /grade\.cube exists already.*--overwrite/);
    const { code, stderr } = await command(t, ...words, ...places, '--overwrite');
    assert.equal(code, 0, stderr);
    const found = filesIn(artifacts);
    assert.equal(String(found.get('notes.txt')), 'mine');
    found.delete('notes.txt');
    assertSame(found, expected);

    const cube = join(folder, 'look.cube');
    const graded = await command(t, 'grade', source, '--preset', 'golden-hour', '-o', cube, '--json');
    assert.equal(graded.code, 0, graded.stderr);
    assert.deepEqual(JSON.parse(graded.stdout), { output: cube, warnings: [] });
    assert.ok(readFileSync(cube).equals(expected.get('grade.cube')!), 'grade writes the LUT of apply');
  });
});

test('a weaker grade is another LUT', async () => {
  const cubeAt = async (style_strength: number) =>
    (await studio.plan({ source, look: { preset: 'noir' }, config: { style_strength } })).cube;
  const [half, full, none] = [await cubeAt(0.5), await cubeAt(1), await cubeAt(0)];
  assert.ok(half !== null && full !== null && half !== full);
  assert.equal(none, null);
});
