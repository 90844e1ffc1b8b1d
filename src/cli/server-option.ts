import { Failure } from '../domain/errors.ts';
import { type CommandCall, type OptionTable, stringOption, UsageError } from './command.ts';

export const SERVER_OPTION = { server: { type: 'string' } } as const satisfies OptionTable;

/** Default address of `styledna serve`. */
export const LOCAL_SERVER = 'http://127.0.0.1:8080';

export const SERVER_HELP = `      --server URL      let the service at URL do the work, such as http://127.0.0.1:8080; the result is the same`;

/** The address of the service that does the work; null: this machine does. Throws `UsageError`. */
export function readServer(call: CommandCall): string | null {
  const url = stringOption(call, 'server');
  if (url === undefined) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError(
    `--server must be an http or https address, such as http://127.0.0.1:8080; got ${url}`,
  );
}

/** The error for an option that works only on this machine. */
export function notOverServer(what: string): Failure {
  return new Failure('INPUT_UNSUPPORTED', `${what} cannot be combined with --server`);
}
