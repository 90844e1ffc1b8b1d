/** Errors of fields and of jobs, as answers report them. */
import { z } from 'zod';
import { JOB_ERRORS, type JobErrorCode } from '../../domain/errors.ts';
import { REFUSAL_CODES } from '../../domain/refusals.ts';
import { STAGE_NAMES } from '../../domain/stage.ts';

const text = z.string();

export const fieldErrorSchema = z
  .object({
    path: text,
    message: text,
    code: z
      .enum(REFUSAL_CODES)
      .optional()
      .describe('For programs, where one field can be wrong in several ways'),
    values: z.record(z.string(), z.number()).optional().describe('The numbers of the message, by name'),
  })
  .meta({ id: 'FieldError' });

export const jobErrorSchema = z
  .object({
    code: z.enum(Object.keys(JOB_ERRORS) as [JobErrorCode, ...JobErrorCode[]]),
    message: text,
    detail: text,
    stage: z.enum(STAGE_NAMES).nullable(),
    attempt: z.int().min(0),
    retryable: z.boolean(),
    fields: z.array(fieldErrorSchema).optional().describe('With EDIT_IMPOSSIBLE: every field that is wrong'),
    occurred_at: z.iso.datetime().describe('RFC 3339, UTC, with milliseconds'),
  })
  .meta({ id: 'JobError' });
