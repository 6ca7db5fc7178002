/** Derives the examples of the API document from the schemas of the contract. */
import { exampleValues, patternTexts } from './example-values.ts';
import { isJson, type Json } from './schema.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): [string, unknown][] =>
  isJson(value) ? Object.entries(value) : [];

/** The name of the type of a value, as in a schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Whether a schema without variants allows a value, as far as values of a field's name can differ from it. */
function allows(schema: Json, value: unknown): boolean {
  const { type, enum: names, pattern, const: only } = schema;
  if (only !== undefined) return only === value;
  if (Array.isArray(names)) return names.includes(value);
  if (
    typeof pattern === 'string' &&
    typeof value === 'string' &&
    !new RegExp(pattern, 'u').test(value)
  )
    return false;
  const types = listOf(typeof type === 'string' ? [type] : type);
  return types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value));
}

/** The declared values, by how the path of a field ends: as a name of its own, or as the last word of one. */
const declared = exampleValues.map(
  ([calls, values]) =>
    [
      calls,
      Object.entries(values).map(([names, value]) => ({
        endings: [`.${names}`, names.charAt(0).toUpperCase() + names.slice(1)],
        value,
      })),
    ] as const,
);

/** The value that is declared for a field and fits its schema; undefined if there is none. */
function declaredFor(variants: readonly Json[], path: string): unknown {
  for (const [calls, values] of declared) {
    const fitting = values.find(
      ({ endings: [whole = '', word = ''], value }) =>
        (path.endsWith(whole) || path.endsWith(word)) && variants.some((one) => allows(one, value)),
    );
    if (fitting !== undefined && calls.test(path)) return fitting.value;
  }
  return undefined;
}

/** The variants of a schema, each without variants of its own. */
function variantsOf(schema: Json): readonly Json[] {
  const variants = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isJson);
  return variants.length === 0 ? [schema] : variants.flatMap(variantsOf);
}

/** The variant whose discriminating field has the value that is declared for it, by default the first. */
function chooseVariant({ discriminator }: Json, variants: readonly Json[], path: string): Json {
  const property = isJson(discriminator) ? String(discriminator['propertyName']) : '';
  const propertyOf = ({ properties }: Json): Json =>
    [isJson(properties) ? properties[property] : null].find(isJson) ?? {};
  const value = declaredFor(variants.map(propertyOf), `${path}.${property}`);
  const chosen = variants.find((one) => value !== undefined && propertyOf(one)['const'] === value);
  return chosen ?? variants[0] ?? {};
}

function exampleOfObject(schema: Json, path: string): Json {
  const fields = fieldsOf(schema['properties']).map(([field, of]) => [
    field,
    exampleOf(of, `${path}.${field}`),
  ]);
  const values = schema['additionalProperties'];
  return Object.fromEntries(
    fields.length === 0 && isJson(values) ? [['modified', exampleOf(values, path)]] : fields,
  );
}

/** A text for which `example-values.ts` has no value; a test refuses it in the documents. */
export const unknownText = '…';

/** An example of a schema without variants, for which no value is declared. */
function exampleByType(schema: Json, path: string): unknown {
  const [first] = listOf(schema['enum']);
  if (first !== undefined) return first;
  const { minimum, type } = schema;
  switch ([type].flat()[0]) {
    case 'object':
      return exampleOfObject(schema, path);
    case 'array':
      return [exampleOf(schema['items'], path)];
    case 'number':
    case 'integer':
      return typeof minimum === 'number' && minimum > 1 ? minimum : 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return (
        patternTexts.find((text) => 'pattern' in schema && allows(schema, text)) ?? unknownText
      );
  }
}

/** An example of a schema, with all its fields. `path`: the call, and the names of the fields that lead to it. */
export function exampleOf(schema: unknown, path: string): unknown {
  if (!isJson(schema)) throw new Error(`${path} has no schema`);
  const { const: only, contentSchema } = schema;
  if (only !== undefined) return only;
  if (contentSchema !== undefined) return JSON.stringify(exampleOf(contentSchema, path));
  const variants = variantsOf(schema);
  const declared = declaredFor(variants, path);
  if (declared !== undefined) return declared;
  if (variants[0] === schema) return exampleByType(schema, path);
  return exampleOf(chooseVariant(schema, variants, path), path);
}

/** The schema of a body with an example; a binary file has none. */
export function withExample(schema: unknown, path: string): Json {
  return isJson(schema) && schema['format'] === 'binary'
    ? { schema }
    : { schema, example: exampleOf(schema, path) };
}
