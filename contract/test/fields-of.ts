/** The fields of a schema, for the tests that repeat promised names. */
import * as z from 'zod/mini';

/** The fields of an object schema, at any depth. */
export function fieldsOf(schema: z.core.$ZodType): string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const options = [described, ...(described.anyOf ?? []), ...(described.oneOf ?? [])];
  return options.flatMap((one) => Object.keys((one as { properties?: object }).properties ?? {}));
}
