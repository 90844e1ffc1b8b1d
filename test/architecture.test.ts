import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { full } from 'acorn-walk';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Modules that every part of the pipeline may import, with their submodules. */
const BELOW_PIPELINE = ['analysis', 'style', 'report', 'render', 'media', 'sandbox', 'storage', 'telemetry'];

/**
 * Modules are folders; they may contain modules. The modules that each may import, in addition to itself, the root words
 * and the words of the modules that contain it.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  signal: [],
  domain: [],
  settings: ['domain'],
  package: [],
  network: [],
  untrusted: [],
  analysis: [
    ...['bars', 'beats', 'camera', 'captions', 'color', 'frames', 'loudness', 'optical-flow', 'shots'].map(
      inAnalysis,
    ),
    ...['picture', 'soundtrack', 'spectrum', 'speech', 'subjects'].map(inAnalysis),
    'signal',
  ],
  'analysis/bars': ['signal'],
  'analysis/optical-flow': ['analysis/bars', 'signal'],
  'analysis/frames': ['analysis/optical-flow', 'analysis/bars', 'signal'],
  'analysis/transitions': ['analysis/frames', 'signal'],
  'analysis/shots': ['analysis/transitions', 'analysis/frames', 'analysis/optical-flow', 'analysis/bars'],
  'analysis/subjects': ['analysis/frames', 'analysis/optical-flow', 'analysis/bars', 'signal'],
  'analysis/picture': ['analysis/frames', 'analysis/optical-flow', 'analysis/bars', 'signal'],
  'analysis/camera': ['analysis/subjects', 'analysis/optical-flow', 'signal'],
  'analysis/color': ['analysis/frames', 'analysis/bars', 'signal'],
  'analysis/captions': ['analysis/optical-flow', 'signal'],
  'analysis/spectrum': ['analysis/loudness', 'signal'],
  'analysis/beats': ['analysis/spectrum', 'signal'],
  'analysis/loudness': ['signal'],
  'analysis/speech': ['analysis/beats', 'analysis/loudness', 'signal'],
  'analysis/soundtrack': ['analysis/beats', 'signal'],
  'analysis/material': ['analysis/subjects', 'analysis/camera', 'signal'],
  'analysis/music': ['analysis/beats', 'signal'],
  'style/model': ['analysis', 'signal'],
  'style/edit': ['style/model', 'analysis', 'analysis/material', 'analysis/music', 'signal'],
  'style/captions': ['style/model', 'analysis', 'analysis/captions'],
  'style/extract': [
    ...['style/captions', 'style/look', 'style/model', 'analysis', 'analysis/camera', 'analysis/material'],
    ...['analysis/speech', 'signal'],
  ],
  'style/merge': ['style/extract', 'style/model', 'signal'],
  'style/look': ['style/model', 'analysis', 'analysis/color', 'signal'],
  'style/audio': ['style/model', 'analysis', 'signal'],
  'style/plan': [
    ...['style/captions', 'style/look', 'style/audio', 'style/edit', 'style/model'],
    ...['analysis', 'analysis/camera', 'analysis/material', 'analysis/music', 'analysis/speech', 'signal'],
  ],
  'style/export': ['style/model', 'signal'],
  example: [],
  presets: ['style/model', 'signal'],
  report: ['analysis', 'style/model', 'signal'],
  'media/av': ['signal'],
  'media/decode': ['media/av', 'signal'],
  'media/read': ['media/decode', 'media/av'],
  'media/encode': ['media/av', 'signal'],
  sandbox: [],
  'render/timeline': ['style/model', 'signal'],
  'render/picture': [
    ...[
      'render/timeline',
      'style/model',
      'style/look',
      'media/av',
      'media/decode',
      'media/read',
      'media/encode',
    ],
    ...['analysis', 'signal'],
  ],
  'render/sound': [
    ...['style/model', 'media/av', 'media/decode', 'media/encode'],
    ...['analysis', 'analysis/loudness', 'analysis/spectrum', 'signal'],
  ],
  'render/captions': ['render/picture', 'style/model', 'media/av', 'signal'],
  'render/verify': [
    ...['render/picture', 'style/model', 'media/av', 'media/decode', 'media/encode', 'analysis/loudness'],
  ],
  'render/previews': [
    ...[
      'render/captions',
      'render/timeline',
      'render/picture',
      'style/model',
      'style/look',
      'media/av',
      'media/decode',
    ],
    ...['media/read', 'media/encode'],
  ],
  render: [
    ...[
      'render/timeline',
      'render/picture',
      'render/sound',
      'render/captions',
      'render/verify',
      'render/previews',
    ],
    ...['style/model', 'style/look', 'media/av', 'media/decode', 'media/read', 'media/encode', 'signal'],
  ],
  telemetry: [],
  storage: ['telemetry'],
  database: ['telemetry'],
  'pipeline/engine': BELOW_PIPELINE,
  'pipeline/stages': ['pipeline/engine', ...BELOW_PIPELINE],
  'pipeline/previews': ['pipeline/stages', 'pipeline/engine', ...BELOW_PIPELINE],
  'pipeline/direct': ['pipeline/stages', 'pipeline/engine', ...BELOW_PIPELINE],
  idempotency: ['database'],
  videos: ['idempotency', 'database', 'storage'],
  'saved-styles': ['style/model', 'idempotency', 'database', 'storage'],
  'jobs/queue': ['database'],
  'jobs/model': ['jobs/queue', 'idempotency', 'database', 'telemetry'],
  'jobs/lists': ['jobs/queue', 'jobs/model', 'videos', 'idempotency', 'database', 'storage', 'telemetry'],
  'jobs/steering': ['jobs/queue', 'jobs/model', 'jobs/lists', 'database'],
  'jobs/run': [
    ...[
      'jobs/queue',
      'jobs/model',
      'jobs/lists',
      'jobs/steering',
      'videos',
      'database',
      'storage',
      'telemetry',
    ],
  ],
  jobs: [
    ...['jobs/queue', 'jobs/model', 'jobs/lists', 'jobs/steering', 'jobs/run', 'videos', 'idempotency'],
    ...['database', 'storage', 'telemetry'],
  ],
  webhooks: ['jobs/model', 'database', 'telemetry'],
  transcription: [],
  uploads: ['videos', 'database', 'storage', 'telemetry'],
  imports: ['uploads', 'webhooks', 'videos', 'idempotency', 'database', 'storage', 'telemetry'],
  transfer: ['jobs/queue', 'style/model', 'database', 'storage'],
  'http/contract': ['jobs/model', 'saved-styles', 'videos', 'style/model', 'presets'],
  'http/server': [
    ...['http/contract', 'imports', 'jobs/model', 'jobs/steering', 'videos', 'idempotency', 'webhooks'],
    ...['saved-styles', 'database', 'storage', 'telemetry'],
  ],
  'http/reference': ['report'],
  'http/routes': [
    'http/reference',
    ...['http/server', 'http/contract', 'uploads', 'jobs/model', 'jobs/steering', 'videos', 'idempotency'],
    ...['webhooks', 'style/captions', 'style/merge', 'style/model', 'presets', 'saved-styles'],
    ...['database', 'storage', 'render/captions'],
  ],
  http: ['http/routes', 'http/server', 'http/contract', 'uploads'],
  // A browser takes it: no Node, and nothing of the service but types that are made from its description.
  client: [],
  received: ['client', 'storage', 'style/model'],
  mcp: ['client', 'received', 'style/model'],
  cli: ['*'],
};
/** Of a module that contains others: imports that all of them may use. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  analysis: ['facts', 'picture-facts', 'music-facts', 'talk-facts', 'title-facts', 'detector', 'stated'],
};
/** Modules that use all modules within them: a name includes the modules below it. */
const WHOLE = ['pipeline/engine', 'pipeline/stages', 'pipeline/previews', 'pipeline/direct', 'cli'];

