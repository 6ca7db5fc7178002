/**
 * Files with all typical and hostile faults: how to make each, and how each family's page must report it. They can be
 * made for any slave, so that the codec's tests and those of a running portal share one table.
 */

import { deflateRawSync } from 'node:zlib';
import type { Forgery } from '../forge.ts';
import {
  anotherKey,
  archive,
  componentOf,
  componentWrong,
  corrupted,
  cutOff,
  cutTo,
  flippedFromEnd,
  image,
  infoWrong,
  lied,
  newer,
  readBy,
  readOf,
  replaced,
  sealedWrong,
  startingWith,
  told,
  tooLong,
  unknown,
} from './builders.ts';
import type { Damage } from './builders.ts';

const unopened: readonly Damage[] = [
  {
    name: 'empty',
    code: 'FILE_EMPTY',
    names: ['FILE_LOAD_ERROR', 'FILE_LOAD_ERROR', 'KESS3_PATH_OR_FILE_NOT_FOUND'],
    make: () => Buffer.alloc(0),
  },
  {
    name: 'zip',
    code: 'FILE_IS_ARCHIVE_ZIP',
    names: archive,
    make: startingWith(0x50, 0x4b, 3, 4),
  },
  {
    name: 'empty-zip',
    code: 'FILE_IS_ARCHIVE_ZIP',
    names: archive,
    make: startingWith(0x50, 0x4b, 5, 6),
  },
  {
    name: '7z',
    code: 'FILE_IS_ARCHIVE_7Z',
    names: archive,
    make: startingWith(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
  },
  {
    name: 'rar',
    code: 'FILE_IS_ARCHIVE_RAR',
    names: archive,
    make: startingWith(0x52, 0x61, 0x72, 0x21, 0x1a, 7),
  },
  { name: 'gzip', code: 'FILE_IS_ARCHIVE_GZIP', names: archive, make: startingWith(0x1f, 0x8b, 8) },
  {
    name: 'bz2',
    code: 'FILE_IS_ARCHIVE_BZ2',
    names: archive,
    make: startingWith(0x42, 0x5a, 0x68, 0x39),
  },
  {
    name: 'xz',
    code: 'FILE_IS_ARCHIVE_XZ',
    names: archive,
    make: startingWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0),
  },
  {
    name: 'vim-swap',
    code: 'FILE_IS_ARCHIVE_VIM',
    names: archive,
    make: startingWith(0x62, 0x30, 0x56, 0x49, 0x4d),
  },
  { name: 'plain-image', code: 'FILE_NOT_RECOGNIZED', names: unknown, make: () => image },
  {
    name: 'text-transfer-without-cr',
    code: 'FILE_CORRUPTED_TEXT_TRANSFER',
    names: corrupted,
    make: (slave) => replaced(readBy(slave), '\r\n', '\n'),
  },
  {
    name: 'text-transfer-with-cr',
    code: 'FILE_CORRUPTED_TEXT_TRANSFER',
    names: corrupted,
    make: (slave) => replaced(readBy(slave), '\n', '\r\n'),
  },
  {
    name: 'text-transfer-of-7-bits',
    code: 'FILE_CORRUPTED_TEXT_TRANSFER',
    names: corrupted,
    make: (slave) => Buffer.from(readBy(slave).map((byte) => byte & 0x7f)),
  },
  { name: 'cut-in-the-magic', code: 'FILE_TRUNCATED', names: cutOff, make: cutTo(5) },
  { name: 'cut-in-the-preamble', code: 'FILE_TRUNCATED', names: cutOff, make: cutTo(40) },
  { name: 'cut-in-the-header', code: 'FILE_TRUNCATED', names: cutOff, make: cutTo(150) },
];

const withField =
  (type: string): Required<Forgery>['fields'] =>
  (usual) => [...usual, [type, Buffer.from('x')]];

const header: readonly Damage[] = [
  { name: 'newer-version', code: 'UNSUPPORTED_VERSION', names: newer, make: told({ major: 2 }) },
  {
    name: 'header-longer-than-allowed',
    code: 'BAD_HEADER',
    names: corrupted,
    make: told({ headerLength: 65_537 }),
  },
  {
    name: 'header-damaged',
    code: 'BAD_HEADER',
    names: corrupted,
    make: told({ isCrcWrong: true }),
  },
  { name: 'newer-suite', code: 'UNSUPPORTED_SUITE', names: newer, make: told({ suite: 2 }) },
  { name: 'reserved-flag', code: 'BAD_HEADER', names: corrupted, make: told({ flags: 1 }) },
  {
    name: 'segment-size-of-2-gib',
    code: 'BAD_HEADER',
    names: corrupted,
    make: told({ segmentLog2: 31 }),
  },
  {
    name: 'field-twice',
    code: 'BAD_HEADER',
    names: corrupted,
    make: told({ fields: withField('MCOD') }),
  },
  {
    name: 'field-missing',
    code: 'BAD_HEADER',
    names: corrupted,
    make: told({ fields: (usual) => usual.filter(([type]) => type !== 'RDID') }),
  },
  {
    name: 'newer-critical-field',
    code: 'UNSUPPORTED_CRITICAL_FIELD',
    names: newer,
    make: told({ fields: withField('XTRA') }),
  },
  {
    name: 'too-many-components',
    code: 'BAD_HEADER',
    names: corrupted,
    make: told({ table: Buffer.alloc(1 + 17 * 52, 17) }),
  },
];

