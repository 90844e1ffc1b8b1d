/** Reasons of an edit in plain words: why a shot was chosen, and why a stretch of a take was not. */

/** Reasons in the planner's format (`src/style/edit/edit-choices.ts`). */
const RANK = /^(motion|activity|contrast|detail|lightness) rank (\d?\.\d+|\d) for (\d?\.\d+|\d)$/;
const SAME = 0.15;
const NAMES: Readonly<Record<string, string>> = {
  motion: 'camera motion',
  activity: 'movement',
  contrast: 'contrast',
  detail: 'detail',
  lightness: 'brightness',
};

/** Reason of usable parts of a take that fill no slot: `NO_SLOT_REASON` of the service. */
export const UNUSED_REASON = 'no slot that it fits better';

/** An unknown reason is shown in the service's words. */
export function reasonWords(reason: string): string {
  const [, name, rank, wanted] = RANK.exec(reason) ?? [];
  if (name !== undefined) {
    const off = Number(rank) - Number(wanted);
    if (Math.abs(off) <= SAME) return `${NAMES[name]} as in the look`;
    return `${off > 0 ? 'more' : 'less'} ${NAMES[name]} than in the look`;
  }
  if (reason === UNUSED_REASON) return 'usable, but no shot needs it';
  // Slots and takes have numbers from 0 in the interface, and from 1 on the page.
  return reason
    .replace(/^used in slot (\d+)$/, (_, number: string) => `already in shot ${Number(number) + 1}`)
    .replace(/^shown from take (\d+)$/, (_, number: string) => `shown from take ${Number(number) + 1}`);
}

/** Joins the reasons; similar ones become one. */
export function reasonsText(reasons: readonly string[]): string {
  const alike = new Map<string, string[]>();
  const rest: string[] = [];
  for (const words of reasons.map(reasonWords)) {
    const [, head, name, tail] = /^(|more |less )(.+?)( as in the look| than in the look)$/.exec(words) ?? [];
    if (name === undefined) rest.push(words);
    else alike.set(head! + tail!, [...(alike.get(head! + tail!) ?? []), name]);
  }
  const joined = [...alike].map(([manner, names]) => {
    const head = manner.startsWith('more ') ? 'more ' : manner.startsWith('less ') ? 'less ' : '';
    const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    return `${head}${list}${manner.slice(head.length)}`;
  });
  const text = [...rest, ...joined].join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
