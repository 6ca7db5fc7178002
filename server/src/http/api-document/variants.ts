/**
 * Moves the variants of discriminated unions to the shared schemas of an OpenAPI document: a discriminator applies to
 * referenced schemas only.
 */
import { isDeepStrictEqual } from 'node:util';
import { isJson, type Json } from './schema.ts';

/** The value of the discriminating property of a variant. */
function valueOf(variant: Json, property: string): string {
  const { [property]: found } = isJson(variant['properties']) ? variant['properties'] : {};
  if (!isJson(found) || typeof found['const'] !== 'string')
    throw new Error(`a variant has no constant ${property}`);
  return found['const'];
}

/**
 * The fragment with references instead of the variants, and the variants as schemas by name: the property and its value,
 * such as `asyncOperationType.KESSv2Decode`.
 */
export function shareVariants(fragment: Json): { readonly json: Json; readonly schemas: Json } {
  const schemas: Record<string, unknown> = {};
  const share = (variant: Json, property: string): [value: string, ref: string] => {
    const value = valueOf(variant, property);
    const name = `${property}.${value}`;
    if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], variant))
      throw new Error(`two different schemas are named ${name}`);
    schemas[name] = variant;
    return [value, `#/components/schemas/${name}`];
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isJson(value)) return value;
    const json = Object.fromEntries(Object.entries(value).map(([key, of]) => [key, walk(of)]));
    const { discriminator, oneOf, ...rest } = json;
    if (!isJson(discriminator) || !Array.isArray(oneOf)) return json;
    const property = String(discriminator['propertyName']);
    const variants = oneOf.filter(isJson).map((variant) => share(variant, property));
    return {
      ...rest,
      oneOf: variants.map(([, ref]) => ({ $ref: ref })),
      discriminator: { propertyName: property, mapping: Object.fromEntries(variants) },
    };
  };
  const json = walk(fragment);
  if (!isJson(json)) throw new Error('the fragment is not an object');
  return { json, schemas };
}
