/** The reference page lists the names and numbers of the Encoding API as the contract declares them. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { statusNumbers } from '@recodery/contract/encoding-api/operations';
import { encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { apiFamilies, definitionOf } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import { routes } from '@recodery/contract/routes';
import { describe, expect, test } from 'vitest';
import {
  describeEncodingApi,
  listOperationNumbers,
} from '../../src/http/api-document/encoding-api.ts';
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
describe('the reference of the Encoding API', () => {
  test('has the number of each type of operation, each once', () => {
    const numbers = listOperationNumbers();
    expect(new Set(numbers.map(({ number }) => number)).size).toBe(numbers.length);
    const expected = numbers.map(({ number, meaning }) => `| ${number} | ${meaning} |`);
    expect(rowsOf('`asyncOperationType`')).toEqual(expected);
  });

  test('has the number of each status', () => {
    const expected = Object.entries(statusNumbers)
      .toSorted(([, one], [, other]) => one - other)
      .map(([meaning, number]) => `| ${number} | ${meaning} |`);
    expect(rowsOf('`status`')).toEqual(expected);
  });

  test('has the types of files and the fields of encodes of each family', () => {
    expect(rowsOf('`fileType`')).toEqual(
      apiFamilies.map((family) => {
        const { uploadTypes, fileTypes } = encodingApiOf(family);
        return `| ${definitionOf(family).name} | ${list(uploadTypes)} | ${list(fileTypes)} |`;
      }),
    );
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

  test('shows every call and every type on the page', () => {
    const markup = renderApiPage(routes, 'https://portal.test');
    expect(markup).toContain('<code>https://portal.test/encoding-api</code>');
    for (const { verb, path } of encodingApiRoutes.values()) {
      expect(markup).toContain(`<code>${verb} ${path}</code>`);
    }
    for (const type of ['OBDModified', 'BootBenchDecodedMapFile', 'DecodedTuningFile']) {
      expect(markup).toContain(`<code>${type}</code>`);
    }
  });
});
