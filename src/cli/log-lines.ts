import type { Config } from '../settings/config.ts';

/**
 * What hides, in a line of the log, where the data lie and every secret of the settings: the text of an error may hold
 * them, whoever made it.
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
  // A folder is replaced where a path begins with it: `/data` is no part of `/srv/data` or `/database`.
  const folder = new RegExp(
    `(?:(?<=file://)|(?<![\\w./-]))${RegExp.escape(inJson(DATA_DIR))}(?![\\w.-])`,
    'g',
  );
  return (line) =>
    hidden
      .reduce((text, [secret, instead]) => text.replaceAll(secret, instead), line)
      .replaceAll(folder, 'DATA_DIR');
}

/** Percent-decoded as the server receives it; unchanged if it is not valid percent-encoding. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
