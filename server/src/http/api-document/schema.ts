/** Turns a schema of the contract into JSON Schema, and names the discriminator of its unions. */
import type { Route } from '@recodery/contract/api';
import * as z from 'zod/mini';

/** A fragment of a JSON Schema or OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;
type Schema = NonNullable<Route['parts']['params']>;

/** Whether a value is a JSON object or array. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** The JSON Schema of a request (`input`) or response (`output`). */
export function schemaOf(schema: Schema = z.object({}), io: 'input' | 'output' = 'input') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'union' && 'discriminator' in def)
        Object.assign(jsonSchema, { discriminator: { propertyName: def.discriminator } });
    },
  });
  return rest;
}
