/** Renders the reference part of the API page: every call with its request and responses, and every error code. */
import { byFamily, definitionOf } from '@recodery/contract/families/registry';
import type { Route } from '@recodery/contract/api';
import { statusOf } from '@recodery/contract/errors';
import { accessTexts, describeRoute } from './document.ts';
import { isJson, type Json } from './schema.ts';
import { html, type Markup } from '../pages/plain-page.ts';
import { titleOf } from '../problem.ts';
import { code, renderTable, renderText } from './table.ts';

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const fieldsOf = (value: unknown): [string, unknown][] =>
  isJson(value) ? Object.entries(value) : [];

/** A JSON Schema in short form: `{ guid: string, fraction: number | null }`. */
function typeOf(schema: unknown, depth = 0): string {
  if (!isJson(schema)) return 'any';
  const pad = '  '.repeat(depth + 1);
  const choices = listOf(schema['anyOf'] ?? schema['oneOf']);
  if (choices.length > 0) return choices.map((one) => typeOf(one, depth)).join(' | ');
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((one) => JSON.stringify(one)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (schema['type'] === 'array') {
    const { items } = schema;
    const isUnion = isJson(items) && ['anyOf', 'oneOf', 'enum'].some((key) => key in items);
    return isUnion ? `(${typeOf(items, depth)})[]` : `${typeOf(items, depth)}[]`;
  }
  if ('contentSchema' in schema) return `JSON text of ${typeOf(schema['contentSchema'], depth)}`;
  if (schema['type'] === 'object') {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    const lines = fieldsOf(schema['properties']).map(
      ([name, of]) =>
        `${pad}${name}${required.includes(name) ? '' : '?'}: ${typeOf(of, depth + 1)}`,
    );
    if (lines.length > 0) return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
    const values = schema['additionalProperties'];
    return isJson(values) ? `{ [name]: ${typeOf(values, depth)} }` : 'object';
  }
  if (Array.isArray(schema['type'])) return schema['type'].join(' | ');
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'any';
  return typeof schema['format'] === 'string' ? `${type} (${schema['format']})` : type;
}

/** The shapes of a body, with `heading` and the media type above each. */
function renderContent(heading: string, content: unknown): Markup {
  const shapes = fieldsOf(content)
    .filter(([mediaType]) => mediaType !== 'application/problem+json')
    .map(
      ([mediaType, of]) => html`<h4>${heading} <span>${mediaType}</span></h4>
<pre tabindex="0">${typeOf(isJson(of) ? of['schema'] : null)}</pre>`,
    );
  return shapes.length > 0 ? html`${shapes}` : html`<h4>${heading} <span>no body</span></h4>`;
}

function renderParameters(parameters: readonly Json[]): Markup | null {
  if (parameters.length === 0) return null;
  const rows = parameters.map((one) => [
    code(String(one['name'])),
    html`${String(one['in'])}`,
    html`${one['required'] === true ? 'yes' : 'no'}`,
    code(typeOf(one['schema'])),
  ]);
  return renderTable('Parameters', ['Name', 'In', 'Required', 'Type'], rows);
}

function renderErrors(codes: readonly string[]): Markup | null {
  if (codes.length === 0) return null;
  const links = codes.map((name) => html`<a href="#${name}">${code(name)}</a>`);
  return html`<p class="refusals">Errors: ${links}</p>`;
}

function renderCall(route: Route, call: Json): Markup {
  const { verb, path, parts } = route;
  const body = isJson(call['requestBody']) ? call['requestBody']['content'] : null;
  const answers = fieldsOf(call['responses']).filter(([status]) => Number(status) < 300);
  return html`<article class="call" id="${String(call['operationId'])}">
<h3><span class="verb">${verb}</span><code>${path}</code></h3>
<p>${renderText(parts.summary)} <span class="access">${accessTexts[parts.access]}</span></p>
${renderParameters(listOf(call['parameters']))}
${body === null ? null : renderContent('Request', body)}
${answers.map(([status, of]) => renderContent(`Response ${status}`, isJson(of) ? of['content'] : null))}
${renderErrors(parts.refusals)}
</article>`;
}

/** The headings of groups of calls that their names in the contract do not give. */
const titles: Readonly<Record<string, string>> = {
  ...byFamily((family) => definitionOf(family).name),
  slots: 'Files',
  preflight: 'Checks before encoding',
  adminAcceptances: 'Administration: accepted terms of use',
  adminAudit: 'Administration: audit trail',
  adminMasters: 'Administration: master devices',
  adminOriginals: 'Administration: originals library',
  adminPeople: 'Administration: people of the organisation',
  adminSignIn: 'Administration: sign-in provider',
  adminSignInFailures: 'Administration: failed sign-ins',
  adminSlaves: 'Administration: slave devices',
  directory: 'Administration: directory file',
  manySlaves: 'Administration: lists of slave devices',
  overview: 'Administration: overview of the installation',
  termsPreview: 'Administration: preview of terms',
  repairs: 'Repairs of files that do not fit',
  share: 'Shared links',
  clients: 'Client applications',
};

/** The heading of a group of calls: `adminBackupSchedule` becomes "Administration: backup schedule". */
function headingOf(noun: string): string {
  const words = noun
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^admin /, 'administration: ');
  return titles[noun] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The reference, and the links to its sections. */
export function renderReference(all: ReadonlyMap<string, Route>): {
  readonly contents: readonly Markup[];
  readonly body: Markup;
} {
  const byNoun = Map.groupBy(all, ([name]) => name.slice(0, name.indexOf('.')));
  const sections = [...byNoun].map(
    ([noun, entries]) => html`<section aria-labelledby="noun-${noun}">
<h2 id="noun-${noun}">${headingOf(noun)}</h2>
${entries.map(([name, route]) => renderCall(route, describeRoute(name, route)))}
</section>`,
  );
  const codes = [...new Set([...all.values()].flatMap(({ parts }) => parts.refusals))].sort();
  const errors = codes.map(
    (name) =>
      html`<dt id="${name}">${code(name)}</dt><dd>${String(statusOf(name))}. ${renderText(titleOf(name))}</dd>`,
  );
  const links = [...byNoun.keys()].map(
    (noun) => html`<li><a href="#noun-${noun}">${headingOf(noun)}</a></li>`,
  );
  return {
    contents: [...links, html`<li><a href="#errors">Error codes</a></li>`],
    body: html`${sections}
<section aria-labelledby="errors">
<h2 id="errors">Error codes</h2>
<dl class="codes">${errors}</dl>
</section>`,
  };
}
