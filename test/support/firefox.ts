/** The system's Firefox ESR, driven by WebDriver BiDi over its own WebSocket (https://w3c.github.io/webdriver-bidi/). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from './clips.ts';

const PROGRAM = 'firefox-esr';
/** Loopback only: Firefox's own requests stay within the machine. */
const PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'app.update.disabledForTesting': true,
  'browser.aboutConfig.showWarning': false,
  'browser.download.alwaysOpenPanel': false,
  'browser.download.folderList': 2,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'media.autoplay.default': 0,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disabled': true,
  'services.settings.server': 'data:,#no-remote-settings',
  'toolkit.telemetry.server': 'data:,',
};
const START_MS = 60_000;
const PATIENCE_MS = 60_000;
const POLL_MS = 100;
/** WebDriver's code points of keys that are no letters. */
const KEYS: Readonly<Record<string, string>> = {
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
  Home: '\uE011',
};

/** Where Firefox is; null: it is not installed. */
export function firefoxPath(): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, PROGRAM);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // It is not in this folder.
    }
  }
  return null;
}

interface Answer {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly method?: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

export class Firefox implements AsyncDisposable {
  readonly downloads: string;
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Set<(method: string, params: Readonly<Record<string, unknown>>) => void>();
  #lastId = 0;

  private constructor(process: ChildProcess, socket: WebSocket, downloads: string) {
    this.#process = process;
    this.#socket = socket;
    this.downloads = downloads;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Answer));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox has closed its connection'));
    });
  }

  /** `path`: of the program. */
  static async start(path: string): Promise<Firefox> {
    const folder = temporaryFolder();
    const [profile, downloads] = [join(folder, 'profile'), join(folder, 'downloads')];
    for (const one of [profile, downloads]) mkdirSync(one);
    const preferences = { ...PREFERENCES, 'browser.download.dir': downloads };
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const flags = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const child = spawn(path, [...flags, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder },
    });
    process.once('exit', () => child.kill('SIGKILL'));
    const address = await listeningAddress(child);
    const socket = new WebSocket(`${address}/session`);
    await once(socket, 'open');
    const firefox = new Firefox(child, socket, downloads);
    await firefox.send('session.new', { capabilities: {} });
    return firefox;
  }

  send<Result>(method: string, params: Readonly<Record<string, unknown>>): Promise<Result> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return waiting.promise as Promise<Result>;
  }

  on(listener: (method: string, params: Readonly<Record<string, unknown>>) => void): void {
    this.#listeners.add(listener);
  }

  async open(address: string): Promise<FirefoxPage> {
    const { context } = await this.send<{ context: string }>('browsingContext.create', { type: 'tab' });
    const page = new FirefoxPage(this, context, new URL(address).origin);
    await this.send('session.subscribe', {
      events: ['log.entryAdded', 'network.beforeRequestSent'],
      contexts: [context],
    });
    await page.goto(address);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    await this.send('browser.close', {}).catch(() => this.#process.kill('SIGKILL'));
    await ended;
  }

  #receive({ id, type, method, message, params, result }: Answer): void {
    if (type === 'event') {
      for (const listener of this.#listeners) listener(method!, params!);
      return;
    }
    const waiting = this.#waiting.get(id!);
    this.#waiting.delete(id!);
    if (type === 'error') waiting?.reject(new Error(message));
    else waiting?.resolve(result);
  }
}

export class FirefoxPage {
  /** Visible faults: exceptions, errors of the console, requests to other hosts. */
  readonly complaints: string[] = [];
  readonly #firefox: Firefox;
  readonly #context: string;

  constructor(firefox: Firefox, context: string, ownOrigin: string) {
    this.#firefox = firefox;
    this.#context = context;
    firefox.on((method, params) => {
      if (method === 'log.entryAdded' && params['level'] === 'error')
        this.complaints.push(`console: ${params['text']}`);
      if (method !== 'network.beforeRequestSent') return;
      const { origin, protocol, href } = new URL((params['request'] as { url: string }).url);
      if (protocol.startsWith('http') && origin !== ownOrigin) this.complaints.push(`asked ${href}`);
    });
  }

  async goto(url: string): Promise<void> {
    await this.#firefox.send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** Runs a function in the page; arguments and the result pass as JSON. */
  async evaluate<Result, Arguments extends readonly unknown[]>(
    run: (...values: Arguments) => Result | Promise<Result>,
    ...values: Arguments
  ): Promise<Result> {
    const answer = await this.#firefox.send<{
      type: string;
      result?: { value: string };
      exceptionDetails?: { text: string };
    }>('script.callFunction', {
      functionDeclaration: `async (values) => JSON.stringify((await (${run})(...JSON.parse(values))) ?? null)`,
      arguments: [{ type: 'string', value: JSON.stringify(values) }],
      target: { context: this.#context },
      awaitPromise: true,
    });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails!.text);
    return JSON.parse(answer.result!.value) as Result;
  }

  /** Waits until a function of the page returns something true, and returns it. */
  async until<Result, Arguments extends readonly unknown[]>(
    run: (...values: Arguments) => Result,
    ...values: Arguments
  ): Promise<Result> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const result = await this.evaluate(run, ...values);
      if (result) return result;
      if (performance.now() > deadline)
        throw new Error(`It did not come about: ${run} of ${values.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Waits for an element by its role and name, as screen readers know it. */
  async find(role: string, name: string): Promise<string> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const { nodes } = await this.#firefox.send<{ nodes: { sharedId: string }[] }>(
        'browsingContext.locateNodes',
        { context: this.#context, locator: { type: 'accessibility', value: { role, name } } },
      );
      if (nodes[0] !== undefined) return nodes[0].sharedId;
      if (performance.now() > deadline) throw new Error(`No ${role} ${name}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async click(role: string, name: string): Promise<void> {
    const element = await this.find(role, name);
    await this.#firefox.send('script.callFunction', {
      functionDeclaration: '(element) => element.scrollIntoView({ block: "center" })',
      arguments: [{ sharedId: element }],
      target: { context: this.#context },
      awaitPromise: false,
    });
    const origin = { type: 'element', element: { sharedId: element } };
    await this.#perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    });
  }

  async press(key: string): Promise<void> {
    const value = KEYS[key] ?? key;
    await this.#perform({
      type: 'key',
      id: 'keyboard',
      actions: [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ],
    });
  }

  async #perform(actions: object): Promise<void> {
    await this.#firefox.send('input.performActions', { context: this.#context, actions: [actions] });
  }
}

async function listeningAddress({ stderr }: ChildProcess): Promise<string> {
  const log: string[] = [];
  const lines = createInterface({ input: stderr!, signal: AbortSignal.timeout(START_MS) });
  for await (const line of lines) {
    log.push(line);
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      // A pipe that nobody reads would stop Firefox once it is full.
      stderr!.resume();
      return address;
    }
  }
  throw new Error(`Firefox did not start: ${log.join('\n')}`);
}
