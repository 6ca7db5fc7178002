/** The sample files of the demo workspace: reads of every family and mode, and the typical mistakes. */
import { containerOf, type Workflow } from '@recodery/contract/families/registry';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { getCodec } from '@recodery/codec/families/registry';
import { type DeviceComponent, type Slave, sealRead } from '@recodery/codec/simulator/slave';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { readIdent } from '@recodery/codec/protocols/ident';
import type { Protocol } from '@recodery/codec/protocols/shape';
import { findComponent, findProtocol } from '@recodery/codec/protocols/protocols';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import { ZipFile } from 'yazl';

/** A sample file. `path` is relative to the folder of the samples; `words` explains its purpose. */
export interface Sample {
  readonly path: string;
  readonly words: string;
  readonly bytes: Uint8Array;
}

/** The input of a demo slave's read. Sizes in bytes; absent: the protocol's usual ones. */
interface Read {
  readonly slave: string;
  readonly protocolId: number;
  readonly mode: Mode;
  readonly seed: number;
  readonly sizes?: Partial<Record<ComponentName, number>>;
  readonly leaveOut?: readonly ComponentName[];
  readonly identificationOnly?: boolean;
  /** Absent: the family's own page. */
  readonly workflow?: Workflow;
  /** Damages the images before they are sealed, as a wrong base would. */
  readonly spoil?: (image: Uint8Array) => void;
}

/** The slaves by serial number, with their keys. */
export type SlavesBySerial = ReadonlyMap<string, Slave>;

const obdSizes: Partial<Record<ComponentName, number>> = { obd: 256 * 1024 };
const benchSizes: Partial<Record<ComponentName, number>> = {
  flash: 1024 * 1024,
  micro: 256 * 1024,
  eeprom: 4096,
};

function componentNamesOf(protocol: Protocol, read: Read): readonly ComponentName[] {
  if (read.mode === 'obd') return ['obd'];
  return protocol.components
    .map(({ name }) => name)
    .filter((name) => name !== 'obd' && read.leaveOut?.includes(name) !== true);
}

/** The plain images of the ECU, whether or not the read will contain them. */
function imagesOf(protocol: Protocol, read: Read): readonly DeviceComponent[] {
  return componentNamesOf(protocol, read).map((name) => {
    const bytes = generateImage(protocol, name, read.seed, read.sizes?.[name]);
    read.spoil?.(bytes);
    return { name, bytes };
  });
}

/** The numbers by which Virtual Reading searches for these images. */
function numbersOf(
  protocol: Protocol,
  images: readonly DeviceComponent[],
): { readonly hardware: string; readonly software: string } {
  for (const { name, bytes } of images) {
    const spec = findComponent(protocol, name);
    const ident = spec === null ? null : readIdent(spec, bytes);
    if (ident?.hardware !== undefined && ident.software !== undefined) {
      return { hardware: ident.hardware, software: ident.software };
    }
  }
  throw new Error(`an image of protocol ${protocol.id} has no numbers`);
}

function getSlave(slaves: SlavesBySerial, serial: string): Slave {
  const slave = slaves.get(serial);
  if (slave === undefined) throw new Error(`the demo has no slave ${serial}`);
  return slave;
}

function seal(
  slaves: SlavesBySerial,
  protocol: Protocol,
  read: Read,
  images = imagesOf(protocol, read),
): Uint8Array {
  return sealRead({
    ...getSlave(slaves, read.slave),
    protocolId: protocol.id,
    mode: read.mode,
    components: images,
    information: {
      vin: 'ZZZREF00000DEMO01',
      engine: 'Demo engine 2.0',
      // Without an image, the identification must be given.
      ...(read.identificationOnly === true ? numbersOf(protocol, images) : {}),
    },
    identificationOnly: read.identificationOnly === true,
    ...(read.workflow === undefined ? {} : { workflow: read.workflow }),
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
    tool: 'Recodery demo',
  });
}

/** How a program damages a binary file that it treats as text: Unix line endings become Windows line endings. */
function mangleAsText(file: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(file).toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1');
}

function flipBit(file: Uint8Array, at: number): Uint8Array {
  // Copies any kind of view: a Buffer's `slice` does not copy.
  const damaged = new Uint8Array(file);
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  return damaged;
}

async function zip(name: string, file: Uint8Array): Promise<Uint8Array> {
  const archive = new ZipFile();
  archive.addBuffer(Buffer.from(file), name);
  archive.end();
  return buffer(archive.outputStream);
}

/** A read with the files that a user would upload after it. */
interface SampleWorkflow {
  readonly path: string;
  readonly words: string;
  readonly read: Read;
  /** The component for which a modified file is also created. */
  readonly modify?: ComponentName;
}

