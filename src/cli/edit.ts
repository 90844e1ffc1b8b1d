import type { TakesInput } from '../pipeline/engine/direct-results.ts';
import { Studio, type TakesEdit } from '../studio.ts';
import { reasonsText } from '../style/model/edit-reasons.ts';
import type { EditResult } from '../style/model/edit-result.ts';
import { bytesText, type WrittenFile, writtenFiles } from './applied-text.ts';
import { type Command, type CommandCall, EXIT, stringOption } from './command.ts';
import { configChoices, configHelp, configOptions, OPTION_FIELDS, readJobConfig } from './config-options.ts';
import {
  isTranscribed,
  LOOK_CHOICES,
  readStyle,
  readTranscription,
  STYLE_HELP,
  STYLE_OPTIONS,
  TRANSCRIBE,
} from './edit-options.ts';
import {
  assertAbsent,
  assertOutput,
  assertWritableFolder,
  isOverwriting,
  OVERWRITE_OPTION,
} from './output-file.ts';
import { printJson, printNotes } from './print.ts';
import { ProgressLine } from './progress-line.ts';
import { readTakes, TAKES_CHOICES, TAKES_HELP, TAKES_OPTIONS } from './takes-options.ts';
import { timeText } from './time-left.ts';

/** Number of reasons shown for a slot. */
const SHOWN_REASONS = 3;
/** Fields for the rhythm of one source do not apply to an edit. */
const FIELDS = OPTION_FIELDS.filter(
  (field) => field !== 'pacing' && field !== 'framing_focus' && field !== 'source_range',
);

export const edit: Command = {
  usage: 'TAKE … [--music SONG] (--template REEL | --style style.json | --preset NAME) -o OUT.mp4',
  help: `Makes one reel from many takes: cuts videos and photos to the song in the rhythm, camera moves, transitions and look of a
template. Prints a line for each slot with the chosen take and the reasons, and the output's path. Use --pin, --ban and --seed
to change the result.

Options
${STYLE_HELP}
${TAKES_HELP}
  -o, --output FILE     the MP4 to write; it appears when it is finished and verified. Without it, only the plan is printed
      --storyboard FILE also write one picture with a moment of each slot (JPEG or PNG), which needs no rendering
${configHelp(FIELDS)}
      --artifacts DIR   also write report.html (the storyboard with reasons), style.json, grade.cube, timeline.otio and
                        timeline.xml (for editing programs), poster.jpg, filmstrip.jpg
      --overwrite       replace existing files; without it they are an error
      --json            print the result as one JSON object: {output, seconds, files, edit, warnings}

Examples
  styledna edit day/*.mp4 photo.jpg --music song.mp3 -t reel.mp4 -o reel-of-the-day.mp4
  styledna edit a.mp4 b.mp4 --music song.mp3 -t reel.mp4 --storyboard board.jpg # the plan with a picture, without rendering
  styledna edit a.mp4 b.mp4 --music song.mp3 -t reel.mp4 --pin 3=b.mp4@12.4 --ban a.mp4=8-11 -o out.mp4
  styledna edit day/*.mp4 -t song.mp3 -o out.mp4                                # a song alone: cut on its beats, in the takes' own colors
  styledna edit talk.mp4 -t reel.mp4 --duration 30 -o highlights.mp4            # the highlights of one long video
  styledna edit talk.mp4 beach.mp4 --talk on -t edited-talk.mp4 -o out.mp4      # a talk: its cuts are hidden by other takes
  styledna edit a.mp4 b.mp4 --talk on --captions a.mp4=a.srt --captions b.mp4=b.srt -t edited-talk.mp4 -o out.mp4`,
  options: {
    ...STYLE_OPTIONS,
    ...TAKES_OPTIONS,
    output: { type: 'string', short: 'o' },
    ...configOptions(FIELDS),
    storyboard: { type: 'string' },
    artifacts: { type: 'string' },
    ...OVERWRITE_OPTION,
    json: { type: 'boolean' },
  },
  choices: { ...LOOK_CHOICES, ...TAKES_CHOICES, ...configChoices(FIELDS) },
  async run(call) {
    const look = await readStyle(call);
    const storyboard = stringOption(call, 'storyboard');
    const transcription = readTranscription(call);
    const speech = isTranscribed(call) ? ({ captions: TRANSCRIBE } as const) : {};
    const takes = {
      ...readTakes(call),
      ...{ look, config: { ...readJobConfig(call), ...speech } },
      ...(storyboard === undefined ? {} : { storyboard }),
    };
    const output = stringOption(call, 'output');
    const studio = new Studio({ transcription });
    return output === undefined ? printPlan(call, studio, takes) : render(call, studio, takes, output);
  },
};

type EditCall = Omit<TakesEdit, keyof TakesInput> & TakesInput;

async function printPlan(call: CommandCall, studio: Studio, takes: EditCall): Promise<number> {
  await assertStoryboard(call, takes);
  const line = new ProgressLine('Planning');
  const {
    edit: planned,
    files,
    plan,
  } = await studio
    .planEdit(takes, { signal: call.signal, onProgress: (fraction) => line.update(fraction) })
    .finally(() => line.end());
  if (call.values['json'] === true) {
    printJson({ edit: namedSlots(planned, files), warnings: plan.warnings });
    return EXIT.done;
  }
  printNotes(plan.warnings);
  console.log([slotList(planned, files), ...talkLines(planned, files)].join('\n'));
  return EXIT.done;
}

