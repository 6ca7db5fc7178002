/**
 * Measures the codec against a minimal baseline: the same hash, CRC and cipher calls over the same segments, and
 * nothing else.
 */

import { createCipheriv, createDecipheriv, createSecretKey, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { getCodec } from '@recodery/codec/families/registry';
import { derivePairKey } from '@recodery/codec/container/cipher';
import { sealRead } from '@recodery/codec/simulator/slave';
import { makeWorkspace } from '@recodery/codec/workspace';
import { median } from '../support/median.ts';

const mebibyte = 1024 * 1024;
const segmentSize = 64 * 1024;
const tagLength = 16;
const rounds = 41;
const warmUps = 3;
/** The codec must reach this share of the baseline's speed. */
const demanded = 0.8;

/** Similar enough to firmware for this measurement: neither hash nor cipher depends on the bytes. */
function makeImage(size: number, seed: number): Uint8Array {
  const image = new Uint8Array(size);
  let state = seed;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    image[at] = state >>> 24;
  }
  return image;
}

const masterSecret = makeImage(32, 3);
const key = createSecretKey(masterSecret);
const associated = makeImage(32, 4);

function nonceOf(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, index, false);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts in segments; `target` receives ciphertext and tags. */
function floorSeal(image: Uint8Array, target: Uint8Array): void {
  const count = Math.max(1, Math.ceil(image.length / segmentSize));
  for (let index = 0; index < count; index += 1) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, index === count - 1));
    cipher.setAAD(associated);
    const from = index * segmentSize;
    const sealed = cipher.update(image.subarray(from, from + segmentSize));
    cipher.final();
    target.set(sealed, from + index * tagLength);
    target.set(cipher.getAuthTag(), from + index * tagLength + sealed.length);
  }
}

/** The minimum work of an encoder: digests of the image, and its encryption into a preallocated buffer. */
function floorEncode(image: Uint8Array, target: Uint8Array): void {
  hash('sha256', image, 'hex');
  crc32(image);
  floorSeal(image, target);
}

/** The minimum work of a decoder: decryption into a preallocated buffer, and digests of the image. */
function floorDecode(sealed: Uint8Array, image: Uint8Array): void {
  const count = Math.max(1, Math.ceil(image.length / segmentSize));
  for (let index = 0; index < count; index += 1) {
    const from = index * (segmentSize + tagLength);
    const to = Math.min(from + segmentSize, sealed.length - tagLength);
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, index === count - 1));
    decipher.setAAD(associated);
    decipher.setAuthTag(sealed.subarray(to, to + tagLength));
    image.set(decipher.update(sealed.subarray(from, to)), index * segmentSize);
    decipher.final();
  }
  hash('sha256', image, 'hex');
  crc32(image);
}

function time(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

interface Measured {
  /** Medians, in milliseconds. */
  floor: number;
  ours: number;
  /** Median over the rounds of baseline / codec: load on the machine slows both in a round. */
  ratio: number;
}

/** Alternates between baseline and codec, so that load on the machine affects both equally. */
function measure(floor: () => void, ours: () => void, prepare = (): void => undefined): Measured {
  const times: { floor: number[]; ours: number[] } = { floor: [], ours: [] };
  for (let round = 0; round < warmUps; round += 1) {
    floor();
    prepare();
    ours();
  }
  for (let round = 0; round < rounds; round += 1) {
    times.floor.push(time(floor));
    prepare();
    times.ours.push(time(ours));
  }
  const ratios = times.floor.map((value, round) => value / (times.ours[round] ?? Number.NaN));
  return { floor: median(times.floor), ours: median(times.ours), ratio: median(ratios) };
}

let isAnyTooSlow = false;

function say(what: string, result: Measured): void {
  const { ratio } = result;
  isAnyTooSlow ||= ratio < demanded;
  const verdict = ratio < demanded ? `below ${demanded}` : 'ok';
  console.log(
    `${what.padEnd(34)} floor ${result.floor.toFixed(1).padStart(7)} ms   ours ${result.ours
      .toFixed(1)
      .padStart(7)} ms   floor/ours ${ratio.toFixed(2)}   ${verdict}`,
  );
}

interface Image {
  name: ComponentName;
  bytes: Uint8Array;
}

interface Case {
  what: string;
  family: Family;
  mode: Mode;
  parts: readonly { name: ComponentName; size: number }[];
}

/** As in an engine process: one operation after the other, in reused memory. */
const workspace = makeWorkspace();
const { allocate } = workspace;

const slave = { masterSerial: 'M-0001', slaveSerial: 'S-000001', keyId: 1 };

/** A read as a slave of this master would have sealed it, under protocol 9000, which has no checksums to calculate. */
function sealCase({ family, mode }: Case, pairKey: Uint8Array, images: Image[]): Uint8Array {
  return sealRead({
    ...slave,
    family,
    pairKey,
    mode,
    components: images,
    protocolId: 9000,
    information: { vin: 'ZAR93900001234567' },
    identificationOnly: false,
    readId: makeImage(16, 5),
    fileSalt: makeImage(32, 6),
  });
}

/** One family's decode and encode. */
function measureCase(each: Case): void {
  const { what, family, parts } = each;
  const codec = getCodec(family);
  const { masterSerial, slaveSerial, keyId } = slave;
  const pairKey = derivePairKey(masterSecret, family, masterSerial, slaveSerial, keyId);
  const imagesFrom = (seed: number): Image[] =>
    parts.map(({ name, size }, index) => ({ name, bytes: makeImage(size, seed + index) }));
  const images = imagesFrom(1);
  const file = sealCase(each, pairKey, images);
  const sealed = images.map(({ bytes }) => {
    const target = new Uint8Array(bytes.length + Math.ceil(bytes.length / segmentSize) * tagLength);
    floorSeal(bytes, target);
    return { bytes, target };
  });
  const given = { file, allocate, mayOverwriteFile: true, pairKey };
  const putFileInPlace = (): void => {
    workspace.reset();
    given.file = allocate(file.length);
    given.file.set(file);
  };
  const decoded = measure(
    () => sealed.forEach(({ bytes, target }) => floorDecode(target, bytes)),
    () => codec.decode({ ...given, skipChecksum: false }),
    putFileInPlace,
  );
  say(`decode ${what}`, decoded);
  const choice = {
    modified: imagesFrom(9),
    original: null,
    removed: [],
    willCorrectCVN: false,
    willSkipChecksum: false,
    fileSalt: makeImage(32, 7),
    number: 1,
  };
  const encoded = measure(
    () => sealed.forEach(({ bytes, target }) => floorEncode(bytes, target)),
    () => {
      for (const _ of codec.encode({ ...given, ...choice }).sealed.pieces());
    },
    putFileInPlace,
  );
  say(`encode ${what}`, encoded);
}

const cases: readonly Case[] = [
  {
    what: 'KESSv2, 4 MiB',
    family: 'kessv2',
    mode: 'obd',
    parts: [{ name: 'obd', size: 4 * mebibyte }],
  },
  {
    what: 'KESSv2, 16 MiB',
    family: 'kessv2',
    mode: 'obd',
    parts: [{ name: 'obd', size: 16 * mebibyte }],
  },
  {
    what: 'KESS3 bench, 8 MiB + 64 KiB',
    family: 'kess3',
    mode: 'bootbench',
    parts: [
      { name: 'micro', size: 8 * mebibyte },
      { name: 'eeprom', size: 64 * 1024 },
    ],
  },
];
for (const each of cases) {
  measureCase(each);
}
process.exitCode = isAnyTooSlow ? 1 : 0;
