/** Validates a request against its route's schemas; a wrong path is 404, anything else wrong is 400. */
import type { Route } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/errors';
import { ZodMiniObject } from 'zod/mini';
import { isGuid } from '../config/guids.ts';

type Schema = NonNullable<Route['parts']['params']>;

// Excludes what the database's text and jsonb cannot store: NUL and unpaired surrogates.
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether every text in a value can be stored. Bodies are small, and their size limits nesting. */
function holdsStorableTexts(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === 'string' && !isStorable(one)) return false;
    if (typeof one === 'object' && one !== null)
      open.push(...Object.keys(one), ...Object.values(one));
  }
  return true;
}

function read(schema: Schema | undefined, value: unknown, code: 'NOT_FOUND' | 'BAD_REQUEST') {
  if (schema === undefined) return {};
  if (!holdsStorableTexts(value)) throw new Refusal(code);
  const outcome = schema.safeParse(value);
  if (!outcome.success) throw new Refusal(code);
  return outcome.data;
}

// Path parameters that are GUIDs have such names.
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
  return read(route.parts.params, Object.fromEntries(texts), 'NOT_FOUND');
}

/** The query. @throws {Refusal} BAD_REQUEST */
export function readQuery(route: Route, query: unknown): unknown {
  return read(route.parts.query, query, 'BAD_REQUEST');
}

/** A body whose field names match those of the schema whatever their case; of several, the last one counts. */
function matchNames(schema: Schema | undefined, body: unknown): unknown {
  if (!(schema instanceof ZodMiniObject) || typeof body !== 'object' || body === null) return body;
  const names = new Map(Object.keys(schema.def.shape).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  );
}

/** The JSON body of a call that needs one. @throws {Refusal} BAD_REQUEST */
export function readBody(route: Route, body: unknown): unknown {
  const { body: schema, dialect } = route.parts;
  const named = dialect === 'encoding-api' ? matchNames(schema, body) : body;
  return read(schema, named, 'BAD_REQUEST');
}

/** The text fields sent with an uploaded file. @throws {Refusal} BAD_REQUEST */
export function readFields(route: Route, fields: unknown): unknown {
  return read(route.parts.fields, fields, 'BAD_REQUEST');
}
