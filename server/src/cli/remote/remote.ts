/** `recodery remote decode|encode|watch`: the command-line client of a portal. It needs no database. */
import { randomUUID } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import type { ComponentName } from '@recodery/contract/families/family';
import { apiFamilies, type Family } from '@recodery/contract/families/registry';
import { escapeInvisible, makeFileNameSafe } from '@recodery/contract/file-names';
import { recognizeStart, recognizedBytes } from '@recodery/contract/recognize';
import { type Command, Option } from 'commander';
import { RequestRefused, ServiceUnavailable } from '../../encoding-api-client/errors.ts';
import { type ApiFile, hashOf } from '../../encoding-api-client/records.ts';
import { type UploadTarget, uploadTargetOf } from '../../encoding-api-client/requests.ts';
import { describeRefusal, type RemoteClient } from '../../portal-client/client.ts';
import { writeNewFile } from '../../portal-client/new-file.ts';
import { watchFolder } from '../../portal-client/watch.ts';
import { describeNeed, needsSlave } from '../../portal-client/slave-needed.ts';
import * as work from '../../portal-client/work.ts';
import { type AddCommand, CommandRefused } from '../support/command.ts';
import { readGivenFile } from '../support/files.ts';
import { onStop } from '../support/on-stop.ts';
import {
  type AccessOptions,
  describeFault,
  openWatchClient,
  type RemoteTools,
  withAccess,
  withClient,
} from '../support/remote-access.ts';
import {
  componentOptions,
  describeMissingImage,
  type ImageOptions,
  parseImages,
  settleImages,
} from '../support/remote-images.ts';

export const addRemote: AddCommand = (program, tools) => {
  const remote = program
    .command('remote')
    .description('decode and encode on a portal from another machine, as a client application');
  addRemoteCommands(remote, tools);
};

/** Adds `decode`, `encode` and `watch`. */
export function addRemoteCommands(parent: Command, tools: RemoteTools): void {
  addDecode(parent, tools);
  addEncode(parent, tools);
  addWatch(parent, tools);
}

interface DecodeOptions extends AccessOptions {
  readonly outDir: string;
  readonly family?: Family;
  readonly slave?: string;
  readonly json?: boolean;
}

const slaveOption = [
  '--slave <serial>',
  'the slave that wrote the file, where the service of its maker needs it',
] as const;

function addDecode(remote: Command, tools: RemoteTools): void {
  withAccess(remote.command('decode'))
    .description('decode a read file and print its slot and the names of the decoded files')
    .argument('<read>', 'the read file')
    .requiredOption('-o, --out-dir <folder>', 'the folder for the decoded files')
    .addOption(
      new Option('--family <family>', 'default: recognized from the file').choices(apiFamilies),
    )
    .option(...slaveOption)
    .option('--json', 'print JSON')
    .action((read: string, options: DecodeOptions) =>
      withClient(options, tools, async (client) => {
        const done = await decode(client, read, options);
        if (options.json === true) return tools.answer(JSON.stringify(done));
        tools.answer(`slot\t${done.slot}`);
        for (const { component, file } of done.files) tools.answer(`${component}\t${file}`);
      }),
    );
}

/** A file that was written. */
interface Written {
  readonly file: string;
  readonly sha256: string;
}

/** Creates the folder for the output, before the portal does any work for it. @throws {CommandRefused} */
async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(
      error.code === 'EEXIST'
        ? `${folder} is not a folder.`
        : `Could not create the folder ${folder} (${error.code}).`,
    );
  });
}

async function writeTo(folder: string, { name, bytes }: ApiFile): Promise<Written> {
  const safe = makeFileNameSafe(name);
  const wanted = { name: safe, extension: extname(safe) };
  const file = await writeNewFile(folder, wanted, bytes).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`Could not write ${join(folder, safe)} (${error.code}).`);
  });
  return { file: join(folder, file), sha256: hashOf(bytes) };
}

async function decode(client: RemoteClient, path: string, options: DecodeOptions) {
  const bytes = await readGivenFile(path);
  const family = options.family ?? recognizeFamily(path, bytes);
  await createFolder(options.outDir);
  const name = basename(path);
  const { userCode } = options;
  const started = await work
    .startDecode(client, family, {
      userCode,
      key: randomUUID(),
      name,
      bytes,
      slave: options.slave,
    })
    .catch((error: unknown) => {
      if (!needsSlave(error)) throw error;
      throw new CommandRefused(`${path}: ${describeNeed(options.slave)}`);
    });
  const { slotGuid: slot } = started;
  try {
    const { result } = await succeed(client, started);
    const { mode, components, isCVNCorrectionPossible } = work.readDecodeSummary(family, result);
    const files: ({ component: ComponentName } & Written)[] = [];
    for (const component of components) {
      const file = await work.downloadDecoded(client, family, slot, component);
      files.push({ component, ...(await writeTo(options.outDir, file)) });
    }
    return { slot, family, mode, isCVNCorrectionPossible, operation: started.guid, files };
  } finally {
    // an open slot counts toward the client's limit; `encode` opens it again
    await work.turnSlot(client, family, slot, 'close');
  }
}

function recognizeFamily(path: string, bytes: Uint8Array): Family {
  const recognized = recognizeStart(bytes.subarray(0, recognizedBytes));
  if (recognized.outcome === 'recognized') return recognized.family;
  if (recognized.outcome === 'empty') throw new CommandRefused(`${path} is empty.`);
  throw new CommandRefused(`${path} is not a sealed file. If it is a read file, pass --family.`);
}

async function succeed(client: RemoteClient, { guid }: work.SlotOperation) {
  const ended = await work.awaitOperation(client, guid);
  if (ended.status === 'failed') throw new CommandRefused(work.describeOperationError(ended));
  return ended;
}