/** The serial numbers of the slaves in group G-10. */
const g10 = {
  kessv2: containerOf('kessv2').demoSlave,
  ktag: containerOf('ktag').demoSlave,
  kess3: containerOf('kess3').demoSlave,
};

/** The options of a read in addition to slave, protocol, mode and seed. */
type More = Omit<Read, 'slave' | 'protocolId' | 'mode' | 'seed'>;

const obd = (slave: string, protocolId: number, seed: number, more: More = {}): Read => {
  return { slave, protocolId, mode: 'obd', seed, ...more };
};
const bench = (slave: string, protocolId: number, seed: number, more: More = {}): Read => {
  return { slave, protocolId, mode: 'bootbench', seed, ...more };
};
/** Flash, Micro and EEPROM of any ECU. */
const openBench = (slave: string, seed: number, more: More = {}): Read =>
  bench(slave, 9000, seed, { sizes: benchSizes, leaveOut: ['tuningfile', 'mapfile'], ...more });

/** The reads that succeed. */
const workflows: readonly SampleWorkflow[] = [
  {
    path: 'kessv2/read-1001.tfc',
    words: 'Decodes. Checksums are corrected when you encode; CVN correction is possible.',
    read: obd(g10.kessv2, 1001, 1),
    modify: 'obd',
  },
  {
    path: 'kessv2/read-9000.tfc',
    words: 'Decodes. A plain image without checksums.',
    read: obd(g10.kessv2, 9000, 2, { sizes: obdSizes }),
    modify: 'obd',
  },
  {
    path: 'kessv2/read-1002-identification-only.tfc',
    words: 'Contains no image. Encoding needs the original file, unless Virtual Reading finds it.',
    read: obd(g10.kessv2, 1002, 3, { identificationOnly: true }),
    modify: 'obd',
  },
  {
    path: 'kessv2/read-1003.tfc',
    words: 'Decodes. One checksum can only be computed with the original file.',
    read: obd(g10.kessv2, 1003, 4),
    modify: 'obd',
  },
  {
    path: 'kessv2/read-1004.tfc',
    words: 'Decodes. 2 MiB, with checksums that a table in the image lists.',
    read: obd(g10.kessv2, 1004, 5),
    modify: 'obd',
  },
  {
    path: 'ktag/backup-9000.tfc',
    words: 'Decodes into Flash, Micro and EEPROM: plain images without checksums.',
    read: openBench(g10.ktag, 6),
    modify: 'flash',
  },
  {
    path: 'ktag/backup-2001.tfc',
    words: 'Decodes into Flash, Micro and EEPROM.',
    read: bench(g10.ktag, 2001, 7, { leaveOut: ['tuningfile'] }),
    modify: 'flash',
  },
  {
    path: 'ktag/backup-2002.tfc',
    words: 'Decodes into Flash and EEPROM.',
    read: bench(g10.ktag, 2002, 8),
    modify: 'flash',
  },
  {
    path: 'kess3/read-obd-1001.tfc',
    words: 'OBD. Decodes.',
    read: obd(g10.kess3, 1001, 9),
    modify: 'obd',
  },
  {
    path: 'kess3/read-obd-1002-identification-only.tfc',
    words:
      'OBD. Contains no image. Encoding needs the original file, unless Virtual Reading finds it.',
    read: obd(g10.kess3, 1002, 3, { identificationOnly: true }),
    modify: 'obd',
  },
  {
    path: 'kess3/read-bootbench-9000.tfc',
    words: 'Boot/Bench. Decodes into Flash, Micro and EEPROM: plain images without checksums.',
    read: openBench(g10.kess3, 10),
    modify: 'flash',
  },
  {
    path: 'kess3/read-bootbench-3001.tfc',
    words: 'Boot/Bench. Decodes into Flash, Micro and EEPROM.',
    read: bench(g10.kess3, 3001, 11, { leaveOut: ['mapfile'] }),
    modify: 'flash',
  },
  {
    path: 'kess3/read-of-group-G-11.tfc',
    words:
      'OBD, of a slave of group G-11. Decodes with group code Automatic or G-11. With G-10, the page offers to switch.',
    read: obd('KS3-000043', 1001, 12),
  },
  {
    path: 'kess3-utility/backup-obd-1001.tfc',
    words: 'A packed OBD backup, for the utility page.',
    read: obd(g10.kess3, 1001, 13, { workflow: 'kess3-utility' }),
    modify: 'obd',
  },
  {
    path: 'kess3-utility/backup-bootbench-9000.tfc',
    words: 'A packed Boot/Bench backup, for the utility page.',
    read: openBench(g10.kess3, 14, { workflow: 'kess3-utility' }),
    modify: 'flash',
  },
];

