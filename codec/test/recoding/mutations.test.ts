/**
 * Thousands of random mutations of valid files of each kind: each gets a result, and none crashes, hangs or uses
 * excessive memory.
 */

import { deflateRawSync } from 'node:zlib';
import { type Family, type Workflow, workflowOf } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { getCodec } from '../../src/families/registry.ts';
import type { ContainerKind } from '../../src/container/container.ts';
import { acceptEncoded, inspect } from '../../src/simulator/slave.ts';
import { internalCodes } from '../../src/errors.ts';
import { forge, numberBytes } from '../forge.ts';
import type { ForgedComponent, Forgery } from '../forge.ts';
import { codeOf } from '../reads.ts';
import { noise, slaveOf } from '../slaves.ts';

/** `npm run release-check` sets the variable. */
const mutationsOfEach = process.env['RECODERY_LONG_TESTS'] === 'on' ? 10_000 : 2000;

/** A seeded sequence of pseudorandom numbers, so that a failure can be reproduced. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof randomNumbers>;

/** Numbers that often break arithmetic. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];

/** Changes some bytes, truncates, duplicates or overwrites a range. */
function mutate(original: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(original);
  const at = random(bytes.length);
  switch (random(6)) {
    case 0:
      bytes[at] = random(256);
      return bytes;
    case 1:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes;
    case 2:
      if (at + 4 <= bytes.length) {
        bytes.writeUInt32LE(edges[random(edges.length)] ?? 0, at);
      }
      return bytes;
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(64))]);
    case 4:
      return Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(random(bytes.length), at + random(64)),
      ]);
    default:
      bytes.copyWithin(at, random(bytes.length), random(bytes.length));
      return bytes;
  }
}

interface Subject {
  kind: ContainerKind;
  family: Family;
  forgery: Forgery;
  open: (file: Uint8Array) => unknown;
}

const bytes = noise(1024);
const maps = Buffer.alloc(3000, 'map ');
const packedMaps = deflateRawSync(maps);
const deflated: ForgedComponent = { type: 2, bytes: maps, storage: 1, packed: packedMaps };
const bench: readonly ForgedComponent[] = [{ type: 1, bytes }, deflated];
const answer: Required<Forgery>['fields'] = (usual) => [
  ...usual,
  ['PREV', Buffer.alloc(32)],
  ['NUMB', numberBytes(1, 4)],
];

function decoder(workflow: Workflow): Subject['open'] {
  const { pairKey } = slaveOf(workflowOf(workflow).family);
  return (file) => getCodec(workflow).decode({ file, pairKey, skipChecksum: true });
}

const accepter =
  (family: Family): Subject['open'] =>
  (file) =>
    acceptEncoded({ ...slaveOf(family), file });

const subjects: readonly Subject[] = [
  {
    kind: 'read-file',
    family: 'kessv2',
    forgery: { components: [{ type: 6, bytes }] },
    open: decoder('kessv2'),
  },
  {
    kind: 'read-backup',
    family: 'ktag',
    forgery: { family: 'ktag', components: bench },
    open: decoder('ktag'),
  },
  {
    kind: 'encoded-file',
    family: 'kess3',
    forgery: { family: 'kess3', kind: 3, mode: 2, components: bench, fields: answer },
    open: accepter('kess3'),
  },
  {
    kind: 'encoded-backup',
    family: 'ktag',
    forgery: { family: 'ktag', kind: 4, components: bench, fields: answer },
    open: accepter('ktag'),
  },
  {
    kind: 'utility-backup',
    family: 'kess3',
    forgery: { family: 'kess3', kind: 5, mode: 2, components: bench },
    open: decoder('kess3-utility'),
  },
];

/** The same subject with one change, sealed again: only the owner of a key can do this. */
function resealed(forgery: Forgery, random: Random): Buffer {
  const components = forgery.components ?? [];
  switch (random(3)) {
    case 0:
      return forge({ ...forgery, header: (header) => mutate(header, random) });
    case 1:
      return forge({
        ...forgery,
        infoBytes: mutate(Buffer.from('{"vin":"A","hw":[1,{}]}'), random),
      });
    default: {
      const packed = mutate(packedMaps, random);
      return forge({
        ...forgery,
        components: components.map((each) => (each.storage === 1 ? { ...each, packed } : each)),
      });
    }
  }
}

/** The results of thousands of attempts to open a file. */
interface Observed {
  codes: Map<string, number>;
  /** Processor time: other load on the machine is not counted. */
  slowestMs: number;
}

function openMutations({ kind, family, forgery, open }: Subject): Observed {
  const valid = forge(forgery);
  const random = randomNumbers(kind.length);
  const { pairKey } = slaveOf(family);
  const codes = new Map<string, number>();
  let slowestMs = 0;
  for (let index = 0; index < mutationsOfEach; index += 1) {
    const file = index % 2 === 0 ? mutate(valid, random) : resealed(forgery, random);
    const start = process.threadCpuUsage();
    const code = index % 16 < 2 ? inspect(file, pairKey).outcome : codeOf(() => open(file));
    const { user, system } = process.threadCpuUsage(start);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return { codes, slowestMs };
}

describe('mutations of', () => {
  // promise c.format.mutations
  test.each(subjects)('$kind all get a result', (subject) => {
    expect(codeOf(() => subject.open(forge(subject.forgery)))).toBe('OK');
    const memoryBefore = process.memoryUsage().arrayBuffers;
    const { codes, slowestMs } = openMutations(subject);
    const known: ReadonlySet<string> = new Set(['OK', ...internalCodes]);
    expect([...codes.keys()].filter((code) => !known.has(code))).toEqual([]);
    // The mutations pass the outer checks; otherwise they prove nothing.
    for (const code of ['OK', 'BAD_HEADER', 'AUTHENTICATION_FAILED', 'FILE_CORRUPTED']) {
      expect([code, (codes.get(code) ?? 0) > 20]).toEqual([code, true]);
    }
    expect(slowestMs).toBeLessThan(1000);
    const growth = process.memoryUsage().arrayBuffers - memoryBefore;
    expect(growth).toBeLessThan(128 * 1024 * 1024);
  });
});
