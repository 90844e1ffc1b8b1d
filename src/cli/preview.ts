import type { DraftPiece, PreviewPicture } from '../domain/preview.ts';
import type { DirectOptions } from '../pipeline/engine/direct-results.ts';
import { type Edit, Studio, type TranscriptionOptions } from '../studio.ts';
import { type Command, type CommandCall, EXIT, stringOption, takeArguments, UsageError } from './command.ts';
import {
  EDIT_CHOICES,
  EDIT_HELP,
  EDIT_OPTIONS,
  LOOK_HELP,
  readEdit,
  readTranscription,
} from './edit-options.ts';
import { assertOutput, OVERWRITE_OPTION, overwriteHelp } from './output-file.ts';
import { printJson, printNotes } from './print.ts';
import { ProgressLine } from './progress-line.ts';
import { previewThere } from './remote-preview.ts';
import { clientOf } from './server-client.ts';
import { readServer, SERVER_HELP, SERVER_OPTION } from './server-option.ts';

/** START, or START-END, in seconds. */
const RANGE = /^(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?$/;

export const preview: Command = {
  usage:
    'SOURCE (--template TEMPLATE | --style style.json | --preset NAME | --cube look.cube) (-o OUT.png | --draft [START[-END]] -o OUT.mp4)',
  help: `Draws frames of SOURCE before and after the grade of apply, one below or beside the other, as one picture. With --draft it
renders up to ten seconds of the output of apply at 480 lines, with cuts, framing, transitions and sound.

Options
${LOOK_HELP}
      --at LIST         moments of SOURCE in seconds, at most nine, such as 1.5,4; default: three typical ones
      --draft RANGE     seconds of the output, such as 12 or 12-18.5; without RANGE the first ten
  -o, --output FILE     the file to write: OUT.png, or OUT.jpg (a tenth of the size); for a draft OUT.mp4
${overwriteHelp('FILE')}
${EDIT_HELP}
${SERVER_HELP}; pictures are JPEG
      --json            print {output, width, height, moments, warnings} as one JSON object; each moment has its positions in
                        the picture (before, after), its time in the output and the part that it shows (framing); for a draft
                        {output, start_seconds, duration_seconds, warnings}

Examples
  styledna preview holiday.mp4 --template trailer.mp4 -o before-after.png
  styledna preview holiday.mp4 --preset noir --strength 0.5 --at 2,7.5,31 -o noir.jpg
  styledna preview holiday.mp4 --template trailer.mp4 --draft 30-38 -o draft.mp4`,
  options: {
    ...EDIT_OPTIONS,
    at: { type: 'string' },
    draft: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    ...OVERWRITE_OPTION,
    ...SERVER_OPTION,
    json: { type: 'boolean' },
  },
  choices: EDIT_CHOICES,
  async run(call) {
    const draft = readDraft(call);
    const [source] = takeArguments(draft.call, 'SOURCE') as [string];
    const output = stringOption(call, 'output');
    if (output === undefined) {
      const what = draft.piece === null ? 'picture: -o OUT.png' : 'draft: -o OUT.mp4';
      throw new UsageError(`Name the file for the ${what}`, { field: '--output' });
    }
    const { edit, inputs } = await readEdit(call, source);
    const moments = readMoments(call);
    if (draft.piece !== null && 'atSeconds' in moments)
      throw new UsageError('--at is for pictures; --draft START sets the start of a draft');
    await assertOutput(call, output, draft.piece === null ? 'picture' : 'video', inputs);
    const line = new ProgressLine(draft.piece === null ? 'Measuring' : 'Rendering');
    const options = { signal: call.signal, onProgress: (fraction: number) => line.update(fraction) };
    const server = readServer(call);
    const work = { ...edit, ...moments, output };
    const made = await (server === null
      ? previewHere(work, draft.piece, options, readTranscription(call))
      : previewThere(clientOf(server), work, draft.piece, options)
    ).finally(() => line.end());
    if (call.values['json'] === true) printJson({ output, ...made });
    else {
      printNotes(made.warnings);
      console.log(output);
    }
    return EXIT.done;
  },
};

function previewHere(
  work: Edit & { readonly output: string; readonly atSeconds?: readonly number[] },
  piece: Partial<DraftPiece> | null,
  options: Required<DirectOptions>,
  transcription: TranscriptionOptions | undefined,
) {
  const studio = new Studio({ transcription });
  return piece === null
    ? studio.preview(work, options).then(pictureJson)
    : studio.draft({ ...work, ...piece }, options).then(draftJson);
}

/** `parseArgs` has no options with optional values, so the range is read as a positional argument. */
function readDraft(call: CommandCall): { call: CommandCall; piece: Partial<DraftPiece> | null } {
  if (call.values['draft'] !== true) return { call, piece: null };
  const range = call.positionals.length === 1 ? undefined : call.positionals.find((word) => RANGE.test(word));
  if (range === undefined) return { call, piece: {} };
  const positionals = call.positionals.filter((word) => word !== range);
  const [, start, end] = RANGE.exec(range)!;
  const startSeconds = Number(start);
  const piece =
    end === undefined ? { startSeconds } : { startSeconds, durationSeconds: Number(end) - startSeconds };
  return { call: { ...call, positionals }, piece };
}

function draftJson({
  startSeconds,
  durationSeconds,
  warnings,
}: DraftPiece & Pick<PreviewPicture, 'warnings'>) {
  return { start_seconds: startSeconds, duration_seconds: durationSeconds, warnings };
}

/** With the service's names, without the expected properties of the output. */
function pictureJson({ moments, output: _, ...picture }: PreviewPicture) {
  const named = moments.map(({ atSeconds, outputSeconds, ...rest }) => ({
    at_seconds: atSeconds,
    output_seconds: outputSeconds,
    ...rest,
  }));
  return { ...picture, moments: named };
}

function readMoments(call: CommandCall): { readonly atSeconds?: readonly number[] } {
  const list = stringOption(call, 'at');
  if (list === undefined) return {};
  const words = list.split(',').map((word) => word.trim());
  const bad = words.find((word) => !/^\d+(\.\d+)?$/.test(word));
  if (bad !== undefined)
    throw new UsageError(
      `--at takes seconds apart by commas, such as 1.5,4; "${bad}" is no number of seconds`,
    );
  return { atSeconds: words.map(Number) };
}
