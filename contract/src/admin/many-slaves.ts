/** Many slave devices of one master, from a list that an operator pastes. */
import * as z from 'zod/mini';
import { json, route } from '../api.ts';
import { families } from '../families/registry.ts';
import { fieldErrors } from './check-fields.ts';

/** Maximum lines of a list. */
export const mostSlavesAtOnce = 500;
/** Maximum UTF-16 code units of a line. The response names a shorter line whose serial number is too long. */
export const longestSlaveLine = 2000;

const line = z.object({
  /** Counted from 1; empty lines count too. */
  line: z.number(),
  serial: z.string(),
  owner: z.nullable(z.string()),
  /** Why the slave cannot be added; null: it can. */
  error: z.nullable(z.object({ field: z.enum(['serial', 'owner']), code: z.enum(fieldErrors) })),
});
export type SlaveLine = z.infer<typeof line>;

export const addSlaves = route('POST', '/api/admin/slaves/many', {
  summary:
    'Adds slave devices to a master device, all or none: nothing is added if a line has an error, or with `isTrial`. A line is a serial number, and optionally a semicolon or tab and the customer code of its owner.',
  access: 'person',
  role: 'operator',
  body: z.object({
    family: z.enum(families),
    masterSerial: z.string().check(z.maxLength(200)),
    /** Of the slaves whose line names no owner. */
    owner: z.nullable(z.string().check(z.maxLength(200))),
    list: z
      .array(z.string().check(z.maxLength(longestSlaveLine)))
      .check(z.maxLength(mostSlavesAtOnce)),
    isTrial: z.boolean(),
  }),
  answer: json(z.object({ lines: z.array(line), added: z.number() })),
  refusals: ['API_ERROR_UNAUTHORIZED', 'BAD_REQUEST', 'FIELDS_NOT_ACCEPTED'],
});
