import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What happens to the server's answer to a commit. */
export type CommitFault =
  | 'lost'
  | { readonly lateMs: number }
  /** Lost, and nobody reaches the server for so long. */
  | { readonly awayMs: number };

/** A fault that waits for its transactions. */
export interface ArmedFault extends Disposable {
  /** How many transactions it has met. */
  readonly met: number;
}

/**
 * A proxy between the service and a PostgreSQL server that understands enough of the protocol ("Frontend/Backend
 * Protocol" in PostgreSQL's documentation) to see a transaction's statements and its COMMIT.
 */
export interface CommitProxy extends AsyncDisposable {
  readonly url: string;
  /**
   * The next `times` transactions with a statement that matches `statement`, alone or between BEGIN and COMMIT: the
   * server commits, and its answer is lost with the connection, or delayed.
   */
  arm(statement: RegExp, times: number, fault: CommitFault): ArmedFault;
}

class Fault implements ArmedFault {
  met = 0;
  left: number;
  readonly statement: RegExp;
  readonly fault: CommitFault;

  constructor(statement: RegExp, times: number, fault: CommitFault) {
    this.statement = statement;
    this.left = times;
    this.fault = fault;
  }

  take(): CommitFault {
    this.left--;
    this.met++;
    return this.fault;
  }

  [Symbol.dispose](): void {
    this.left = 0;
  }
}

/** One connection through the proxy. */
class Passage {
  readonly #faults: readonly Fault[];
  readonly #client: Socket;
  readonly #server: Socket;
  #unread = Buffer.alloc(0);
  #greeted = false;
  #inTransaction = false;
  /** The fault whose statement was seen in the current transaction. */
  #due: Fault | undefined;
  /** Set from the COMMIT on: the server's answer is delayed until it is complete. */
  #delayed: { readonly fault: CommitFault; bytes: Buffer } | null = null;

  readonly #goAway: (forMs: number) => void;

  constructor(client: Socket, server: Socket, faults: readonly Fault[], goAway: (forMs: number) => void) {
    this.#goAway = goAway;
    this.#client = client;
    this.#server = server;
    this.#faults = faults;
    client.on('data', (bytes) => this.#fromClient(bytes));
    server.on('data', (bytes) => this.#fromServer(bytes));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  }

  #fromClient(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      // The first message has no type before its length.
      const at = this.#greeted ? 1 : 0;
      if (this.#unread.length < at + 4) break;
      const end = at + this.#unread.readUInt32BE(at);
      if (this.#unread.length < end) break;
      if (this.#greeted) this.#read(String.fromCharCode(this.#unread[0]), this.#unread.subarray(5, end));
      this.#greeted = true;
      this.#unread = this.#unread.subarray(end);
    }
    this.#server.write(bytes);
  }

  #read(type: string, body: Buffer): void {
    // Query, Parse: the text follows the statement's name.
    const text = type === 'Q' ? body : type === 'P' ? body.subarray(body.indexOf(0) + 1) : null;
    if (text === null) return;
    const statement = text.subarray(0, text.indexOf(0)).toString();
    if (/^begin\b/i.test(statement)) this.#inTransaction = true;
    this.#due ??= this.#faults.find((fault) => fault.left > 0 && fault.statement.test(statement));
    const ends = /^(commit|rollback)\b/i.test(statement);
    const commits = /^commit\b/i.test(statement) || !this.#inTransaction;
    if (commits && this.#due !== undefined && this.#due.left > 0) {
      this.#delayed = { fault: this.#due.take(), bytes: Buffer.alloc(0) };
    }
    if (ends) this.#inTransaction = false;
    if (ends || commits) this.#due = undefined;
  }

  #fromServer(bytes: Buffer): void {
    const delayed = this.#delayed;
    if (delayed === null) {
      this.#client.write(bytes);
      return;
    }
    delayed.bytes = Buffer.concat([delayed.bytes, bytes]);
    // ReadyForQuery, the last of an answer, has the status "idle": the transaction is over.
    if (!delayed.bytes.subarray(-6).equals(Buffer.from('Z\0\0\0\x05I', 'latin1'))) return;
    this.#delayed = null;
    const { fault } = delayed;
    if (fault === 'lost') this.#client.destroy();
    else if ('awayMs' in fault) this.#goAway(fault.awayMs);
    else setTimeout(() => this.#client.write(delayed.bytes), fault.lateMs);
  }
}

export async function startCommitProxy(serverUrl: string): Promise<CommitProxy> {
  const target = new URL(serverUrl);
  const faults: Fault[] = [];
  const sockets = new Set<Socket>();
  let backMs = 0;
  const goAway = (forMs: number) => {
    backMs = performance.now() + forMs;
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((client) => {
    if (performance.now() < backMs) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    new Passage(client, server, faults, goAway);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(serverUrl);
  url.port = String((proxy.address() as { port: number }).port);
  return {
    url: url.href,
    arm(statement, times, how) {
      const fault = new Fault(statement, times, how);
      faults.push(fault);
      return fault;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
