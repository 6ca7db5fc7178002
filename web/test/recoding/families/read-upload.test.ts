/** How each page uploads a read file: with which call, flags and field. */
import type { Workflow } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DecodeSwitches } from '../../../src/features/recoding/families/family-page.ts';
import { familyPages } from './family-pages.ts';
import { rememberCustomerCode } from '../../../src/api/customer-code.ts';
import { beBrowser } from '../../api/browser.ts';
import { operation } from '../results.ts';

/** What was sent, and how. */
let seen: { address: string; headers: Record<string, string>; form: FormData };

/** Whether the response to the next upload is lost. */
let isLost = false;

/** Replaces the browser's uploads, which Node lacks: it records the requests and accepts them. */
class AcceptingUpload {
  readonly upload: { onload?: () => void } = {};
  status = 202;
  responseText = JSON.stringify(operation());
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onloadend: (() => void) | null = null;
  #address = '';
  readonly #headers: Record<string, string> = {};
  open(verb: string, address: string): void {
    this.#address = `${verb} ${address}`;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }
  getResponseHeader(): null {
    return null;
  }
  send(form: FormData): void {
    seen = { address: this.#address, headers: this.#headers, form };
    this.upload.onload?.();
    if (isLost) this.onerror?.();
    else this.onload?.();
    isLost = false;
    this.onloadend?.();
  }
}

const realFetch = globalThis.fetch;
beforeAll(() => {
  beBrowser('http://127.0.0.1:9');
  Object.defineProperty(globalThis, 'XMLHttpRequest', {
    value: AcceptingUpload,
    configurable: true,
  });
  rememberCustomerCode('CC-1001');
});
afterAll(() => {
  globalThis.fetch = realFetch;
});

const device = { groupCode: 'G-10', masterDeviceSerialNumber: 'M-1' };
const chosen = 'groupCode=G-10&masterDeviceSerialNumber=M-1';
const file = new File(['x'], 'read.tfc');

function uploadFrom(page: Workflow, switches: Partial<DecodeSwitches> = {}) {
  const all = { skipsChecksum: false, hasDebugFlag: false, ...switches };
  return familyPages[page].uploadRead(file, device, all, {});
}

describe('a read', () => {
  // promise 5.files.flags
  test.each<[Workflow, string]>([
    ['kessv2', `POST /api/kessv2/upload-read-file?${chosen}`],
    ['ktag', `POST /api/ktag/upload-read-backup?${chosen}`],
    ['kess3', `POST /api/kess3/upload-read-file?${chosen}`],
    ['kess3-utility', `POST /api/kess3/upload-read-file?${chosen}&fromUtility=true`],
  ])('for %s is uploaded to %s', async (page, address) => {
    await uploadFrom(page);
    expect(seen.address).toBe(address);
    expect([...seen.form.keys()]).toEqual(['userFlow', 'readFile']);
    expect(seen.form.get('userFlow')).toBe('D');
    expect((seen.form.get('readFile') as File).name).toBe('read.tfc');
    expect(seen.headers['X-Recodery-Customer-Code']).toBe('CC-1001');
  });

  test('contains the flag to skip checks in the utility, and on no other page', async () => {
    const switches = { skipsChecksum: true, hasDebugFlag: true };
    await uploadFrom('kess3-utility', switches);
    const query = new URLSearchParams(seen.address.split('?')[1]);
    expect(Object.fromEntries(query)).toMatchObject({
      fromUtility: 'true',
      skipChecksum: 'true',
      hasDebugFlag: 'true',
    });
    await uploadFrom('kess3', switches);
    expect(seen.address).not.toMatch(/skipChecksum|hasDebugFlag|fromUtility/);
  });

  // promise 4.encode.once
  test('that is sent again after a lost response has the same key; any other upload has a different one', async () => {
    const keyOf = async (upload: Promise<unknown>): Promise<string | undefined> => {
      await upload.catch(() => null);
      return seen.headers['Idempotency-Key'];
    };
    isLost = true;
    const first = await keyOf(uploadFrom('kessv2'));
    isLost = true;
    const otherPage = await keyOf(uploadFrom('kess3'));
    const same = new File(['x'], 'read.tfc');
    const all = { skipsChecksum: false, hasDebugFlag: false };
    const chosenAgain = await keyOf(familyPages.kessv2.uploadRead(same, device, all, {}));
    const again = await keyOf(uploadFrom('kessv2'));
    const answered = await keyOf(uploadFrom('kessv2'));
    expect(again).toBe(first);
    expect(new Set([first, otherPage, chosenAgain, answered]).size).toBe(4);
  });
});
