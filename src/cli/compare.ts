import { extname } from 'node:path';
import { progressParts } from '../pipeline/stages/stage-tools.ts';
import { visibleJson } from '../received/visible-text.ts';
import { Studio } from '../studio.ts';
import type { Style } from '../style/model/schema.ts';
import { styleSentence } from '../style/model/style-sentence.ts';
import { type Command, EXIT, takeArguments } from './command.ts';
import { readStyleFile } from './edit-options.ts';
import { ProgressLine } from './progress-line.ts';
import { type ComparedRow, comparedRows, fixed } from './style-table.ts';

/** Longer values are truncated; `--json` prints them completely. */
const MAX_COLUMN = 34;

export const compare: Command = {
  usage: 'FIRST SECOND [--json]',
  help: `Measures two videos or images, or reads their Style DNA (.json, see: styledna extract), and shows each as a sentence,
then both side by side with the differences: between a result and its template, or between two edits.

Options
      --json         one JSON object on standard output: {first, second, rows: [{name, first, second, difference, unit}]}

Examples
  styledna compare trailer.mp4 holiday-styled.mp4
  styledna compare monday.json tuesday.json --json | jq '.rows[] | select(.difference != 0)'`,
  options: { json: { type: 'boolean' } },
  async run(call) {
    const files = takeArguments(call, 'FIRST', 'SECOND') as [string, string];
    const line = new ProgressLine('Measuring');
    const parts = progressParts(line.update, [1, 1]);
    const studio = new Studio();
    const styles: Style[] = [];
    try {
      for (const [index, file] of files.entries()) {
        const isStyle = extname(file).toLowerCase() === '.json';
        const options = { signal: call.signal, onProgress: parts[index] };
        styles.push(isStyle ? await readStyleFile(file) : await studio.extract(file, options));
      }
    } finally {
      line.end();
    }
    const [first, second] = styles as [Style, Style];
    const rows = comparedRows(first, second);
    console.log(
      call.values['json'] === true
        ? visibleJson({ first, second, rows })
        : [
            ...styles.map((style, index) => `${files[index]}: ${styleSentence(style)}`),
            '',
            comparedText(rows),
          ].join('\n'),
    );
    return EXIT.done;
  },
};

/** Columns: name, first value, second value, difference if there is one. */
export function comparedText(rows: readonly ComparedRow[]): string {
  const cells = rows.map(({ name, first, second, difference, unit }) => [
    name,
    shortened(first ?? '–'),
    shortened(second ?? '–'),
    differenceText(first, second, difference, unit),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function differenceText(
  first: string | null,
  second: string | null,
  difference: number | null,
  unit: string,
): string {
  if (difference === null) return first === second ? '' : 'differs';
  if (difference === 0) return '';
  const sign = difference > 0 ? '+' : '';
  return `${sign}${fixed(difference, 2)} ${unit.startsWith('of ') ? '' : unit.split(' ')[0]}`.trimEnd();
}

function shortened(text: string): string {
  return text.length <= MAX_COLUMN ? text : `${text.slice(0, MAX_COLUMN - 1)}…`;
}
