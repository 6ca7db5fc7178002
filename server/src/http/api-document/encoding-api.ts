/**
 * Describes the Encoding API: a separate OpenAPI document, and a section of the API page with its names and numbers.
 */
import { statusNumbers } from '@recodery/contract/encoding-api/operations';
import { encodingApiPrefix, encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { definitionOf, apiFamilies, type Family } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { accessTokenHeader } from '@recodery/contract/headers';
import { html, type Markup } from '../pages/plain-page.ts';
import { describeApi } from './document.ts';
import type { Json } from './schema.ts';

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
export function listOperationNumbers(): { readonly number: number; readonly meaning: string }[] {
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

const code = (text: string): Markup => html`<code>${text}</code>`;

function renderTable(caption: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  const cells = heads.map((head) => html`<th scope="col">${head}</th>`);
  return html`<div class="table"><table><caption>${caption}</caption>
<thead><tr>${cells}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function renderNumbers(): Markup {
  const row = (number: number, meaning: string): Markup =>
    html`<tr><th scope="row">${code(String(number))}</th><td>${meaning}</td></tr>`;
  const types = listOperationNumbers().map(({ number, meaning }) => row(number, meaning));
  const states = Object.entries(statusNumbers)
    .toSorted(([, one], [, other]) => one - other)
    .map(([meaning, number]) => row(number, meaning));
  return html`${renderTable('asyncOperationType', ['Number', 'Operation'], types)}
${renderTable('status', ['Number', 'Meaning'], states)}`;
}

function renderTypes(): Markup {
  const list = (types: object): Markup =>
    html`${Object.keys(types).map((type) => html`${code(type)}<br>`)}`;
  const rows = apiFamilies.map((family) => {
    const { uploadTypes, fileTypes } = encodingApiOf(family);
    const { name } = definitionOf(family);
    return html`<tr><th scope="row">${name}</th><td>${list(uploadTypes)}</td><td>${list(fileTypes)}</td></tr>`;
  });
  return renderTable('Values of fileType', ['Family', 'In an upload', 'In a download'], rows);
}

function renderCalls(): Markup {
  const rows = [...encodingApiRoutes.values()].map(
    ({ verb, path, parts }) =>
      html`<tr><th scope="row">${code(`${verb} ${path}`)}</th><td>${parts.summary}</td></tr>`,
  );
  return renderTable('Calls', ['Call', 'What it does'], rows);
}

/** The section of the API page. */
export function renderEncodingApi(publicUrl: string): Markup {
  return html`<section aria-labelledby="encoding-api">
<h2 id="encoding-api">Encoding API</h2>
<p>Programs that already use the Encoding API work with this portal after you change their base URL to
${code(publicUrl + encodingApiPrefix)}. The calls are also described by
<a href="/api/encoding-api.json">an OpenAPI 3.1 document</a>. They were derived from public client programs and have not been tested
against the vendor’s own server.</p>
<ul>
<li>Add a client application in the settings and request a token with its credentials. Send the token in the header ${code(accessTokenHeader)}.</li>
<li>Field names can be in any case. The body of an error response is a single error code as plain text.</li>
<li>A decode opens a slot. Uploads and encodes need an open slot; the files of a closed slot can still be downloaded. Status ${code('429')} means that too many slots are open or too many operations are running.</li>
<li>Without ${code('groupCode')} and ${code('masterDeviceSerialNumber')} in the query, the master device named in the read file decodes it.</li>
<li>A component that is not in the encode request stays unchanged.</li>
</ul>
${renderCalls()}
${renderTypes()}
${renderNumbers()}
</section>`;
}
