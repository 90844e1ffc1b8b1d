import { visibleLine, visibleText } from '../received/visible-text.ts';
import type { Config } from '../settings/config.ts';

/**
 * Returns a function that removes the data folder's path and all secrets of the settings from a log line. Errors of
 * libraries can contain them.
 */
export function logCensor(config: Config): (line: string) => string {
  const { ADMIN_TOKEN, DATABASE_URL, DATA_DIR, WEBHOOK_SECRETS, s3 } = config;
  const password = DATABASE_URL === undefined ? '' : new URL(DATABASE_URL).password;
  const hidden = [
    ...[DATABASE_URL, password, decoded(password), s3?.secretAccessKey, s3?.accessKeyId],
    ...[ADMIN_TOKEN, ...WEBHOOK_SECRETS],
  ]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => [inJson(text!), '[hidden]'] as const);
  // A folder is replaced only as the beginning of a path: `/data` is no part of `/srv/data` or `/database`.
  const folder = new RegExp(
    `(?:(?<=file://)|(?<![\\w./-]))${RegExp.escape(inJson(DATA_DIR))}(?![\\w.-])`,
    'g',
  );
  return (line) =>
    hidden
      .reduce((text, [secret, instead]) => text.replaceAll(secret, instead), line)
      .replaceAll(folder, 'DATA_DIR');
}

/** Percent-decoded, as the server receives it; unchanged if the percent-encoding is invalid. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Names of pino's levels above `info`, from which a line says how grave it is. */
const GRAVE: Readonly<Record<number, string>> = { 40: 'Warning: ', 50: 'Error: ', 60: 'Error: ' };

/** A line of the log for a terminal: time, message, and the other fields but those of traces. */
export function humanLine(line: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const at = new Date(Number(time)).toTimeString().slice(0, 8);
  const more = Object.entries(fields)
    .filter(([name]) => !/^(trace_id|span_id|trace_flags)$/.test(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const { stack, message } = (err ?? {}) as { readonly stack?: string; readonly message?: string };
  const first = visibleLine([`${GRAVE[Number(level)] ?? ''}${String(msg)}`, ...more].join('  '));
  const cause = stack ?? message;
  return `${at}  ${first}\n${cause === undefined ? '' : `${visibleText(cause)}\n`}`;
}
