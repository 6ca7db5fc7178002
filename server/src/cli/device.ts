/** `recodery device`: exports a slave's key, and simulates the slave: reads, accepts and inspects sealed files. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { acceptEncoded, inspect, sealRead } from '@recodery/codec/simulator/slave';
import { escapeInvisible } from '@recodery/contract/file-names';
import { families, type Family, findWorkflow } from '@recodery/contract/families/registry';
import { type Mode, modes } from '@recodery/contract/families/family';
import { type Command, Option } from 'commander';
import { findSlaveBySerial } from '../organisations/devices.ts';
import { exportSlaveKey } from '../organisations/export-slave-key.ts';
import { renewKeyOf } from '../organisations/renew-slave-key.ts';
import type { Platform } from '../platform.ts';
import { type AddCommand, CommandRefused, type CommandTools } from './support/command.ts';
import {
  chooseMode,
  type ComponentFile,
  oneOf,
  parseComponent,
  parseInformation,
  parseProtocol,
  readComponents,
  readKeyFile,
  readPairKey,
} from './support/device-options.ts';
import { explainFault } from './support/error-texts.ts';
import {
  neverReplaced,
  readGivenFile,
  refuseExisting,
  replacedBy,
  writeGivenFile,
} from './support/files.ts';
import { checkState } from './support/slave-state.ts';
import { doubtRead } from './support/read-warnings.ts';

export const addDevice: AddCommand = (program, tools) => {
  const device = program.command('device').description('export slave keys and simulate a slave');
  addKeys(device, tools);
  device
    .command('read')
    .description('simulate a slave that reads an ECU: seal images into a file')
    .requiredOption('--key <file>', "the slave's key file")
    .requiredOption('--protocol <id>', 'the protocol, such as 1001', parseProtocol)
    .option('--mode <mode>', 'obd or bootbench', oneOf(modes))
    .option('--component <name=file>', 'the image of a component; can be repeated', parseComponent)
    .option('--id <key=value,…>', 'identification of the ECU: vin, hw, sw, …', parseInformation)
    .option('--identification-only', 'seal only the identification of the ECU, without an image')
    .option('--utility', 'write a packed backup instead of a read')
    .requiredOption('--out <file>', 'the sealed file to write')
    .option('--force', 'replace an existing file')
    .action((options: ReadOptions) => read(options, tools));
  device
    .command('write')
    .description('simulate a slave that writes an ECU: open an encoded file and write its images')
    .requiredOption('--key <file>', "the slave's key file")
    .requiredOption('--in <file>', 'the encoded file')
    .requiredOption('--out-dir <dir>', 'the folder for the images, one NAME.bin per component')
    .option(
      '--state <file>',
      'a file that stores the number of the last accepted file; older files are refused',
    )
    .option('--force', 'replace images that the folder already contains')
    .option('--json', 'print JSON')
    .action((options: WriteOptions) => write(options, tools));
  device
    .command('inspect')
    .description(
      'show the unencrypted header of a file; with a pair key, decrypt and verify the whole file',
    )
    .argument('<file>')
    .addOption(
      new Option(
        '--pair-key <hex>',
        'the pair key (64 hexadecimal digits), or - to read it from stdin',
      ).conflicts('key'),
    )
    .option('--key <file>', "the slave's key file, which contains its pair key")
    .option('--json', 'print JSON')
    .action((file: string, options: InspectOptions) => inspectFile(file, options, tools));
};

/** The commands for the key of a slave. */
function addKeys(device: Command, tools: CommandTools): void {
  device
    .command('key')
    .description("export a slave's pair key, which opens and seals all its files")
    .requiredOption('--family <family>', families.join(', '), oneOf(families))
    .requiredOption('--serial <serial>', "the slave's serial number")
    .requiredOption('--out <file>', 'the key file to write; only you can read it')
    .action((options: KeyOptions) =>
      tools.withPlatform((platform) => exportKey(platform, tools, options)),
    );
  device
    .command('renew-key')
    .description(
      'give a slave a new pair key; files under its former keys are refused from then on',
    )
    .requiredOption('--family <family>', families.join(', '), oneOf(families))
    .requiredOption('--serial <serial>', "the slave's serial number")
    .action((options: Omit<KeyOptions, 'out'>) =>
      tools.withPlatform((platform) => renewKey(platform, tools, options)),
    );
}

interface KeyOptions {
  readonly family: Family;
  readonly serial: string;
  readonly out: string;
}

async function exportKey(
  platform: Platform,
  tools: CommandTools,
  { family, serial, out }: KeyOptions,
): Promise<void> {
  const found = await findSlaveBySerial(platform.db, family, serial);
  if (found === null)
    throw new CommandRefused(`No ${family} slave has the serial number ${serial}.`);
  const exported = await exportSlaveKey(platform, found, userInfo().username, () =>
    refuseExisting(out, neverReplaced),
  );
  if (exported === null) throw new CommandRefused(`The key of slave ${serial} has been revoked.`);
  await writeGivenFile(out, exported.text, neverReplaced, 0o600);
  tools.say(`Exported the key of slave ${serial} to ${out}. The export has been logged.`);
}

