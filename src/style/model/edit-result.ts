/** The result of an edit: the group `edit` of a job's result, in the names of the public interface. */
import type { z } from 'zod';
import type { editResultSchema } from './edit-result-schema.ts';

type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T;

export type EditResult = DeepReadonly<z.output<typeof editResultSchema>>;
export type EditSlotResult = EditResult['slots'][number];
export type EditSlotChoice = EditSlotResult['alternatives'][number];
export type EditMusic = NonNullable<EditResult['music']>;