async function render(call: CommandCall, studio: Studio, takes: EditCall, output: string): Promise<number> {
  const artifacts = stringOption(call, 'artifacts');
  await assertOutput(call, output, 'video', inputsOf(takes));
  await assertStoryboard(call, takes);
  if (artifacts !== undefined) await assertWritableFolder(artifacts, { make: true });
  await assertAbsent([output], isOverwriting(call));
  const startedAt = performance.now();
  const line = new ProgressLine('Rendering');
  const made = await studio
    .edit(
      { ...takes, output, ...(artifacts === undefined ? {} : { artifacts }) },
      { signal: call.signal, onProgress: (fraction) => line.update(fraction) },
    )
    .finally(() => line.end());
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const boards = takes.storyboard === undefined ? [] : [takes.storyboard];
  const paths = [output, ...boards, ...made.artifacts.map((name) => `${artifacts}/${name}`)];
  const files = await writtenFiles(paths);
  if (call.values['json'] === true) {
    const { edit: planned, warnings } = made;
    printJson({ output, seconds, files, edit: namedSlots(planned, made.files), warnings });
    return EXIT.done;
  }
  printNotes(made.warnings);
  console.error([slotList(made.edit, made.files), ...talkLines(made.edit, made.files)].join('\n'));
  console.error(doneText(made.edit, seconds, files));
  console.log(output);
  return EXIT.done;
}

function inputsOf({ takes, music, look }: EditCall): readonly string[] {
  return [
    ...takes.flatMap(({ file, captions }) => (captions === undefined ? [file] : [file, captions])),
    ...(music === null ? [] : [music]),
    ...('template' in look ? [look.template] : []),
  ];
}

async function assertStoryboard(call: CommandCall, takes: EditCall): Promise<void> {
  const { storyboard } = takes;
  if (storyboard === undefined) return;
  await assertOutput(call, storyboard, 'picture', inputsOf(takes));
}

function doneText(
  { slots, duration_seconds }: EditResult,
  seconds: number,
  files: readonly WrittenFile[],
): string {
  const onBeat = slots.filter(({ on_beat }) => on_beat).length;
  const beats = onBeat === 0 ? '' : `, ${onBeat} on the beat`;
  const size = files[0] === undefined ? '' : ` (${bytesText(files[0].size_bytes)})`;
  return `Done in ${timeText(seconds)}: ${slots.length} shots${beats}, ${duration_seconds.toFixed(1)} s${size}`;
}

/** A line for each slot: its place in the output, its take and moment, and why. */
function slotList({ slots }: EditResult, files: Readonly<Record<string, string>>): string {
  const names = slots.map(({ video_id }) => files[video_id] ?? video_id);
  const width = Math.max(...names.map((name) => name.length));
  const lines = slots.map((slot, number) => {
    const place = `${number.toString().padStart(3)}  ${slot.start_seconds.toFixed(2).padStart(6)} s`;
    const moment = `${slot.source_start_seconds.toFixed(2)}–${slot.source_end_seconds.toFixed(2)} s`;
    const reasons = reasonsText(slot.reason_codes?.slice(0, SHOWN_REASONS) ?? []);
    return `${place}  ${names[number].padEnd(width)}  ${moment.padEnd(17)}${slot.on_beat ? ' ♪ ' : '   '}${reasons}`;
  });
  return lines.join('\n');
}

/** What a talk leaves out, and which takes it does not show. */
function talkLines({ talk, takes }: EditResult, files: Readonly<Record<string, string>>): string[] {
  if (talk === undefined) return [];
  const nameOf = (take: EditResult['takes'][number]) => files[take.video_id] ?? take.video_id;
  const speaking = takes.filter(({ role }) => role === 'talk');
  const removed = speaking.map((take) => `${(take.removed_seconds ?? 0).toFixed(1)} s of ${nameOf(take)}`);
  const share = `${talk.b_roll_seconds.toFixed(1)} s (${Math.round(100 * talk.b_roll_share)} %)`;
  const unused = takes.filter(({ used, left_out }) => used.length === 0 && left_out === undefined);
  return [
    `Talk: left out ${removed.join(', ')}; B-roll for ${share}`,
    ...unused.map((take) => `Not shown: ${nameOf(take)} (${reasonsOf(take.passed_over)})`),
  ];
}

function reasonsOf(passedOver: EditResult['takes'][number]['passed_over']): string {
  const reasons = [...new Set(passedOver.map(({ reason }) => reason))];
  return reasons.length === 0 ? 'no usable part' : reasons.join(', ');
}

/** The result with the files' paths beside their ids. */
function namedSlots(result: EditResult, files: Readonly<Record<string, string>>) {
  const named = <Part extends { readonly video_id: string }>(part: Part) => ({
    ...part,
    file: files[part.video_id] ?? null,
  });
  return {
    ...result,
    slots: result.slots.map((slot) => ({ ...named(slot), alternatives: slot.alternatives.map(named) })),
    takes: result.takes.map(named),
  };
}
