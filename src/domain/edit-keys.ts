/** Unknown keys of an edit in the request as sent: the parsed edit does not contain them. */
import { z } from 'zod';
import { editSchema } from './edit-options.ts';

export interface EditKeys {
  /** Dotted paths, as `edit.takes.0.exclud`. */
  readonly unknown: readonly string[];
  /** Paths of the known keys at the same level. */
  readonly known: readonly string[];
}

export function editKeys(raw: unknown): EditKeys {
  const found = { unknown: [] as string[], known: [] as string[] };
  collect(editSchema, raw, 'edit', found);
  return found;
}

function collect(
  schema: z.ZodType,
  value: unknown,
  path: string,
  found: { readonly unknown: string[]; readonly known: string[] },
): void {
  const object = objectWithin(schema);
  if (object === null || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(object, item, `${path}.${index}`, found);
    return;
  }
  const shape: Readonly<Record<string, z.ZodType>> = object.shape;
  found.known.push(...Object.keys(shape).map((key) => `${path}.${key}`));
  for (const [key, part] of Object.entries(value)) {
    if (Object.hasOwn(shape, key)) collect(shape[key], part, `${path}.${key}`, found);
    else found.unknown.push(`${path}.${key}`);
  }
}

/** The object that a schema is, or a list of them has; null: neither. */
function objectWithin(schema: z.core.$ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodArray) return objectWithin(schema.element);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return objectWithin(schema.unwrap());
  return null;
}
