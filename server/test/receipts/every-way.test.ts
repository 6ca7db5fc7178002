/** Receipts of programs' and vendors' encodes, in emails and on their pages, and their key under concurrency. */
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import type { ReceiptContent } from '@recodery/contract/features/receipts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicKeyOf } from '../../src/receipts/jws.ts';
import { listReceiptKeys, receiptKeyPurpose } from '../../src/receipts/receipt-keys.ts';
import { openSecretSource } from '../../src/secrets/secret-source.ts';
import { openSecrets } from '../../src/secrets/secrets.ts';
import { type MailServer, sharePathIn, startMailServer } from '../email/mail-server.ts';
import { addProgram } from '../encoding-api/program.ts';
import { decode, encodeObdEnd, someRead } from '../engine/encoding-api/vendor-workflow.ts';
import { type FakeVendor, startFakeVendor } from '../fixtures/services/fake-vendor.ts';
import { createTestPlatform } from '../fixtures/test-platform.ts';
import { startVendorPortal, type VendorPortal } from '../fixtures/vendor-portal.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { type Sending, startSending } from '../notifications/sending-workshop.ts';

/** What the only receipt of a slot states. */
async function receiptIn(json: unknown): Promise<ReceiptContent> {
  const list = json as { readonly receipt: { readonly payload: string } }[];
  expect(list).toHaveLength(1);
  const payload = Buffer.from(list[0]?.receipt.payload ?? '', 'base64url').toString();
  return JSON.parse(payload) as ReceiptContent;
}

describe('through a vendor’s engine and by a program', () => {
  let vendor: FakeVendor;
  let own: VendorPortal;
  beforeAll(async () => {
    vendor = await startFakeVendor();
    own = await startVendorPortal(vendor);
  });
  afterAll(async () => {
    await own.portal.stop();
    await vendor.stop();
  });

  // promise d11.receipts.every-encode
  test('a vendor’s encode has a receipt', async () => {
    const { anna } = own;
    const { slotGUID } = await decode(anna, 'kess3', someRead().bytes);
    const { result } = await encodeObdEnd(anna, slotGUID, someRead().image);
    const { sha256, receiptCode } = result as { sha256: string; receiptCode: string };
    const content = await receiptIn((await anna.get(`/api/slots/${slotGUID}/receipts`)).json);
    expect(content.code).toBe(receiptCode);
    expect(content.files.map(({ role }) => role)).toEqual(['decoded', 'modified', 'encoded']);
    expect(content.files.at(-1)?.sha256).toBe(sha256);
  });

  // promise d11.receipts.every-encode
  test('an encode of a program has a receipt, which the program can read', async () => {
    const program = await addProgram(own.portal);
    const slave = await own.portal.getSlave('kessv2', 'KV2-000007');
    const sealed = sealImage(slave, 9000, new Uint8Array(4096).fill(9));
    const decoded = await program.succeed(
      await program.decode('/api/kessv2/decode-read-file/C-1', sealed),
    );
    const slot = decoded.slotGUID;
    const modified = await program.keep(
      `/api/kessv2/upload-modified-file/C-1/${slot}/Modified`,
      new Uint8Array(4096).fill(8),
    );
    const encoded = await program.succeed(
      await program.post('/api/kessv2/encode-file', {
        userCustomerCode: 'C-1',
        kessv2FileSlotGUID: slot,
        modifiedFileGUID: modified,
        willCorrectCVN: false,
      }),
    );
    const { bytes } = await program.download(encoded.result['encodedFileURL']);
    expect(acceptEncoded({ ...slave, file: bytes }).components).toHaveLength(1);
    const path = `${own.portal.url}/api/slots/${slot}/receipts`;
    const content = await receiptIn((await program.get(path)).json);
    expect(content).toMatchObject({ family: 'kessv2', slave: 'KV2-000007' });
    expect(content.files.at(-1)?.size).toBe(bytes.length);
  });
});

describe('of a sent file', () => {
  let server: MailServer;
  let sending: Sending;
  beforeAll(async () => {
    server = await startMailServer();
    sending = await startSending({
      RECODERY_SMTP_URL: server.url,
      RECODERY_MAIL_FROM: 'portal@recodery.test',
    });
  });
  afterAll(async () => {
    await sending.portal.stop();
    await server.stop();
  });

  // promise d11.receipts.sent
  test('is linked in both parts of the email, and on its page', async () => {
    const { result } = await sending.send({ email: 'garage@rossi.test' });
    const { receiptCode } = result as { receiptCode: string };
    const mail = await server.next();
    const link = `${sending.portal.platform.config.publicUrl}/receipts/${receiptCode}`;
    const plain = mail.part('text/plain');
    expect(plain).toContain(link);
    expect(mail.part('text/html')).toContain(`href="${link}"`);
    const page = await (await fetch(new URL(sharePathIn(mail), sending.portal.url))).text();
    expect(page).toContain(`href="/receipts/${receiptCode}"`);
  });
});

// promise d11.receipts.first-key
test('processes that sign their first receipts at the same time use the same key', async () => {
  const platform = await createTestPlatform();
  const { db, config } = platform;
  const processes = await Promise.all(
    Array.from({ length: 6 }, () => openSecrets(db, openSecretSource(config))),
  );
  const keys = await Promise.all(processes.map((one) => one.getCurrentKey(receiptKeyPurpose)));
  expect(
    new Set((await Promise.all(keys.map(({ key }) => publicKeyOf(key)))).map(({ kid }) => kid))
      .size,
  ).toBe(1);
  const published = await Promise.all(processes.map(listReceiptKeys));
  expect(new Set(published.map((list) => JSON.stringify(list))).size).toBe(1);
  await platform.stop();
});
