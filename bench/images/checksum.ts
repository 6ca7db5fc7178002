/**
 * The cost of checksums compared with the cipher: verifying and correcting 16 MiB against AES-256-GCM over the same
 * bytes.
 */

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { correctChecksums, verifyChecksums } from '@recodery/codec/checksum/checksum';
import type { ChecksumAlgorithm, ChecksumScheme } from '@recodery/codec/checksum/scheme';
import * as catalog from '@recodery/codec/checksum/crc-catalog';
import { timeInTurn } from '../support/time.ts';

const size = 0x1000000;
const segment = 0x10000;

/** Random bytes: the speed of sums, CRCs and the cipher does not depend on the data. */
const image = new Uint8Array(size);
for (let at = 0, state = 1; at < size; at += 1) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  image[at] = state >>> 24;
}

const key = Buffer.alloc(32, 7);
const sealed = Buffer.alloc(size);
const tags: Buffer[] = [];

/** The container's cipher over the image, in its segments. */
function encrypt(): void {
  tags.length = 0;
  for (let at = 0; at < size; at += segment) {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(at / segment, 7);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    sealed.set(cipher.update(image.subarray(at, at + segment)), at);
    cipher.final();
    tags.push(cipher.getAuthTag());
  }
}

function decrypt(): void {
  for (let at = 0; at < size; at += segment) {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(at / segment, 7);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce);
    decipher.setAuthTag(tags[at / segment] ?? Buffer.alloc(16));
    decipher.update(sealed.subarray(at, at + segment));
    decipher.final();
  }
}

/**
 * Two rules over the whole image, as flash protocols have them; results in the last 16 bytes. Node has native code only
 * for CRC-32/ISO-HDLC's polynomial; the other CRCs use tables and cost more than a cipher with AES instructions.
 */
function schemeOf(...algorithms: ChecksumAlgorithm[]): ChecksumScheme {
  return algorithms.map((algorithm, index) => ({
    name: `RULE-${index}`,
    ranges: [{ at: 0, length: size - 16 }],
    algorithm,
    result: { kind: 'store', at: size - 16 + 4 * index, type: 'u32le' },
  }));
}

const sum32 = { kind: 'sum', unit: 4, order: 'le', width: 32 } as const;
const sum16be = { kind: 'sum', unit: 2, order: 'be', width: 32 } as const;
const schemes: Readonly<Record<string, ChecksumScheme>> = {
  'sum32 + CRC-32/ISO-HDLC': schemeOf(sum32, catalog.crc32IsoHdlc),
  'sum16 big-endian + CRC-32/MPEG-2': schemeOf(sum16be, catalog.crc32Mpeg2),
  'sum32 + CRC-32C': schemeOf(sum32, catalog.crc32c),
  'sum32 + CRC-16': schemeOf(sum32, catalog.crc16Ibm3740),
  'sum32 alone': schemeOf(sum32),
  'CRC-32/ISO-HDLC alone': schemeOf(catalog.crc32IsoHdlc),
  'CRC-32/MPEG-2 alone': schemeOf(catalog.crc32Mpeg2),
};

const show = (ms: number): string => ms.toFixed(1).padStart(6);

console.log('16 MiB, medians in ms; ratio = (verify + correct) / (decrypt + encrypt)');
for (const [name, scheme] of Object.entries(schemes)) {
  const { sealing, opening, verifying, correcting } = await timeInTurn(
    {
      sealing: encrypt,
      opening: decrypt,
      verifying: () => verifyChecksums(scheme, image),
      correcting: () => correctChecksums(scheme, image),
    },
    { rounds: 15, warmUps: 3 },
  );
  const ratio = (verifying + correcting) / (sealing + opening);
  console.log(
    `${name.padEnd(34)} verify ${show(verifying)}  correct ${show(correcting)}  encrypt ${show(sealing)}  decrypt ${show(opening)}  ratio ${ratio.toFixed(2)}`,
  );
}