const routing: readonly Damage[] = [
  {
    name: 'ktag-backup',
    code: 'WRONG_FAMILY_KTAG',
    names: ['FILE_IS_KTAG_BACKUP', null, 'KESS3_FILE_IS_KTAG_BACKUP'],
    make: (slave) => readOf('ktag', slave),
  },
  {
    name: 'kessv2-read',
    code: 'WRONG_FAMILY_KESSV2',
    names: [null, 'FILE_IS_KESSV2', 'KESS3_FILE_IS_KESSV2'],
    make: (slave) => readOf('kessv2', slave),
  },
  {
    name: 'kess3-read',
    code: 'WRONG_FAMILY_KESS3',
    names: ['FILE_IS_KESS3', 'FILE_IS_KESS3', null],
    make: (slave) => readOf('kess3', slave),
  },
  { name: 'encoded-file', code: 'WRONG_FILE_KIND', names: unknown, make: told({ kind: 3 }) },
  { name: 'encoded-backup', code: 'WRONG_FILE_KIND', names: unknown, make: told({ kind: 4 }) },
  { name: 'utility-backup', code: 'WRONG_FILE_KIND', names: unknown, make: told({ kind: 5 }) },
  {
    name: 'read-dropped-on-the-utility',
    code: 'WRONG_FILE_KIND',
    names: [null, null, 'KESS3_FILE_NOT_RECOGNIZED'],
    workflow: 'kess3-utility',
    make: told({}),
  },
  {
    name: 'of-another-master',
    code: 'WRONG_MASTER_CODE',
    names: ['WRONG_MASTER_CODE', 'WRONG_MASTER_CODE', 'KESS3_WRONG_MASTER_CODE'],
    isReportedByPortal: true,
    make: told({ masterSerial: 'X-9999', pairKey: anotherKey }),
  },
  {
    name: 'of-an-unknown-slave',
    code: 'TOOL_NOT_FOUND',
    names: ['WRONG_MASTER_CODE', 'WRONG_MASTER_CODE', 'KESS3_TOOL_NOT_FOUND'],
    isReportedByPortal: true,
    make: told({ slaveSerial: 'X-999999', pairKey: anotherKey }),
  },
];

const mebibyte = 1024n * 1024n;

const lengths: readonly Damage[] = [
  {
    name: 'component-declared-too-large',
    code: 'FILE_TOO_LARGE',
    names: tooLong,
    make: lied({ size: 16n * mebibyte + 1n }),
  },
  {
    name: 'payload-declared-too-large',
    code: 'FILE_TOO_LARGE',
    names: tooLong,
    make: told({ payloadLength: 2n ** 63n }),
  },
  {
    name: 'cut-in-the-payload',
    code: 'FILE_TRUNCATED',
    names: cutOff,
    make: (slave) => readBy(slave).subarray(0, -100),
  },
  {
    name: 'with-bytes-behind-it',
    code: 'UNEXPECTED_TRAILING_DATA',
    names: tooLong,
    make: (slave) => Buffer.concat([readBy(slave), Buffer.from('\r\n')]),
  },
];

const sealing: readonly Damage[] = [
  {
    name: 'mac-wrong',
    code: 'AUTHENTICATION_FAILED',
    names: sealedWrong,
    make: told({ isMacWrong: true }),
  },
  {
    name: 'under-another-key',
    code: 'AUTHENTICATION_FAILED',
    names: sealedWrong,
    make: told({ pairKey: anotherKey }),
  },
  {
    name: 'under-an-unknown-key-id',
    code: 'AUTHENTICATION_FAILED',
    names: sealedWrong,
    make: (slave) => {
      const pairKey = Buffer.from(slave.pairKey).reverse();
      return readBy(slave, { keyId: slave.keyId + 7, pairKey });
    },
  },
  { name: 'tag-damaged', code: 'FILE_CORRUPTED', names: sealedWrong, make: flippedFromEnd(3) },
  {
    name: 'payload-damaged',
    code: 'FILE_CORRUPTED',
    names: sealedWrong,
    make: flippedFromEnd(500),
  },
];