function* makeSamplesOf(slaves: SlavesBySerial, workflow: SampleWorkflow): Generator<Sample> {
  const { path, words, read, modify } = workflow;
  const protocol = findProtocol(read.protocolId);
  if (protocol === null) throw new Error(`the demo needs protocol ${read.protocolId}`);
  const images = imagesOf(protocol, read);
  yield { path, words, bytes: seal(slaves, protocol, read, images) };
  const image = images.find(({ name }) => name === modify);
  if (image === undefined) return;
  if (read.identificationOnly === true) {
    const { hardware, software } = numbersOf(protocol, images);
    yield {
      path: path.replace(/\.tfc$/, '-original.bin'),
      words: `The original file for the read next to it. To use it for Virtual Reading: recodery originals add --protocol ${protocol.id} --hw ${hardware} --sw ${software} FILE`,
      bytes: image.bytes,
    };
  }
  const name = modify === 'obd' ? '' : `-${modify}`;
  yield {
    path: path.replace(/\.tfc$/, `${name}-modified.bin`),
    words: 'A modified file for the read file of the same name.',
    bytes: tuneImage(protocol, image.name, image.bytes, read.seed),
  };
}

/** An encoded file, to be uploaded by mistake instead of a read file. */
function encode(slaves: SlavesBySerial, serial: string, file: Uint8Array): Uint8Array {
  const slave = getSlave(slaves, serial);
  return getCodec(slave.family)
    .encode({
      file,
      pairKey: slave.pairKey,
      modified: [],
      original: null,
      removed: [],
      reencode: true,
      willCorrectCVN: false,
      willSkipChecksum: false,
      fileSalt: randomBytes(32),
      // Below every number that the portal issues.
      number: 0,
      tool: 'Recodery demo',
    })
    .sealed.whole();
}

/** Typical wrong uploads. Each has its own message on the page. */
async function makeMistakes(slaves: SlavesBySerial): Promise<readonly Sample[]> {
  const protocol = findProtocol(1001);
  if (protocol === null) throw new Error('the demo needs protocol 1001');
  const read = { slave: g10.kessv2, protocolId: 1001, mode: 'obd', seed: 20 } as const;
  const good = seal(slaves, protocol, read);
  const spoil = (image: Uint8Array): void => {
    image[image.length >> 2] = (image[image.length >> 2] ?? 0) ^ 0xff;
  };
  const folder = 'mistakes';
  const sample = (name: string, words: string, bytes: Uint8Array): Sample => ({
    path: `${folder}/${name}`,
    words,
    bytes,
  });
  const others = seal(slaves, protocol, { ...read, slave: 'KV2-003003' });
  const unknown = { ...protocol, id: 7777 };
  return [
    sample('empty.tfc', 'An empty file.', new Uint8Array(0)),
    sample('not-a-read.bin', 'A plain image, not a read file.', generateImage(protocol, 'obd', 21)),
    sample('truncated.tfc', 'A truncated KESSv2 read file.', good.subarray(0, good.length >> 1)),
    sample(
      'sent-as-text.tfc',
      'A KESSv2 read file that an email or FTP program transferred as text.',
      mangleAsText(good),
    ),
    sample(
      'damaged.tfc',
      'A KESSv2 read file with one bit flipped in its image.',
      flipBit(good, good.length - 1000),
    ),
    sample('zipped.zip', 'A KESSv2 read file in a zip archive.', await zip('read.tfc', good)),
    sample(
      'encoded.moc',
      'An encoded file instead of a read file.',
      encode(slaves, g10.kessv2, good),
    ),
    sample('of-another-master.tfc', 'A KESSv2 read file from a slave of another master.', others),
    sample(
      'wrong-checksum.tfc',
      'A KESSv2 read file with wrong checksums. Do not base a tune on it.',
      seal(slaves, protocol, { ...read, spoil }),
    ),
    sample(
      'wrong-checksum-kess3.tfc',
      'A KESS3 read file with wrong checksums.',
      seal(slaves, protocol, { ...read, slave: g10.kess3, spoil }),
    ),
    sample(
      'unknown-protocol.tfc',
      'A KESSv2 read file from an ECU that is not supported.',
      seal(slaves, unknown, read),
    ),
  ];
}

/** Creates every sample, one after the other: all at once would use too much memory. */
export async function* makeSamples(slaves: SlavesBySerial): AsyncGenerator<Sample> {
  for (const workflow of workflows) yield* makeSamplesOf(slaves, workflow);
  for (const mistake of await makeMistakes(slaves)) yield mistake;
}
