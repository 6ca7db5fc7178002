/** A line of the last operations: it links to its page, unless the user cannot enter that page. */
import type { OperationSummary } from '@recodery/contract/features/operations';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { type MayEnter, OperationLine } from '../../src/features/last-operations/operation-row.tsx';
import { startTexts } from '../../src/i18n/texts.ts';
import { beBrowser } from '../api/browser.ts';

const time = '2026-11-21T10:00:00.000Z';
const decode: OperationSummary = {
  guid: '01890000-0000-7000-8000-000000000001',
  family: 'kess3',
  asyncOperationType: 'KESS3Decode',
  isUtility: false,
  status: 'succeeded',
  startedOn: time,
  completedOn: time,
  fileName: 'bench.k3r',
  resultName: 'bench.zip',
  recipientEmail: null,
  slaveSerialNumber: 'KS3-000042',
  protocolID: 1001,
  protocolName: 'REF-BENCH',
  engine: null,
  userDisplayName: 'Anna Conti',
  error: null,
};

beforeAll(async () => {
  beBrowser('http://127.0.0.1:9');
  await startTexts('en-US');
});

function draw(operation: OperationSummary, mayEnter: MayEnter): string {
  const row = createElement(OperationLine, { operation, mayEnter, now: new Date(time) });
  return renderToStaticMarkup(createElement(MemoryRouter, null, row));
}

test('the file name links to the page that opens the operation', () => {
  expect(draw(decode, () => true)).toContain(`href="/kess3?operation=${decode.guid}"`);
  const utility = { ...decode, isUtility: true };
  expect(draw(utility, () => true)).toContain(`href="/kess3-utility?operation=${decode.guid}"`);
});

test("an operation of the utility is described in the utility's words", () => {
  const utility = { ...decode, isUtility: true };
  expect(draw(decode, () => true)).toContain('Decoded');
  expect(draw(utility, () => true)).toContain('Unpacked');
  const error = { errorName: 'KESS3_DECODED_WITH_CHECKSUM_ERROR', detail: null } as const;
  const failed = draw({ ...utility, status: 'failed', error }, () => true);
  expect(failed).toContain('Not unpacked');
  expect(failed).not.toMatch(/decoded/i);
});

test('the file name is plain text if the user cannot enter the page', () => {
  const drawn = draw({ ...decode, isUtility: true }, (page) => page !== 'kess3-utility');
  expect(drawn).toContain('bench.k3r');
  expect(drawn).not.toContain('<a ');
});

test('a file that was sent shows its recipient, any other shows none', () => {
  const sent = {
    ...decode,
    asyncOperationType: 'KESS3Encode',
    recipientEmail: 'garage@rossi.test',
  };
  expect(draw({ ...sent, asyncOperationType: 'KESS3Encode' }, () => true)).toMatch(
    /Recipient email: <\/span>.*garage@/,
  );
  expect(draw(decode, () => true)).not.toContain('Recipient');
});
