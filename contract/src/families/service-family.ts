/** What the families have in common whose files only their maker's service opens and seals. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import { decodedComponent } from '../results.ts';
import { type InformationFields, informationOf } from './information.ts';

/** The result of a decode. `types`: the components of its reads; `image` is the only one of a read with one image. */
export function serviceResult<
  const F extends InformationFields,
  const T extends readonly [string, ...string[]],
>(fields: F, types: T) {
  return z.object({
    slotGUID: guid,
    name: z.string(),
    readFileName: z.string(),
    /** Bytes. */
    readFileSize: z.nullable(z.number()),
    /** The one image, or the zip of all components. */
    decodedFileURL: z.string(),
    decodedFileName: z.string(),
    components: z.array(decodedComponent(types)),
    /** Null: such services make no ID file. */
    idFileURL: z.nullable(z.string()),
    idFileName: z.nullable(z.string()),
    information: informationOf(fields),
    checksumRules: z.number(),
    warnings: z.array(z.string()),
  });
}
