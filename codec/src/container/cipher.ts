/** Suite 1 of the container: keys by HKDF-SHA-256, the header's HMAC-SHA-256, segments by AES-256-GCM. */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
import type { DecipherGCM, KeyObject } from 'node:crypto';
import { containerOf, type Family } from '@recodery/contract/families/registry';
import { concatBytes } from './bytes.ts';
import { segmentCount, tagLength } from './container.ts';
import { CodecError } from '../errors.ts';
import type { Allocate } from '../workspace.ts';

const keyLength = 32;
const noSalt = new Uint8Array(0);
const utf8 = new TextEncoder();

/**
 * A key as a key object. If Node receives raw bytes, it first tests, by catching an exception, whether they are a key
 * object: for each segment again, a third of a small file's total time.
 */
const asKey = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', asKey(secret), salt, info, keyLength));
}

/** A text prefixed with its length in bytes, so that no two pairs of texts produce the same bytes. */
function lengthPrefixed(text: string): Uint8Array {
  const bytes = utf8.encode(text);
  return concatBytes([Uint8Array.of(bytes.length), bytes]);
}

/**
 * The only secret that a slave stores (32 bytes), derived from its master device's secret. `keyId` is the number under
 * which the operator issued it; a different number gives a different key.
 */
export function derivePairKey(
  masterSecret: Uint8Array,
  family: Family,
  masterSerial: string,
  slaveSerial: string,
  keyId: number,
): Uint8Array {
  const keyIdBytes = new Uint8Array(4);
  new DataView(keyIdBytes.buffer).setUint32(0, keyId, true);
  const info = concatBytes([
    utf8.encode('tfc/1/pair'),
    Uint8Array.of(containerOf(family).number),
    lengthPrefixed(masterSerial),
    lengthPrefixed(slaveSerial),
    keyIdBytes,
  ]);
  return derive(masterSecret, noSalt, info);
}

/** The parts of a preamble that the keys of a file depend on. */
interface KeyPlace {
  readonly fileSalt: Uint8Array;
  readonly family: number;
  readonly kind: number;
}

/**
 * The key of one file, for its header or for its payload; family and kind are included in the derivation, so that no
 * file is accepted as a different type.
 */
export function deriveFileKey(
  pairKey: Uint8Array,
  part: 'header' | 'payload',
  place: KeyPlace,
): Uint8Array {
  const purpose = utf8.encode(`tfc/1/${part}`);
  const info = concatBytes([purpose, Uint8Array.of(place.family, place.kind)]);
  return derive(pairKey, place.fileSalt, info);
}

/** HMAC-SHA-256 of a header with its CRC. */
export function macOf(headerKey: Uint8Array, headerWithCrc: Uint8Array): Uint8Array {
  return createHmac('sha256', asKey(headerKey)).update(headerWithCrc).digest();
}

/** Compares two MACs in constant time. */
export function isSameMac(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * 7 × 00 ‖ u32be(index) ‖ 01 for the last segment, else 00: no segment can be moved, omitted, duplicated or truncated.
 */
function writeNonce(nonce: DataView, index: number, isLast: boolean): void {
  nonce.setUint32(7, index, false);
  nonce.setUint8(11, isLast ? 1 : 0);
}

/** Whether the tag is valid. Node reports an invalid tag only by throwing. */
function isAuthentic(decipher: DecipherGCM): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}

/** The positions of a file's segments and the key that opens them. */
export interface SegmentKeys {
  readonly payloadKey: Uint8Array;
  readonly headerMac: Uint8Array;
  readonly segmentLog2: number;
}

/** Frees the memory of what Node's ciphers have returned; see `Workspace`. */
export type Collect = () => void;
/** Bytes of that memory after which it is freed. */
const collectEvery = 8 * 1024 * 1024;

/**
 * Decrypts every segment of `sealed` (ciphertext and tags, nothing else) into `target`, whose length is the payload's.
 * `target` may be the beginning of `sealed`: writing never overtakes reading. Throws FILE_CORRUPTED on the first
 * invalid tag, and then wipes what it had decrypted. `collect` is called after each 8 MiB.
 */
export function openSegments(
  sealed: Uint8Array,
  keys: SegmentKeys,
  target: Uint8Array,
  collect?: Collect,
): void {
  const key = asKey(keys.payloadKey);
  const segmentSize = 2 ** keys.segmentLog2;
  const count = segmentCount(target.length, keys.segmentLog2);
  const nonce = new Uint8Array(12);
  const nonceView = new DataView(nonce.buffer);
  let from = 0;
  for (let index = 0; index < count; index += 1) {
    const start = index * segmentSize;
    const length = Math.min(segmentSize, target.length - start);
    writeNonce(nonceView, index, index === count - 1);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, {
      authTagLength: tagLength,
    });
    decipher.setAAD(keys.headerMac);
    decipher.setAuthTag(sealed.subarray(from + length, from + length + tagLength));
    target.set(decipher.update(sealed.subarray(from, from + length)), start);
    if (!isAuthentic(decipher)) {
      target.fill(0, 0, start + length);
      throw new CodecError('FILE_CORRUPTED');
    }
    from += length + tagLength;
    if ((start + length) % collectEvery === 0) collect?.();
  }
}

/** Segments that are sealed at once. */
const pieceSegments = 16;

/**
 * Encrypts the parts in order: yields ciphertext and tags in pieces of some segments. Each piece is in the same memory,
 * so it is valid until the next one is requested. `collect` is called after each 8 MiB.
 */
export function* sealSegments(
  parts: readonly Uint8Array[],
  payloadLength: number,
  keys: SegmentKeys,
  { allocate, collect }: { readonly allocate: Allocate; readonly collect?: Collect | undefined },
): Generator<Uint8Array, void, undefined> {
  const key = asKey(keys.payloadKey);
  const segmentSize = 2 ** keys.segmentLog2;
  const count = segmentCount(payloadLength, keys.segmentLog2);
  const take = takeFrom(parts);
  const nonce = new Uint8Array(12);
  const nonceView = new DataView(nonce.buffer);
  const piece = allocate(Math.min(count, pieceSegments) * (segmentSize + tagLength));
  let to = 0;
  for (let index = 0; index < count; index += 1) {
    writeNonce(nonceView, index, index === count - 1);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, {
      authTagLength: tagLength,
    });
    cipher.setAAD(keys.headerMac);
    let left = Math.min(segmentSize, payloadLength - index * segmentSize);
    while (left > 0) {
      const plain = take(left);
      piece.set(cipher.update(plain), to);
      to += plain.length;
      left -= plain.length;
    }
    cipher.final();
    piece.set(cipher.getAuthTag(), to);
    to += tagLength;
    if (index % pieceSegments === pieceSegments - 1 || index === count - 1) {
      yield piece.subarray(0, to);
      to = 0;
    }
    if (((index + 1) * segmentSize) % collectEvery === 0) collect?.();
  }
}

/** Yields the parts' bytes in order, with a maximum per call, as views: the parts are never concatenated. */
function takeFrom(parts: readonly Uint8Array[]): (most: number) => Uint8Array {
  let index = 0;
  let at = 0;
  return (most) => {
    let part = parts[index];
    while (part !== undefined && at === part.length) {
      index += 1;
      at = 0;
      part = parts[index];
    }
    if (part === undefined) {
      throw new RangeError('the parts are shorter than the payload');
    }
    const piece = part.subarray(at, at + most);
    at += piece.length;
    return piece;
  };
}
