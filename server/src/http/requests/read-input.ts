/** Validates a request against its route's schemas; a wrong path is 404, anything else wrong is 400. */
import type { Route } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import * as z from 'zod/mini';
import { isGuid } from '../../config/guids.ts';

z.config(z.locales.en());

/** Fields that a refusal names at most: a list of thousands can be wrong in each entry. */
const mostFields = 20;

type Schema = NonNullable<Route['parts']['params']>;

// Excludes what the database's text and jsonb cannot store: NUL and unpaired surrogates.
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether every text in a value can be stored. Bodies are small, and their size limits nesting. */
export function hasStorableTexts(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string' && !isStorable(one)) return false;
    if (typeof one !== 'object' || one === null) continue;
    // one by one: as arguments of a single call, a long list would not fit on the stack
    for (const [key, member] of Object.entries(one)) open.push(key, member);
  }
  return true;
}

const fieldNames = new WeakMap<Schema, ReadonlyMap<string, string>>();

/** The names of a schema's fields, by their lowercase form. */
function fieldNamesOf(schema: Schema): ReadonlyMap<string, string> {
  const known = fieldNames.get(schema);
  if (known !== undefined) return known;
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  fieldNames.set(schema, names);
  return names;
}

/** The value with its fields named as in the schema. If two differ only in case, the exact match counts. */
function renameFields(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = fieldNamesOf(schema);
  const renamed = Object.entries(value).map(([name, one]): [string, unknown] => [
    names.get(name.toLowerCase()) ?? name,
    one,
  ]);
  return { ...Object.fromEntries(renamed), ...value };
}

function read(
  { parts }: Route,
  schema: Schema | undefined,
  value: unknown,
  code: 'NOT_FOUND' | 'BAD_REQUEST',
) {
  if (schema === undefined) return {};
  if (!hasStorableTexts(value)) throw new Refusal(code);
  const outcome = schema.safeParse(
    parts.dialect === 'encoding-api' ? renameFields(schema, value) : value,
  );
  if (!outcome.success) throw new Refusal(code, describeIssues(outcome.error));
  return outcome.data;
}

/** Which fields are wrong, and what they must be. The messages contain no received value, which may be a secret. */
function describeIssues({ issues }: z.core.$ZodError) {
  const fields = issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  return { fields: fields.slice(0, mostFields) };
}

// Path parameters that are GUIDs have names like this.
const guidName = /(guid|slot)$/i;

/** The path's parameters. @throws {Refusal} NOT_FOUND, also when a GUID is malformed */
export function readParams(route: Route, params: unknown): unknown {
  const texts = Object.entries((params ?? {}) as Readonly<Record<string, string>>).map(
    ([name, text]): [string, string] => {
      if (!guidName.test(name)) return [name, text];
      if (!isGuid(text)) throw new Refusal('NOT_FOUND');
      return [name, text.toLowerCase()];
    },
  );
  return read(route, route.parts.params, Object.fromEntries(texts), 'NOT_FOUND');
}

/** The query. @throws {Refusal} BAD_REQUEST */
export function readQuery(route: Route, query: unknown): unknown {
  return read(route, route.parts.query, query, 'BAD_REQUEST');
}

/** The JSON body of a call that needs one. @throws {Refusal} BAD_REQUEST */
export function readBody(route: Route, body: unknown): unknown {
  return read(route, route.parts.body, body, 'BAD_REQUEST');
}

/** The text fields sent with an uploaded file. @throws {Refusal} BAD_REQUEST */
export function readFields(route: Route, fields: unknown): unknown {
  return read(route, route.parts.fields, fields, 'BAD_REQUEST');
}