function inAnalysis(name: string): string {
  return `analysis/${name}`;
}

/** Imported by all. */
const IMPORTED_BY_ALL = ['domain', 'settings', 'package', 'network', 'untrusted'];

/** Written by a script, read by compilers. */
const GENERATED = ['client/api-types.ts'];
const MAX_FILE_LINES = 400;
const MAX_MEDIAN_LINES = 120;
const MAX_FUNCTION_LINES = 70;
const HOMELESS_NAMES = /^(index|utils?|helpers?|common|misc|manager|service)\b/;

interface Source {
  /** Relative to `src/`. */
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+\.tsx?)'/g)]
        .map((match) => relative(folder, join(folder, dirname(name), match[1])))
        // Code that a file generates names the file.
        .filter((target) => target !== name);
      return { name, text, imports };
    });
const sources = sourcesIn(SRC);

const WEB = fileURLToPath(new URL('../web/src/', import.meta.url));
const BENCH = fileURLToPath(new URL('../bench/', import.meta.url));
/** Nothing that they import needs Node either: the page is built of them. */
const OF_THE_PAGE = [
  'client/client.ts',
  'client/error.ts',
  'client/polling.ts',
  'client/sleep.ts',
  'domain/adjustment-names.ts',
  'domain/refusals.ts',
  'domain/stage.ts',
  'domain/talk-options.ts',
  'domain/talk-takes.ts',
  'domain/time.ts',
  'domain/work-estimate.ts',
  'jobs/model/progress.ts',
  'render/captions/caption-geometry.ts',
  'render/captions/caption-motion.ts',
  'render/picture/composite.ts',
  'render/picture/fit-shapes.ts',
  'render/picture/rgb-cube.ts',
  'render/sound/audio-assembly.ts',
  'render/sound/span-gains.ts',
  'render/timeline/frame-schedule.ts',
  'signal/easing.ts',
  'style/captions/timestamp-map.ts',
  'style/captions/timing-lines.ts',
  'style/look/grade.ts',
  'style/model/adjusted-style.ts',
  'style/model/edit-reasons.ts',
  'style/model/framing.ts',
  'style/model/outlier-words.ts',
  'style/model/removal-words.ts',
  'style/model/style-sentence.ts',
  'style/model/template-limit.ts',
  'style/model/timeline.ts',
  'style/model/transition-words.ts',
];

