/** Changes an input at random: bits, numbers, ranges, words of a dictionary, and parts of another input. */
import { pick, type Random } from './random.ts';

/** Numbers that often break arithmetic. */
const edges = [
  0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1023, 1024, 4095, 4096, 0x7fff, 0x8000,
  0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

/** The sources of mutations. */
export interface Material {
  readonly random: Random;
  readonly dictionary: readonly Uint8Array[];
  /** The inputs so far, to take parts from. */
  readonly others: readonly Uint8Array[];
  readonly longest: number;
}

type Mutation = (bytes: Buffer, material: Material) => Buffer;

/** A place in the bytes, the first ones more often: headers are there. */
function placeIn({ length }: Buffer, random: Random): number {
  const limit = random.below(3) === 0 ? Math.min(length, 128) : length;
  return random.below(limit);
}

function lengthFrom(random: Random, most: number): number {
  const usual = random.below(2) === 0 ? Math.min(most, 8) : most;
  return Math.min(most, 1 + random.below(Math.max(1, usual)));
}

function replaceRange(bytes: Buffer, at: number, length: number, by: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + length)]);
}

const flipBit: Mutation = (bytes, { random }) => {
  const at = placeIn(bytes, random);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes;
};

const setByte: Mutation = (bytes, { random }) => {
  bytes[placeIn(bytes, random)] = random.below(256);
  return bytes;
};

const addToByte: Mutation = (bytes, { random }) => {
  const at = placeIn(bytes, random);
  bytes[at] = (bytes[at] ?? 0) + random.below(33) - 16;
  return bytes;
};

const setNumber: Mutation = (bytes, { random }) => {
  const size = [1, 2, 4, 8][random.below(4)] ?? 4;
  if (bytes.length < size) return bytes;
  const number = Buffer.alloc(8);
  number.writeUInt32LE(edges[random.below(edges.length)] ?? 0, 0);
  const part = number.subarray(0, size);
  (random.below(2) === 0 ? part : part.reverse()).copy(
    bytes,
    random.below(bytes.length - size + 1),
  );
  return bytes;
};

const remove: Mutation = (bytes, { random }) => {
  const at = placeIn(bytes, random);
  return replaceRange(bytes, at, lengthFrom(random, bytes.length - at), Buffer.alloc(0));
};

const truncate: Mutation = (bytes, { random }) => bytes.subarray(0, random.below(bytes.length));

const repeat: Mutation = (bytes, { random }) => {
  const at = placeIn(bytes, random);
  const part = bytes.subarray(at, at + lengthFrom(random, bytes.length - at));
  const times = random.below(8) === 0 ? 1 + random.below(64) : 1;
  return replaceRange(bytes, at, 0, Buffer.concat(Array.from({ length: times }, () => part)));
};

const insertNoise: Mutation = (bytes, { random }) => {
  const noise = Uint8Array.from({ length: 1 + random.below(16) }, () => random.below(256));
  return replaceRange(bytes, random.below(bytes.length + 1), 0, noise);
};

const copyRange: Mutation = (bytes, { random }) => {
  const from = random.below(bytes.length);
  bytes.copyWithin(placeIn(bytes, random), from, from + lengthFrom(random, bytes.length - from));
  return bytes;
};

const useWord: Mutation = (bytes, { random, dictionary }) => {
  const word = pick(random, dictionary) ?? Buffer.alloc(1);
  const at = random.below(bytes.length + 1);
  return replaceRange(bytes, at, random.below(2) === 0 ? 0 : word.length, word);
};

const takeFromOther: Mutation = (bytes, { random, others }) => {
  const other = pick(random, others) ?? bytes;
  if (other.length === 0) return bytes;
  const from = random.below(other.length);
  const part = other.subarray(from, from + lengthFrom(random, other.length - from));
  const at = random.below(bytes.length + 1);
  return replaceRange(bytes, at, random.below(2) === 0 ? 0 : part.length, part);
};

const mutations: readonly Mutation[] = [
  flipBit,
  flipBit,
  setByte,
  addToByte,
  setNumber,
  setNumber,
  remove,
  truncate,
  repeat,
  insertNoise,
  copyRange,
  useWord,
  useWord,
  takeFromOther,
];

/** A changed copy of an input, at most `longest` bytes. */
export function mutate(original: Uint8Array, material: Material): Uint8Array {
  const { random, longest } = material;
  let bytes: Buffer = Buffer.from(original);
  let steps = 1;
  while (steps < 16 && random.below(2) === 0) steps += 1;
  for (let step = 0; step < steps; step += 1) {
    const mutation = bytes.length === 0 ? insertNoise : (pick(random, mutations) ?? flipBit);
    bytes = mutation(bytes, material).subarray(0, longest);
  }
  return bytes;
}
