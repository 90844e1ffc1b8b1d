import { once } from 'node:events';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the trace begins with it. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of its resource. */
  readonly service: string;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly nanoseconds: bigint;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of the requests that brought them. */
  readonly contentTypes: ReadonlySet<string>;
}

/** Takes OTLP over HTTP, protobuf, as an OpenTelemetry collector does. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const contentTypes = new Set<string>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      contentTypes.add(`${request.url} ${request.headers['content-type']}`);
      spans.push(...spansOf(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    contentTypes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Field numbers of opentelemetry-proto 1.7: trace_service, trace, common, resource. */
function spansOf(request: Buffer): ReceivedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(messages(resourceSpans, 1)[0], 1));
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => {
        const fields = fieldsOf(span);
        const status = (fields.get(15) ?? []) as Buffer[];
        return {
          traceId: bytes(fields, 1).toString('hex'),
          spanId: bytes(fields, 2).toString('hex'),
          parentSpanId: bytes(fields, 4).toString('hex'),
          name: bytes(fields, 5).toString(),
          kind: Number(fields.get(6)?.[0] ?? 0),
          nanoseconds: (fields.get(8)![0] as bigint) - (fields.get(7)![0] as bigint),
          attributes: attributesOf(messages(span, 9)),
          service: resource['service.name'] ?? '',
          status: status.length === 0 ? 0 : Number(fieldsOf(status[0]).get(3)?.[0] ?? 0),
        };
      });
  });
}

function attributesOf(pairs: readonly Buffer[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [[, values] = [0, []]] = [...fieldsOf(messages(pair, 2)[0])];
      const [value] = values;
      return [bytes(fieldsOf(pair), 1).toString(), Buffer.isBuffer(value) ? value.toString() : String(value)];
    }),
  );
}

type Fields = Map<number, (Buffer | bigint)[]>;

const bytes = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
const messages = (message: Buffer, number: number) => (fieldsOf(message).get(number) ?? []) as Buffer[];

/** Protocol Buffers, "Encoding": tag, then a varint, 8 bytes, bytes with their length, or 4 bytes. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  const READ: Readonly<Record<number, () => Buffer | bigint>> = {
    0: varint,
    1: () => take(8).readBigUInt64LE(),
    2: () => take(Number(varint())),
    5: () => BigInt(take(4).readUInt32LE()),
  };
  while (at < message.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    values.push(READ[tag & 7]());
  }
  return fields;
}