/** An encode is refused if it cannot correct them. */
const correctChecksums = 'correct the checksums of known control units, or refuse the file';

interface EncodeOptions extends AccessOptions, ImageOptions {
  readonly slot: string;
  readonly outDir: string;
  readonly correctCvn?: boolean;
  readonly correctChecksums?: boolean;
  readonly json?: boolean;
}

function addEncode(remote: Command, tools: RemoteTools): void {
  const command = withAccess(remote.command('encode'))
    .description('encode modified files for the slave of a decoded read file')
    .requiredOption('--slot <guid>', 'the slot of the read file, from "remote decode"')
    .requiredOption('-o, --out-dir <folder>', 'the folder for the encoded file')
    .option(
      '--modified <file...>',
      'the modified image, or modified components, each as COMPONENT=FILE such as flash=FILE',
    )
    .option('--original <file>', 'the original image, if the read file needs one');
  for (const name of componentOptions)
    command.option(`--${name} <file>`, `the same as --modified ${name}=FILE`);
  command
    .option('--correct-cvn', 'correct the CVN')
    .option('--correct-checksums', correctChecksums)
    .option('--json', 'print JSON')
    .action((options: EncodeOptions) =>
      withClient(options, tools, async (client) => {
        const done = await encode(client, options);
        tools.answer(options.json === true ? JSON.stringify(done) : done.file);
      }),
    );
}

async function encode(client: RemoteClient, options: EncodeOptions) {
  const parsed = parseImages(options);
  const { slot, userCode, outDir } = options;
  const bytesOf = new Map<string, Uint8Array>();
  for (const { path } of parsed) bytesOf.set(path, await readGivenFile(path));
  const found = await work.findRemoteSlot(client, slot);
  if (found === null)
    throw new CommandRefused(
      `There is no slot ${slot}. Pass the slot that "remote decode" printed.`,
    );
  const { family, isClosed } = found;
  const { mode, images } = settleImages(parsed, family);
  await createFolder(outDir);
  if (isClosed) await work.turnSlot(client, family, slot, 'reopen');
  try {
    const fileGuids: Partial<Record<UploadTarget, string>> = {};
    for (const image of images) {
      const { path } = image;
      const bytes = bytesOf.get(path) ?? new Uint8Array();
      const place = uploadTargetOf(image);
      const ask = { place, userCode, slotGuid: slot, name: basename(path), bytes };
      fileGuids[place] = await work.uploadImage(client, family, ask).catch((error: unknown) => {
        if (!(error instanceof RequestRefused)) throw error;
        throw new CommandRefused(
          error.status === 404 ? describeMissingImage(image) : `${path}: ${describeRefusal(error)}`,
        );
      });
    }
    const started = await work.startRemoteEncode(client, family, {
      mode,
      userCode,
      slotGuid: slot,
      fileGuids,
      willCorrectCVN: options.correctCvn === true,
      willCorrectChecksums: options.correctChecksums === true,
      idempotencyKey: randomUUID(),
    });
    const file = await work.downloadEncoded(client, family, await succeed(client, started));
    return { slot, family, operation: started.guid, ...(await writeTo(outDir, file)) };
  } finally {
    if (isClosed) await work.turnSlot(client, family, slot, 'close');
  }
}

interface WatchOptions extends AccessOptions {
  readonly family?: Family;
  readonly slave?: string;
  readonly correctCvn?: boolean;
  readonly correctChecksums?: boolean;
}

function addWatch(remote: Command, tools: RemoteTools): void {
  withAccess(remote.command('watch'))
    .description('decode each read file that appears in a folder, and encode each NAME.mod.bin')
    .argument('<folder>')
    .addOption(
      new Option(
        '--family <family>',
        "also decode files in a vendor's format, as read files of this family",
      ).choices(apiFamilies),
    )
    .option(...slaveOption)
    .option('--correct-cvn', 'correct the CVN in each encode that allows it')
    .option('--correct-checksums', correctChecksums)
    .action(async (folder: string, options: WatchOptions) => {
      const isFolder = await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) throw new CommandRefused(`${folder} is not a folder.`);
      const stop = new AbortController();
      onStop(() => stop.abort());
      const { signal, say } = { signal: stop.signal, say: logTo(tools.say) };
      const client = await openWatchClient(options, signal, say);
      await watch(client, folder, options, { signal, say, log: logTo(tools.answer) }).catch(
        (error: unknown) => {
          throw describeFault(error, options);
        },
      );
    });
}

interface WatchSupport {
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  readonly log: (text: string) => void;
}

async function watch(
  client: RemoteClient,
  folder: string,
  { userCode, correctCvn, correctChecksums: corrects, family, slave }: WatchOptions,
  { signal, say, log }: WatchSupport,
): Promise<void> {
  log(`watching ${resolve(folder)}`);
  await client.connect().then(
    (base) => log(`connected to ${base}`),
    (error: unknown) => {
      // while the connection is broken, read files wait
      if (!(error instanceof ServiceUnavailable) && !signal.aborted) throw error;
    },
  );
  const willCorrectCVN = correctCvn === true;
  const foreignFamily = family ?? null;
  const willCorrectChecksums = corrects === true;
  const corrections = { willCorrectCVN, willCorrectChecksums };
  const place = { client, folder, userCode, slave };
  const tools = { ...place, ...corrections, foreignFamily, log, complain: say };
  await watchFolder(tools, signal);
}

/**
 * Lines with the time, for a program that runs for days. Each is one line, regardless of the characters in file names.
 */
function logTo(write: (text: string) => void): (text: string) => void {
  return (text) => write(`${new Date().toISOString().slice(0, 19)}Z ${escapeInvisible(text)}`);
}