/** Imports that remain at run time: all but those of types. */
const LOADED = /^(?:import|export) (?!type\b)(?:[^;']*? from )?'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Empty for the root words. */
const roomOf = (name: string) => (name.includes('/') ? dirname(name) : '');

describe('architecture', () => {
  test('imports follow the arrows', () => {
    const wrong = sources.flatMap(({ name, imports }) =>
      imports.filter((target) => !mayImport(name, target)).map((target) => `${name} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  test('no import cycles between files or modules', () => {
    for (const files of [sources, sourcesIn(WEB), sourcesIn(BENCH)])
      assert.deepEqual(cyclesIn(new Map(files.map(({ name, imports }) => [name, imports]))), []);
    assert.deepEqual(roomCycles(), []);
  });

  test('every module has its allowed imports', () => {
    const rooms = new Set(sources.map(({ name }) => roomOf(name)).filter((room) => room !== ''));
    assert.deepEqual([...rooms].sort(), Object.keys(ARROWS).sort());
  });

  test(`files have at most ${MAX_FILE_LINES} lines, half of them at most ${MAX_MEDIAN_LINES}`, () => {
    const written = sources.filter(({ name }) => !GENERATED.includes(name));
    const lengths = written.map(({ text }) => text.split('\n').length).sort((a, b) => a - b);
    const long = written.filter(({ text }) => text.split('\n').length > MAX_FILE_LINES);
    assert.deepEqual(
      long.map(({ name }) => name),
      [],
    );
    assert.ok(
      lengths[lengths.length >> 1] <= MAX_MEDIAN_LINES,
      `the median is ${lengths[lengths.length >> 1]}`,
    );
  });

  test(`functions have at most ${MAX_FUNCTION_LINES} lines`, () => {
    assert.deepEqual(sources.flatMap(longFunctions), []);
  });

  test('every file is named for its content, and exports by name', () => {
    const homeless = sources.filter(({ name }) => HOMELESS_NAMES.test(name.split('/').at(-1)!));
    assert.deepEqual(
      homeless.map(({ name }) => name),
      [],
    );
    const nameless = sources.filter(({ text }) => /^export default\b/m.test(text));
    assert.deepEqual(
      nameless.map(({ name }) => name),
      [],
    );
  });

  test('classes that receive frames and finish implement the contract of detectors', () => {
    const classes = sources
      .filter(({ name }) => name.startsWith('analysis/'))
      .flatMap(({ text }) => text.split(/^(?:export )?(?=class )/m).slice(1))
      .filter((text) => /^ {2}push\(/m.test(text) && /^ {2}finish\(/m.test(text));
    const lawless = classes.filter((text) => !/^class \w+(?:<.*>)?\s+implements\s+Detector</.test(text));
    assert.deepEqual(
      lawless.map((text) => text.split('\n')[0]),
      [],
    );
    assert.ok(classes.length > 15, `${classes.length} were looked at`);
  });

  test('only config.ts reads settings, and main.ts hands them in', () => {
    const readers = sources.filter(({ text }) => /process\.env\b/.test(text)).map(({ name }) => name);
    assert.deepEqual(readers, ['main.ts']);
  });

  test('the web page imports only its own files, pure functions and types', () => {
    const taken = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) =>
        [...readFileSync(join(WEB, name), 'utf8').matchAll(/^import (type )?[^;]*? from '(\.[^']+)';/gms)]
          .filter(([, isType]) => isType === undefined)
          .map(([, , target]) => relative(SRC, join(WEB, dirname(name), target!)))
          .filter((target) => !target.startsWith('..')),
      );
    assert.deepEqual([...new Set(taken)].sort(), OF_THE_PAGE);
  });

  test('only media and render use FFmpeg', () => {
    const users = sources
      .filter(({ text }) => /from 'node-av/.test(text))
      .map(({ name }) => roomOf(name).split('/')[0]);
    assert.deepEqual([...new Set(users)].sort(), ['media', 'render']);
  });

  test('the process of the service loads no FFmpeg: it starts and reports where FFmpeg cannot', () => {
    assert.deepEqual(pathsToFfmpeg('compose.ts'), []);
    // A child that handles media does.
    assert.ok(pathsToFfmpeg('pipeline/engine/run-task.ts').length > 0);
  });
});

/** The shortest chain of imports, also of those at run time, from a file to each that loads FFmpeg. */
function pathsToFfmpeg(start: string): string[] {
  const texts = new Map(sources.map(({ name, text }) => [name, text]));
  const found: string[] = [];
  const paths = new Map([[start, start]]);
  for (const [name, path] of paths) {
    const loaded = [...texts.get(name)!.matchAll(LOADED)].map((match) => match[1] ?? match[2]!);
    if (loaded.some((target) => target.startsWith('node-av'))) found.push(path);
    for (const target of loaded.filter((word) => word.startsWith('.'))) {
      const next = relative(SRC, join(SRC, dirname(name), target));
      if (texts.has(next) && !paths.has(next)) paths.set(next, `${path} → ${next}`);
    }
  }
  return found;
}

function mayImport(name: string, target: string): boolean {
  const from = roomOf(name);
  const to = roomOf(target);
  const word = basename(target, '.ts');
  if (from === '' || to === from) return true;
  if (to === '') return from === 'cli';
  if (IMPORTED_BY_ALL.includes(to) && !IMPORTED_BY_ALL.includes(from)) return true;
  if (from.startsWith(`${to}/`)) return WORDS[to]?.includes(word) === true;
  const allowed = ARROWS[from] ?? [];
  if (allowed.includes('*') || allowed.includes(to)) return true;
  return WHOLE.includes(from) && allowed.some((room) => to.startsWith(`${room}/`));
}

/** Of modules: the words of a module that contains others count as a module. */
function roomCycles(): string[] {
  const graph = new Map<string, Set<string>>();
  const nodeOf = (name: string) => {
    const room = roomOf(name);
    return WORDS[room]?.includes(basename(name, '.ts')) ? `words of ${room}` : room;
  };
  for (const { name, imports } of sources) {
    if (roomOf(name) === '') continue;
    const from = nodeOf(name);
    const targets = graph.get(from) ?? new Set();
    for (const target of imports)
      if (roomOf(target) !== '' && nodeOf(target) !== from) targets.add(nodeOf(target));
    graph.set(from, targets);
  }
  return cyclesIn(graph);
}

function cyclesIn(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      cycles.push([...path.slice(path.indexOf(name)), name].join(' → '));
      return;
    }
    if (done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return cycles;
}

function longFunctions({ name, text }: Source): string[] {
  const tree = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const found: string[] = [];
  full(tree, (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    const { start, end } = node.loc!;
    const lines = end.line - start.line + 1;
    if (lines > MAX_FUNCTION_LINES) found.push(`${name}:${start.line} has ${lines} lines`);
  });
  return found;
}
