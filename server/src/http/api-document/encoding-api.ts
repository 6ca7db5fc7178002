/**
 * Describes the Encoding API: a separate OpenAPI document, and a section of the API page with its names and numbers.
 */
import { statusNumbers } from '@recodery/contract/encoding-api/operations';
import { encodingApiPrefix, encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { definitionOf, apiFamilies, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { html, type Markup } from '../pages/plain-page.ts';
import { describeApi } from './document.ts';
import type { Json } from './schema.ts';
import { code, renderTable, renderText } from './table.ts';

/** The OpenAPI document of the Encoding API. */
export function describeEncodingApi(version: string, publicUrl: string): Json {
  return describeApi(encodingApiRoutes, version, {
    title: 'Recodery: Encoding API',
    description:
      'The Encoding API for programs. Its calls were derived from public client programs and have not been tested against the vendor’s own server.',
    url: publicUrl + encodingApiPrefix,
  });
}

/** The numbers in operation records, with what they mean. */
function listOperationNumbers(): { readonly number: number; readonly meaning: string }[] {
  const modeNames = { obd: 'OBD', bootbench: 'Boot/Bench' } as const;
  const ofFamily = (family: Family) => {
    const { decodeNumber, encodes } = encodingApiOf(family);
    const { name } = definitionOf(family);
    const modes = Object.entries(encodes) as [
      keyof typeof modeNames,
      { operationNumber: number },
    ][];
    return [
      { number: decodeNumber, meaning: `${name}: decode` },
      ...modes.map(([mode, { operationNumber }]) => ({
        number: operationNumber,
        meaning: `${name}: encode${modes.length > 1 ? `, ${modeNames[mode]}` : ''}`,
      })),
    ];
  };
  return apiFamilies.flatMap(ofFamily).toSorted((one, other) => one.number - other.number);
}

function renderNumbers(): Markup {
  const row = (number: number, meaning: string) => [code(String(number)), html`${meaning}`];
  const types = listOperationNumbers().map(({ number, meaning }) => row(number, meaning));
  const states = Object.entries(statusNumbers)
    .toSorted(([, one], [, other]) => one - other)
    .map(([meaning, number]) => row(number, meaning));
  return html`${renderTable('asyncOperationType', ['Number', 'Operation'], types)}
${renderTable('status', ['Number', 'Meaning'], states)}`;
}

/** The tables on the API page: calls, types of files, numbers. */
export function renderEncodingApi(): Markup {
  const list = (types: object): Markup =>
    html`${Object.keys(types).map((type) => html`${code(type)}<br>`)}`;
  const calls = [...encodingApiRoutes.values()].map(
    ({ verb, path, parts }) => html`<p class="made">${code(`${verb} ${path}`)}</p>
<p>${renderText(parts.summary)}</p>`,
  );
  const types = apiFamilies.map((family) => {
    const { uploadTypes, fileTypes } = encodingApiOf(family);
    return [html`${definitionOf(family).name}`, list(uploadTypes), list(fileTypes)];
  });
  return html`<h3>Calls</h3>
${calls}
${renderTable('Values of fileType', ['Family', 'In an upload', 'In a download'], types)}
${renderNumbers()}`;
}
