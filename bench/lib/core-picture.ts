import { type CoreUse, WORKS, type Work } from './core-use.ts';

/** A program's use of the machine, under a name. */
export interface CoreRow {
  readonly name: string;
  readonly uses: readonly CoreUse[];
}

const COLOURS: Readonly<Record<Work | 'elsewhere', string>> = {
  JavaScript: '#e69f00',
  decoding: '#56b4e9',
  encoding: '#0072b2',
  'compiling, collecting': '#cc79a7',
  other: '#999999',
  elsewhere: '#e8e8e8',
};
/** Less is not seen. */
const MIN_CORES = 0.005;
const [WIDTH, ROW_HEIGHT, GAP, LEFT, TOP] = [900, 110, 46, 40, 34];

/** Each row's cores over time, stacked by kind of work, on one scale; an SVG picture. `cores`: of the machine. */
export function corePicture(rows: readonly CoreRow[], cores: number): string {
  const seconds = Math.max(1, ...rows.map(({ uses }) => uses.at(-1)?.endSeconds ?? 0));
  const height = TOP + rows.length * (ROW_HEIGHT + GAP);
  const x = (at: number) => LEFT + (at / seconds) * (WIDTH - LEFT - 10);
  const parts = rows.map((row, index) => drawRow(row, TOP + index * (ROW_HEIGHT + GAP) + 16, cores, x));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${legend()}
${parts.join('\n')}
</svg>
`;
}

function legend(): string {
  return [...WORKS, 'elsewhere' as const]
    .map((work, index) => {
      const left = LEFT + index * 145;
      return `<rect x="${left}" y="8" width="12" height="12" fill="${COLOURS[work]}"/><text x="${left + 17}" y="18">${work === 'elsewhere' ? 'other programs' : work}</text>`;
    })
    .join('');
}

function drawRow({ name, uses }: CoreRow, top: number, cores: number, x: (at: number) => number): string {
  const y = (used: number) => top + ROW_HEIGHT * (1 - Math.min(1, used / cores));
  const bars = uses.flatMap(({ endSeconds, cores: by, elsewhere }, index) => {
    const left = x(uses[index - 1]?.endSeconds ?? 0);
    let below = 0;
    return [...WORKS, 'elsewhere' as const].map((work) => {
      const used = work === 'elsewhere' ? elsewhere : by[work];
      if (used < MIN_CORES) return '';
      const bar = `<rect x="${left.toFixed(1)}" y="${y(below + used).toFixed(1)}" width="${(x(endSeconds) - left + 0.2).toFixed(1)}" height="${(y(below) - y(below + used)).toFixed(1)}" fill="${COLOURS[work]}"/>`;
      below += used;
      return bar;
    });
  });
  const total = uses.at(-1)?.endSeconds ?? 0;
  const lines = Array.from({ length: cores + 1 }, (_, count) => {
    const at = y(count).toFixed(1);
    return `<line x1="${LEFT}" x2="${x(total).toFixed(1)}" y1="${at}" y2="${at}" stroke="#444" stroke-width=".5"/><text x="${LEFT - 6}" y="${Number(at) + 4}" text-anchor="end">${count}</text>`;
  });
  return `<text x="${LEFT}" y="${top - 6}" font-weight="bold">${name}: ${total.toFixed(1)} s, ${cpuSeconds(uses).toFixed(1)} of processor time</text>
${bars.join('')}
${lines.join('')}`;
}

/** Of the program and all that it started. */
export function cpuSeconds(uses: readonly CoreUse[]): number {
  return uses.reduce((sum, { endSeconds, cores }, index) => {
    const seconds = endSeconds - (uses[index - 1]?.endSeconds ?? 0);
    return sum + seconds * WORKS.reduce((all, work) => all + cores[work], 0);
  }, 0);
}
