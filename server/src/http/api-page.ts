/** Renders the API as a readable page without script, from the same document as `/api/openapi.json`. */
import type { Route } from '@recodery/contract/api';
import type { Json } from './openapi-document.ts';
import { titleOf } from './problem.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const fieldsOf = (value: unknown): [string, unknown][] =>
  isJson(value) ? Object.entries(value) : [];

/** A JSON Schema as one would say it: `{ guid: string, fraction: number | null }`. */
function sayType(schema: unknown, depth = 0): string {
  if (!isJson(schema)) return 'any';
  const pad = '  '.repeat(depth + 1);
  const choices = listOf(schema['anyOf'] ?? schema['oneOf']);
  if (choices.length > 0) return choices.map((one) => sayType(one, depth)).join(' | ');
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((one) => JSON.stringify(one)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (schema['type'] === 'array') return `${sayType(schema['items'], depth)}[]`;
  if (schema['type'] === 'object') {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const lines = fieldsOf(schema['properties']).map(
      ([name, of]) =>
        `${pad}${name}${required.includes(name) ? '' : '?'}: ${sayType(of, depth + 1)}`,
    );
    if (lines.length > 0) return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
    const values = schema['additionalProperties'];
    return isJson(values) ? `{ [name]: ${sayType(values, depth)} }` : 'object';
  }
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'any';
  return typeof schema['format'] === 'string' ? `${type} (${schema['format']})` : type;
}

function sayContent(content: unknown): string {
  return fieldsOf(content)
    .filter(([mediaType]) => mediaType !== 'application/problem+json')
    .map(([mediaType, of]) => {
      const type = isJson(of) ? sayType(of['schema']) : '';
      return `<p class="media">${escape(mediaType)}</p><pre tabindex="0">${escape(type)}</pre>`;
    })
    .join('');
}

function sayParameters(parameters: readonly Json[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (one) =>
      `<tr><th scope="row"><code>${escape(String(one['name']))}</code></th><td>${escape(String(one['in']))}</td>` +
      `<td>${one['required'] === true ? 'needed' : 'optional'}</td><td><code>${escape(sayType(one['schema']))}</code></td></tr>`,
  );
  return (
    '<table><caption>Parameters</caption><thead><tr><th scope="col">Name</th><th scope="col">Where</th>' +
    `<th scope="col">Needed</th><th scope="col">Type</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  );
}

function sayCall(route: Route, call: Json): string {
  const { verb, path, parts } = route;
  const body = isJson(call['requestBody']) ? call['requestBody']['content'] : null;
  const answers = fieldsOf(call['responses']).filter(([status]) => Number(status) < 300);
  const access = {
    public: 'open to all',
    session: 'session',
    'session-or-ticket': 'session or ticket',
  };
  const refusals = parts.refusals.map((code) => `<a href="#${code}"><code>${code}</code></a>`);
  return (
    `<article id="${escape(String(call['operationId']))}"><h3><span class="verb">${verb}</span> <code>${escape(path)}</code></h3>` +
    `<p>${escape(parts.summary)} <span class="access">${access[parts.access]}</span></p>` +
    sayParameters(listOf(call['parameters'])) +
    (body === null ? '' : `<h4>Body</h4>${sayContent(body)}`) +
    answers
      .map(
        ([status, of]) => `<h4>Answer ${status}</h4>${isJson(of) ? sayContent(of['content']) : ''}`,
      )
      .join('') +
    (refusals.length === 0 ? '' : `<p>Refusals: ${refusals.join(' ')}</p>`) +
    '</article>'
  );
}

function saySection(noun: string, calls: readonly string[]): string {
  return `<section aria-labelledby="noun-${noun}"><h2 id="noun-${noun}">${noun}</h2>${calls.join('')}</section>`;
}

/** The page. `document` is what `describeApi` gives for the same routes, `style` the page's own style sheet. */
export function renderApiPage(
  all: ReadonlyMap<string, Route>,
  document: Json,
  style: string,
): string {
  const paths = isJson(document['paths']) ? document['paths'] : {};
  const callOf = ({ path, verb }: Route): Json => {
    const calls = paths[path];
    const call = isJson(calls) ? calls[verb.toLowerCase()] : null;
    return isJson(call) ? call : {};
  };
  const byNoun = Map.groupBy(all, ([name]) => name.slice(0, name.indexOf('.')));
  const sections = [...byNoun].map(([noun, entries]) =>
    saySection(
      noun,
      entries.map(([, route]) => sayCall(route, callOf(route))),
    ),
  );
  const codes = [...new Set([...all.values()].flatMap(({ parts }) => parts.refusals))].sort();
  const refusals = codes.map(
    (code) => `<dt id="${code}"><code>${code}</code></dt><dd>${escape(titleOf(code))}</dd>`,
  );
  const nouns = [...byNoun.keys()].map((noun) => `<li><a href="#noun-${noun}">${noun}</a></li>`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recodery API</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<style>${style}</style></head><body><header><h1>Recodery API</h1>` +
    '<p>Every call of the portal. The same as <a href="/api/openapi.json">an OpenAPI 3.1 document</a>. ' +
    'A refusal is one code word as plain text, or an RFC 9457 document for callers that accept one.</p>' +
    `<nav aria-label="Contents"><ul>${nouns.join('')}<li><a href="#refusals">refusals</a></li></ul></nav></header>` +
    `<main>${sections.join('')}<section aria-labelledby="refusals"><h2 id="refusals">refusals</h2>` +
    `<dl>${refusals.join('')}</dl></section></main></body></html>`
  );
}
