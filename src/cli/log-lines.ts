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
