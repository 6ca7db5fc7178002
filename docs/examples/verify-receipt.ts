/** Checks a file against its Recodery receipt: `node verify-receipt.ts FILE RECEIPT.json KEYS.json`. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [file = '', receiptPath = '', keysPath = ''] = process.argv.slice(2);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

const receipt = read(receiptPath);
const header = decode(receipt.protected);
if (header.alg !== 'EdDSA' || header.typ !== 'recodery-receipt') fail('not a receipt');
const key = read(keysPath).keys.find((one: { kid: string }) => one.kid === header.kid);
if (key === undefined) fail('the portal did not issue this receipt');
const signed = Buffer.from(`${receipt.protected}.${receipt.payload}`);
const publicKey = createPublicKey({ key, format: 'jwk' });
if (!verify(null, signed, publicKey, Buffer.from(receipt.signature, 'base64url')))
  fail('the receipt was altered');
const { slave, encodedOn, portal, files } = decode(receipt.payload);
const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
const found = files.find((one: { sha256: string }) => one.sha256 === sha256);
if (found === undefined) fail('the file differs from the receipt');
process.stdout.write(
  `genuine ${found.role} file: encoded for ${slave} on ${encodedOn} by ${portal}\n`,
);
