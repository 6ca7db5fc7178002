/** What the results of reads with components have in common. */
import * as z from 'zod/mini';
import { decodedComponent, doubleMark } from '../results.ts';

const text = z.nullable(z.string());

/** The fields of a result besides the names of its slot. `types`: the components, as in paths and results. */
export function componentsResult<
  const T extends readonly [string, ...string[]],
  I extends z.ZodMiniType,
>(types: T, information: I) {
  return {
    name: z.string(),
    readFileName: z.string(),
    /** Bytes; null for reads that were decoded before it was recorded. */
    readFileSize: z.nullable(z.number()),
    /** The zip of all components; where a read can have only one image, that image. */
    decodedFileURL: z.string(),
    decodedFileName: z.string(),
    components: z.array(decodedComponent(types)),
    /** Null where the engine makes no ID file. */
    idFileURL: text,
    idFileName: text,
    information,
    checksumRules: z.number(),
    warnings: z.array(z.string()),
    isDouble: doubleMark,
  };
}