const components: readonly Damage[] = [
  {
    name: 'protocol-unknown',
    code: 'PROTOCOL_NOT_FOUND',
    names: ['ECU_NOT_SUPPORTED', 'ECU_NOT_SUPPORTED', 'KESS3_PROTOCOL_NOT_FOUND'],
    make: told({ protocolId: 77 }),
  },
  {
    name: 'component-of-unknown-storage',
    code: 'BAD_HEADER',
    names: corrupted,
    make: lied({ storage: 9, packed: image }),
  },
  {
    name: 'table-longer-than-payload',
    code: 'BAD_HEADER',
    names: corrupted,
    make: lied({ size: 2048n }),
  },
  {
    name: 'component-twice',
    code: 'BAD_HEADER',
    names: corrupted,
    make: (slave) => {
      const component = componentOf(slave.family);
      return readBy(slave, { components: [component, component] });
    },
  },
  {
    name: 'component-of-unknown-type',
    code: 'COMPONENT_NOT_IN_PROTOCOL',
    names: ['WRONG_IMPORT', 'WRONG_IMPORT', 'KESS3_COMPONENT_READ_ERROR'],
    make: lied({ type: 0x60 }),
  },
  {
    name: 'component-too-small-for-the-protocol',
    code: 'UNEXPECTED_SIZE',
    names: ['UNEXPECTED_SIZE', 'UNEXPECTED_SIZE', 'KESS3_COMPONENT_READ_ERROR'],
    make: lied({ bytes: image.subarray(0, 100) }),
  },
  {
    name: 'component-digest-wrong',
    code: 'COMPONENT_DIGEST_MISMATCH',
    names: componentWrong,
    make: lied({ sha256: Buffer.alloc(32) }),
  },
  {
    name: 'component-crc-wrong',
    code: 'COMPONENT_DIGEST_MISMATCH',
    names: componentWrong,
    make: lied({ crc: 0x1234 }),
  },
  {
    name: 'deflate-broken',
    code: 'COMPONENT_DIGEST_MISMATCH',
    names: componentWrong,
    make: lied({ storage: 1, packed: Buffer.alloc(64, 0xff) }),
  },
  {
    name: 'deflate-bomb',
    code: 'COMPONENT_DIGEST_MISMATCH',
    names: componentWrong,
    make: lied({ storage: 1, packed: deflateRawSync(Buffer.alloc(4_000_000)) }),
  },
  {
    name: 'packed-backup-damaged',
    code: 'COMPONENT_DIGEST_MISMATCH',
    names: [null, null, 'KESS3_UNPACK_BACKUP_ERROR'],
    workflow: 'kess3-utility',
    make: (slave) =>
      readBy(slave, { kind: 5, components: [{ ...componentOf(slave.family), crc: 0x1234 }] }),
  },
  { name: 'info-missing', code: 'INFO_ERROR', names: infoWrong, make: told({ infoBytes: null }) },
  {
    name: 'info-unreadable',
    code: 'INFO_ERROR',
    names: infoWrong,
    make: told({ infoBytes: Buffer.from('{"vin":') }),
  },
  {
    name: 'info-too-long',
    code: 'INFO_ERROR',
    names: infoWrong,
    make: told({ info: { vin: 'x'.repeat(17_000) } }),
  },
  {
    name: 'identification-only-of-a-protocol-without-virtual-reading',
    code: 'VR_UNSUPPORTED',
    names: ['VIRTUAL_READING_LOOKUP_ERROR', null, 'KESS3_VIRTUAL_READING_NOT_SUPPORTED'],
    make: told({ components: [] }),
  },
  {
    name: 'backup-without-a-component',
    code: 'COMPONENT_NOT_IN_PROTOCOL',
    names: [null, 'WRONG_IMPORT', null],
    make: told({ components: [] }),
  },
];

/** Every fault that a sealed read of open firmware (protocol 9000) can have, in the order of the checks. */
export const damages: readonly Damage[] = [
  ...unopened,
  ...header,
  ...routing,
  ...lengths,
  ...sealing,
  ...components,
];

/** One damage of each code and workflow, and the others. */
export function firstOfEachCode<T extends Pick<Damage, 'code' | 'workflow'>>(
  all: readonly T[],
): readonly [first: readonly T[], others: readonly T[]] {
  const known = new Map<string, T>();
  for (const one of all) {
    const key = `${one.code} ${one.workflow}`;
    known.set(key, known.get(key) ?? one);
  }
  const first = [...known.values()];
  return [first, all.filter((one) => !first.includes(one))];
}
