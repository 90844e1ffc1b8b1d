/** The proxies of deploy/proxies, with other addresses. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './clips.ts';
import { freePort } from './postgres.ts';
import { waitFor } from './processes.ts';

const folder = temporaryFolder();
export const AUTHORIZATION = `Basic ${btoa('styledna:very secret')}`;
/** Of the password, by bcrypt at its lowest cost: that of `caddy hash-password` takes a second for each request. */
const QUICK_HASH = '$2b$04$zBluubvqbk6RlFiNCN1T5e7rykNOmQhhkAI5NXvqji1t8TVF3BMdu';
/** What lets somebody in. */
export const PEOPLE = { authorization: AUTHORIZATION };

export interface SignInProxy extends AsyncDisposable {
  readonly url: string;
}

export interface ProxyKind {
  readonly program: string;
  /** Writes what it needs into `home`; its arguments. */
  prepare(home: string, port: number, services: readonly string[]): readonly string[];
}

export const NGINX: ProxyKind = {
  program: 'nginx',
  prepare(home, port, services) {
    const people = join(home, 'people');
    writeFileSync(people, 'styledna:{PLAIN}very secret\n');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(home, kind)};`,
    );
    const nodes = join(home, 'nodes');
    writeFileSync(
      nodes,
      services.map((service) => `server ${service} max_fails=2 fail_timeout=5s;\n`).join(''),
    );
    const config = replaced('nginx.conf', [
      ['/etc/nginx/styledna-nodes.conf', nodes],
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['/etc/nginx/styledna.htpasswd', people],
      ['http {', `http { ${paths.join(' ')}`],
    ]);
    writeFileSync(join(home, 'nginx.conf'), `${config}\npid ${join(home, 'pid')};\n`);
    return ['-p', home, '-c', join(home, 'nginx.conf'), '-g', 'daemon off; user root;'];
  },
};

export const PROXIES: readonly ProxyKind[] = [
  NGINX,
  {
    program: 'caddy',
    prepare(home, port, services) {
      const config = replaced('Caddyfile', [
        ['127.0.0.1:8080', services.join(' ')],
        ['example.com {', `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`],
        ['$2a$14$REPLACE.WITH.WHAT.caddy.hash-password.PRINTS', QUICK_HASH],
      ]);
      writeFileSync(join(home, 'Caddyfile'), config);
      return ['run', '--adapter', 'caddyfile', '--config', join(home, 'Caddyfile')];
    },
  },
];

function replaced(name: string, changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(new URL(`../../deploy/proxies/${name}`, import.meta.url), 'utf8');
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${name} has ${from}`);
    text = text.replaceAll(from, () => to);
  }
  return text;
}

/** `services`: addresses of its upstream nodes. */
export async function startSignInProxy(kind: ProxyKind, services: readonly string[]): Promise<SignInProxy> {
  const port = await freePort();
  const home = join(folder, `${kind.program}-${port}`);
  mkdirSync(home);
  const words = kind.prepare(
    home,
    port,
    services.map((service) => service.replace('http://', '')),
  );
  const child = spawn(kind.program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: home },
  });
  let output = '';
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(`${kind.program} to answer: ${output}`, () =>
    fetch(`${url}/livez`).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Reason to skip, with `TEST_PROXY`, tests of answers that a proxy replaces or blocks. */
export function onlyDirectly(): string | false {
  return process.env['TEST_PROXY'] === undefined ? false : 'speaks to the service itself';
}

/** What refuses this path: nginx answers an address that holds a NUL by itself. */
export function refusalOf<Code extends string>(path: string, code: Code): Code | 'MALFORMED_REQUEST' {
  return onlyDirectly() !== false && path.includes('%00') ? 'MALFORMED_REQUEST' : code;
}

/** Why it cannot be started here; false: it can. */
export function proxyMissing(program: string): string | false {
  return spawnSync(program, [program === 'nginx' ? '-v' : 'version']).error === undefined
    ? false
    : `${program} is not installed`;
}