async function renewKey(
  platform: Platform,
  tools: CommandTools,
  { family, serial }: Omit<KeyOptions, 'out'>,
): Promise<void> {
  const found = await findSlaveBySerial(platform.db, family, serial);
  const renewed = found === null ? null : await renewKeyOf(platform, found.slave.guid);
  if (renewed === null)
    throw new CommandRefused(`No ${family} slave has the serial number ${serial}.`);
  if (renewed === 'vendor')
    throw new CommandRefused(`The vendor's service manages the keys of slave ${serial}.`);
  tools.note({ changes: { key: renewed } });
  tools.say(
    `Slave ${serial} has key ${renewed.to} in place of ${renewed.from}. Export it with "device key", and write it to the device.`,
  );
}

interface ReadOptions {
  readonly key: string;
  readonly protocol: number;
  readonly mode?: Mode;
  readonly component?: readonly ComponentFile[];
  readonly id?: Readonly<Record<string, string>>;
  readonly identificationOnly?: boolean;
  readonly utility?: boolean;
  readonly out: string;
  readonly force?: boolean;
}

/**
 * Seals any input, including files that no portal will decode, because they are needed to test checks. It warns about
 * them, in case this is unintended.
 */
async function read(options: ReadOptions, tools: CommandTools): Promise<void> {
  await refuseExisting(options.out, replacedBy(options.force));
  const slave = await readKeyFile(options.key);
  const files = options.component ?? [];
  const { protocol: protocolId } = options;
  const identificationOnly = options.identificationOnly === true;
  const mode = chooseMode(options.mode, slave.family, files);
  const names = files.map(({ name }) => name);
  const doubt = doubtRead({ ...slave, protocolId, mode, components: names, identificationOnly });
  const workflow =
    options.utility === true ? findWorkflow(slave.family, { isUtility: true }) : null;
  const sealed = sealRead({
    ...slave,
    protocolId,
    mode,
    components: await readComponents(files),
    information: options.id ?? {},
    identificationOnly,
    ...(workflow === null ? {} : { workflow }),
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
    tool: 'recodery device',
    time: new Date().toISOString(),
  });
  await writeGivenFile(options.out, sealed, replacedBy(options.force));
  if (doubt !== null) tools.say(`Warning: the portal will refuse this file: ${doubt}`);
  tools.answer(`Wrote ${sealed.length} bytes to ${options.out}.`);
}

interface WriteOptions {
  readonly key: string;
  readonly in: string;
  readonly outDir: string;
  readonly force?: boolean;
  readonly state?: string;
  readonly json?: boolean;
}

async function write(options: WriteOptions, tools: CommandTools): Promise<void> {
  const slave = await readKeyFile(options.key);
  const file = await readGivenFile(options.in);
  // A refused file throws here, before anything is written.
  const { components, header } = acceptEncoded({ ...slave, file });
  const remember =
    options.state === undefined ? null : await checkState(options.state, slave, header);
  await mkdir(options.outDir, { recursive: true });
  const rules = replacedBy(options.force);
  const images = components.map(({ name, bytes }) => {
    return { name, bytes, file: join(options.outDir, `${name}.bin`) };
  });
  const missing = [];
  for (const image of images) {
    // written before, for instance by a command that was interrupted
    if (await hasBytes(image.file, image.bytes)) continue;
    await refuseExisting(image.file, rules);
    missing.push(image);
  }
  for (const { file: path, bytes } of missing) await writeGivenFile(path, bytes, rules);
  await remember?.();
  const written = images.map(({ name, bytes, file: path }) => {
    return { name, size: bytes.length, file: path };
  });
  tools.answer(
    options.json === true
      ? JSON.stringify({ outcome: 'OK', header, components: written })
      : written.map(({ name, size, file: path }) => `${name}: ${size} bytes in ${path}`).join('\n'),
  );
}

async function hasBytes(path: string, bytes: Uint8Array): Promise<boolean> {
  return (await readFile(path).catch(() => null))?.equals(bytes) ?? false;
}

interface InspectOptions {
  readonly pairKey?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** The pair key from either option, or null when none is given. */
async function chosenPairKey({ pairKey, key }: InspectOptions): Promise<Uint8Array | null> {
  if (key !== undefined) return (await readKeyFile(key)).pairKey;
  return pairKey === undefined ? null : readPairKey(pairKey);
}

async function inspectFile(
  path: string,
  options: InspectOptions,
  tools: CommandTools,
): Promise<void> {
  const file = await readGivenFile(path);
  const pairKey = await chosenPairKey(options);
  const found = inspect(file, pairKey);
  if (options.json === true) {
    tools.answer(escapeInvisible(JSON.stringify(found)));
  } else if (found.outcome === 'OK') {
    // the header is what the slave wrote: a terminal must not obey it
    for (const line of JSON.stringify(found.header, null, 2).split('\n'))
      tools.answer(escapeInvisible(line));
    for (const { type, size, sha256 } of found.components) {
      tools.answer(`component ${type}: ${size} bytes, SHA-256 ${sha256}`);
    }
    tools.answer(
      pairKey === null
        ? 'Not verified: only the unencrypted header was read. To verify the file, give --key or --pair-key.'
        : 'Verified with the key: the file is unchanged since it was sealed, and its components match their SHA-256.',
    );
  }
  if (found.outcome !== 'OK') throw new CommandRefused(explainFault(found.outcome));
}
