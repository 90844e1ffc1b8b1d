import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { isStyleDnaError } from '../client/error.ts';
import { DirectoryLockedError } from '../database/directory-lock.ts';
import { ConfigError, Failure, isFailure } from '../domain/errors.ts';
import { visibleLine } from '../received/visible-text.ts';
import { type CommandCall, EXIT, UsageError } from './command.ts';
import { acceptedFormats, TEXT_PLACES } from './file-formats.ts';

/** An error as `--json` prints it. */
export interface JsonError {
  readonly code: string;
  readonly message: string;
  /** The option, the argument, or the field of a request at fault; null: none. */
  readonly field: string | null;
}

interface FailureReport {
  /** For a person. */
  readonly message: string;
  readonly exitCode: number;
  readonly error: JsonError;
}

/** The parsed words of a call; null: they could not be parsed. */
type GivenWords = Pick<CommandCall, 'positionals' | 'values'> | null;

/** The report of an error that a command threw. `name` and `usage`: of the command. */
export function failureReport(
  { name, usage, given }: { readonly name: string; readonly usage: string; readonly given: GivenWords },
  error: unknown,
): FailureReport {
  const placeOf = (file: string | undefined) => (file === undefined ? null : placeOfFile(file, usage, given));
  if (error instanceof UsageError) {
    const field = error.field ?? placeOf(error.file);
    const message = withFormats(error.message, error, field);
    const report = reportOf('USAGE_ERROR', message, field, EXIT.usage);
    return { ...report, message: `${message}\nTry: styledna ${name} --help` };
  }
  if (error instanceof ConfigError) return reportOf('CONFIG_ERROR', error.message, null, EXIT.usage);
  if (error instanceof Failure) {
    const field = placeOf(error.file) ?? error.fields[0]?.path ?? null;
    const detail = withFolder(withFormats(error.detail, error, field), error, name);
    return withCode(reportOf(error.code, detail, field, EXIT.refused));
  }
  if (isStyleDnaError(error)) {
    const [code, field] = [visibleLine(error.code), error.fields[0]?.path ?? null];
    return withCode(
      reportOf(
        code,
        `${NO_ANSWERS.includes(code) ? '' : 'The service says: '}${visibleLine(error.message)}`,
        field && visibleLine(field),
        EXIT.refused,
      ),
    );
  }
  if (error instanceof DirectoryLockedError)
    return reportOf('DATA_DIR_IN_USE', error.message, null, EXIT.refused);
  if (isSystemRefusal(error))
    return reportOf(systemCode(error), inWords(error, name), placeOf(error.file ?? error.path), EXIT.refused);
  const bug = error instanceof Error ? error : new Error(String(error));
  return { ...reportOf('INTERNAL_ERROR', bug.message, null, EXIT.bug), message: bug.stack ?? bug.message };
}

function reportOf(code: string, message: string, field: string | null, exitCode: number): FailureReport {
  return { message, exitCode, error: { code, message, field } };
}

function withCode(report: FailureReport): FailureReport {
  return { ...report, message: `${report.message} (${report.error.code})` };
}

/** The list of the formats of all places, with which a refusal ends that does not know its own. */
const ALL_FORMATS = /; send [^;]*$/;

/** A refusal of a file for its content, with the formats of the place where it was given. */
function withFormats(message: string, error: UsageError | Failure, field: string | null): string {
  const formats = field === null || error.file === undefined ? null : acceptedFormats(field);
  const isOfFormat =
    ALL_FORMATS.test(message) || (TEXT_PLACES.includes(field ?? '') && !isFailure(error, 'FILE_NOT_FOUND'));
  if (formats === null || !isOfFormat) return message;
  return `${message.replace(ALL_FORMATS, '').replace(/[.\s]+$/, '')}. ${formats}`;
}

/** The client's own errors, without an answer of the service. */
const NO_ANSWERS = ['CONNECTION_FAILED', 'TIMEOUT'];

/** Commands that write to the data folder of a service, which the messages of its storage do not name. */
const OF_DATA = ['serve', 'work', 'export', 'import', 'migrate'];

/** A full disk with its folder. Media processes write to the folder for temporary files; messages of a service name no path. */
function withFolder(message: string, error: Failure, name: string): string {
  const isFull = error.code === 'INSUFFICIENT_STORAGE' && /\bdisk\b|\bspace\b/.test(message);
  if (!isFull || error.file !== undefined) return message;
  return `${message.replace(/\.$/, '')}. It is the disk of ${writtenFolder(name)}`;
}

function writtenFolder(name: string): string {
  return OF_DATA.includes(name)
    ? 'the data folder (DATA_DIR)'
    : `${tmpdir()}, the folder for temporary files (TMPDIR sets another)`;
}

/** The option or argument whose value is this file; null: none. */
function placeOfFile(file: string, usage: string, given: GivenWords): string | null {
  if (given === null) return null;
  const option = Object.entries(given.values).find(([, value]) => [value].flat().includes(file));
  if (option !== undefined) return `--${option[0]}`;
  const position = given.positionals.indexOf(file);
  // The arguments come first in a usage, such as "FIRST SECOND [--json]".
  const names = /^(?:[A-Z]+ ?(?:… ?)?)*/.exec(usage)![0].match(/[A-Z]+/g) ?? [];
  return position < 0 ? null : (names[Math.min(position, names.length - 1)] ?? null);
}

/**
 * Errors that the user or the administrator can resolve: a port in use, a folder without write permission, a full disk.
 */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use by another program',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'no name server answers',
  ECONNREFUSED: 'nothing listens there',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file exceeds the size that the system lets a process write (ulimit -f)',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file is in the way',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};

type SystemError = NodeJS.ErrnoException & {
  readonly address?: string;
  /** Of a name that cannot be resolved. */
  readonly hostname?: string;
  readonly port?: number;
  readonly file?: string;
};

function isSystemRefusal(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && String(error.code) in REFUSALS;
}

/** The product's code where there is one, else the system's. */
function systemCode({ code }: SystemError): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'INSUFFICIENT_STORAGE';
  return code === 'ENOENT' ? 'FILE_NOT_FOUND' : code!;
}

/** A write to an open file fails without its path. */
function inWords(error: SystemError, name: string): string {
  if (systemCode(error) === 'INSUFFICIENT_STORAGE') {
    const folder = error.path === undefined ? (error.file ?? writtenFolder(name)) : dirname(error.path);
    return `${folder}: ${REFUSALS[error.code!]}; free some space there, or choose another folder (${error.code}, ${error.syscall})`;
  }
  const host = error.port === undefined ? error.address : `${error.address}:${error.port}`;
  const what = error.path ?? host ?? error.hostname ?? 'The system';
  return `${what}: ${REFUSALS[error.code!]} (${error.code}, ${error.syscall})`;
}
