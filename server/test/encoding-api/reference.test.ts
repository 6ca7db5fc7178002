/** The documents about the Encoding API list its calls, names and numbers as the contract declares them. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { apiFamilies, definitionOf } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { routes } from '@recodery/contract/routes';
import { describe, expect, test } from 'vitest';
import { describeEncodingApi } from '../../src/http/api-document/encoding-api.ts';
import { renderApiPage } from '../../src/http/api-document/page.ts';

const page = readFileSync(
  join(resolve(import.meta.dirname, '../../..'), 'docs/developers/encoding-api.md'),
  'utf8',
);
/** The rows of the table under a heading. */
const rowsOf = (heading: string) =>
  (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
const list = (names: object) =>
  Object.keys(names)
    .map((name) => `\`${name}\``)
    .join(' ');

// promise e1.work.numbers
test('the reference of the Encoding API has the fields of the encodes of each family', () => {
  expect(rowsOf('Encodes')).toEqual(
    apiFamilies.flatMap((family) => {
      const { encodes, slotField } = encodingApiOf(family);
      return Object.values(encodes).map(
        ({ path, fileFields }) =>
          `| ${definitionOf(family).name} | \`${path}\` | \`${slotField}\` | ${list(fileFields)} |`,
      );
    }),
  );
});

describe('the description of the Encoding API', () => {
  const document = JSON.parse(
    JSON.stringify(describeEncodingApi('1.2.3', 'https://portal.test')),
  ) as {
    servers: { url: string }[];
    paths: Record<
      string,
      Record<
        string,
        { operationId: string; security: object[]; responses: Record<string, { content: object }> }
      >
    >;
  };

  test('is a separate document with every call, its base address and its plain errors', () => {
    expect(document.servers).toEqual([{ url: 'https://portal.test/encoding-api' }]);
    const calls = Object.values(document.paths).flatMap((path) => Object.values(path));
    const names = calls.map(({ operationId }) => operationId);
    expect(names.toSorted()).toEqual([...encodingApiRoutes.keys()].toSorted());
    const decode = document.paths['/api/kess3/decode-read-file/{userCode}']?.['post'];
    expect(decode?.security).toEqual([{ bearer: [] }, { accessToken: [] }]);
    for (const { responses } of calls) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) >= 400) expect(Object.keys(content)).toEqual(['text/plain']);
      }
    }
  });

  // promise e1.work.numbers
  test('shows every call, type and number on the page', () => {
    const page = renderApiPage(routes, 'https://portal.test');
    expect(page).toContain('<code>https://portal.test/encoding-api</code>');
    for (const { verb, path } of encodingApiRoutes.values())
      expect(page).toContain(`<code>${verb} ${path}</code>`);
    for (const family of apiFamilies) {
      const { uploadTypes, fileTypes } = encodingApiOf(family);
      for (const type of Object.keys({ ...uploadTypes, ...fileTypes }))
        expect(page).toContain(`<code>${type}</code>`);
    }
    const numbersOf = (caption: string) => {
      const [, table = ''] = page.split(`<caption>${caption}</caption>`);
      const rows = table
        .split('</table>', 1)
        .join('')
        .matchAll(/<code>(\d+)<\/code><\/th><td>([^<]+)/g);
      return [...rows].map(([, number, meaning]) => `${number} ${meaning}`);
    };
    expect(numbersOf('status')).toEqual(['0 waiting', '1 succeeded', '2 failed', '3 running']);
    // a new family adds its own
    expect(numbersOf('asyncOperationType').slice(0, 17)).toEqual([
      ...['1 KESSv2: decode', '2 KESSv2: encode', '3 K-TAG: decode', '4 K-TAG: encode'],
      ...['5 KESS3: decode', '6 KESS3: encode, OBD', '7 KESS3: encode, Boot/Bench'],
      ...['8 bFlash: decode', '9 bFlash: encode', '10 AutoTuner: decode', '11 AutoTuner: encode'],
      ...['12 Flex: decode', '13 Flex: encode, OBD', '14 Flex: encode, Boot/Bench'],
      ...['15 AutoFlasher: decode', '16 AutoFlasher: encode, OBD'],
      '17 AutoFlasher: encode, Boot/Bench',
    ]);
  });
});
