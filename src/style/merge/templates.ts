import type { Style } from '../model/schema.ts';

/** A template of a style, with the name that reports call it by. */
export interface StyleTemplate {
  readonly name: string;
  readonly style: Style;
}

/** Templates with equal styles, as one. */
export interface Template extends StyleTemplate {
  /** How many there are. */
  readonly weight: number;
}

/** Templates with different styles, in an order that depends on their content alone. */
export function distinctTemplates(templates: readonly StyleTemplate[]): Template[] {
  const found = new Map<string, Template>();
  const inOrder = templates.toSorted(
    (one, other) => compared(one.name, other.name) || compared(one.style.created_at, other.style.created_at),
  );
  for (const { name, style } of inOrder) {
    // The time of a measurement is no part of a style.
    const key = JSON.stringify(sorted({ ...style, created_at: null }));
    const known = found.get(key);
    found.set(key, known === undefined ? { name, style, weight: 1 } : { ...known, weight: known.weight + 1 });
  }
  return [...found].sort(([one], [other]) => compared(one, other)).map(([, template]) => template);
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The same value with the keys of all objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => compared(one, other))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
