/** A workshop whose encoded files have receipts, and anyone who checks them: the shared steps of the tests of receipts. */
import type {
  ReceiptContent,
  ReceiptKey,
  SignedReceipt,
} from '@recodery/contract/features/receipts';
import { type EncodeResult } from '@recodery/contract/results';
import { afterAll, expect } from 'vitest';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { decode, encode, keepImage, sealImage } from '../journeys/families/kessv2-workflow.ts';

export const vin = 'ZAR93900001234567';

export const image = new Uint8Array(4096).fill(7);

export const read = <T>(text: string): T =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as T;

export async function startReceipts() {
  // the proxy is this machine: tests choose the caller's address
  const portal = await startTestPortal({
    RECODERY_TRUSTED_PROXIES: '127.0.0.1',
    RECODERY_PARALLEL_OPERATIONS: '50',
  });
  afterAll(() => portal.stop());
  const anna = await portal.signIn('anna@demo.test');
  /** A KESSv2 read of Garage Rossi's slave, decoded, and encoded as it is or modified. */
  async function encodeKessv2(modified?: Uint8Array) {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, image);
    const { kessv2SlotGUID: slot } = await decode(anna, read, `${vin} golf.tfc`);
    const body = { kessv2FileSlotGUID: slot };
    if (modified === undefined)
      return { slot, result: await encode(anna, body, 'reencode-decoded-file') };
    const kept = await keepImage(anna, 'modified', slot, modified);
    return { slot, result: await encode(anna, { ...body, modifiedFileGUID: kept.fileGUID }) };
  }
  /** A request without a session, from its own address. */
  let callers = 0;
  async function ask(path: string, body?: unknown, from = `192.0.2.${(callers += 1)}`) {
    const answer = await fetch(portal.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': from,
        'accept-language': 'en',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
  }
  async function receiptOf({ receiptCode }: EncodeResult): Promise<SignedReceipt> {
    const { status, json } = await ask(`/receipts/${receiptCode}/receipt.json`);
    expect(status).toBe(200);
    return json as SignedReceipt;
  }
  /** What a receipt states, as anyone would read it. */
  async function contentOf(result: EncodeResult): Promise<ReceiptContent> {
    return read((await receiptOf(result)).payload);
  }
  const check = async (body: unknown) => (await ask('/api/receipts/check', body)).json;
  const foundBy = async (body: unknown) => (await check(body)).check as string;
  async function keysNow(): Promise<readonly ReceiptKey[]> {
    return (await ask('/receipt-keys.json')).json.keys;
  }
  return { portal, anna, encodeKessv2, ask, receiptOf, contentOf, check, foundBy, keysNow };
}
