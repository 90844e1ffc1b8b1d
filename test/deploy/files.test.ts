/** The files to deploy with, held to the program: settings, commands, paths and versions that they name are there. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { readConfig, SETTINGS } from '../../src/settings/config.ts';
import { ROLES } from '../../src/settings/role.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const SECRET = `whsec_${'a'.repeat(43)}=`;
/** Values to fill in before a file is used. */
const FILLED_IN: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'password',
  S3_ENDPOINT: 'http://s3:9000',
  S3_BUCKET: 'styledna',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  PUBLIC_BASE_URL: 'https://styledna.example.com',
  WEBHOOK_SECRETS: SECRET,
};

// biome-ignore lint/suspicious/noExplicitAny: any content of the files
type Any = any;

/** Asserts that every name is a setting, and that the values are accepted. */
function assertSettings(environment: Readonly<Record<string, string | null>>): void {
  for (const name of Object.keys(environment)) assert.ok(SETTINGS.includes(name), `${name} is a setting`);
  readConfig(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? ''])));
}

function assertCommand([name, option, role]: readonly string[]): void {
  assert.ok(name !== undefined && name in COMMANDS, `${name} is a command`);
  if (option === undefined) return;
  assert.equal(option, '--role');
  assert.ok(ROLES.includes(role as (typeof ROLES)[number]), `${role} is a role`);
}

describe('Compose', () => {
  /** As Compose fills them in: `${NAME}`, `${NAME:-default}`, `${NAME:?}`. */
  const filled = (text: string) =>
    text.replaceAll(
      /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
      (_, name: string, fallback = '') => FILLED_IN[name] ?? fallback,
    );
  for (const path of ['compose.yaml', 'deploy/compose.fleet.yaml']) {
    test(path, () => {
      const { services }: Any = parse(filled(read(path)), { merge: true });
      const ours = Object.values<Any>(services).filter(({ image }) => image === 'styledna');
      assert.ok(ours.length > 0);
      for (const service of ours) {
        assertSettings(service.environment);
        assertCommand(service.command ?? ['serve']);
        assert.equal(service.read_only, true);
        assert.deepEqual(service.cap_drop, ['ALL']);
        const folder = join(path, '..');
        const seccomp = service.security_opt.find((option: string) => option.startsWith('seccomp='));
        assert.ok(existsSync(join(ROOT, folder, seccomp.slice('seccomp='.length))), seccomp);
        assert.ok(existsSync(join(ROOT, folder, service.build, 'Dockerfile')));
      }
      for (const { volumes = [] } of Object.values<Any>(services))
        for (const volume of volumes.filter((one: string) => one.startsWith('./proxies')))
          assert.ok(existsSync(join(ROOT, 'deploy', volume.split(':')[0])), volume);
    });
  }

  test('the example of its settings lists all settings of the file', () => {
    const asked = [...read('deploy/compose.fleet.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const given = [...read('deploy/fleet.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    assert.deepEqual(new Set(given), new Set(asked));
  });
});

describe('Kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const files = readdirSync(join(ROOT, folder));
  const documents: Any[] = files.flatMap((file) =>
    parseAllDocuments(read(join(folder, file))).map((document) => document.toJS()),
  );
  const ofKind = (kind: string) => documents.filter((document) => document.kind === kind);

  test('every file is applied', () => {
    const [kustomization] = ofKind('Kustomization');
    assert.deepEqual(
      new Set(kustomization.resources),
      new Set(files.filter((file) => file !== 'kustomization.yaml')),
    );
  });

  test('settings and secrets are those of the program', () => {
    const [[map], [secret]] = [ofKind('ConfigMap'), ofKind('Secret')];
    const placeholders = { ...secret.stringData, WEBHOOK_SECRETS: SECRET };
    assertSettings({ ...map.data, ...placeholders });
  });

  test('pods run existing commands as user nobody, and probes use existing routes', () => {
    const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec);
    assert.equal(pods.length, 3);
    const drainSeconds = readConfig({}).DRAIN_SECONDS;
    for (const { containers, securityContext, terminationGracePeriodSeconds: grace } of pods) {
      const [container] = containers;
      assertCommand(container.args);
      assert.equal(securityContext.runAsUser, 1000);
      assert.equal(container.securityContext.readOnlyRootFilesystem, true);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        if (container[probe] === undefined) continue;
        assert.match(container[probe].httpGet.path, /^\/(livez|readyz)$/);
      }
      assert.ok(grace === undefined || grace > drainSeconds, `${grace} s are enough to drain`);
    }
  });

  test('what selects pods finds them', () => {
    const labels = ofKind('Deployment').map(({ spec }) => spec.template.metadata.labels);
    const selectors = [
      ...ofKind('Deployment').map(({ spec }) => spec.selector.matchLabels),
      ...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      ...ofKind('Service').map(({ spec }) => spec.selector),
      ...ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ];
    for (const selector of selectors) {
      const found = labels.some((own) =>
        Object.entries(selector).every(([name, value]) => own[name] === value),
      );
      assert.ok(found, JSON.stringify(selector));
    }
    const names = ofKind('Deployment').map(({ metadata }) => metadata.name);
    for (const { spec } of [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')])
      assert.ok(names.includes(spec.scaleTargetRef.name));
  });
});

test('the image has the required Node, and copies existing files', () => {
  const { engines } = JSON.parse(read('package.json'));
  const docker = read('Dockerfile');
  for (const [, major] of docker.matchAll(/^FROM node:(\d+)-/gm)) assert.equal(engines.node, `>=${major}`);
  const [, removed] = /rm -rf (.+)$/m.exec(docker) ?? [];
  for (const path of removed!.split(' ').filter((one) => !one.includes('*')))
    assert.ok(existsSync(join(ROOT, path)), `${path} is there`);
});

test('the unit sets settings, and gives time to drain', () => {
  const unit = read('deploy/systemd/styledna.service');
  const [, words] = /^Environment=(.+)$/m.exec(unit)!;
  const environment = Object.fromEntries(
    words!.split(' ').map((pair) => pair.split('=') as [string, string]),
  );
  const { NODE_ENV: _, ...settings } = environment;
  assertSettings(settings);
  assert.ok(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)![1]) > readConfig({}).DRAIN_SECONDS);
});
