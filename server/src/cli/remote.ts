/** `recodery remote decode|encode|watch`: the command-line client of a portal. It needs no database. */
import { randomUUID } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { type ComponentName, componentNames, type Mode } from '@recodery/contract/families/family';
import { definitionOf, type Family, families } from '@recodery/contract/families/registry';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { recogniseStart, recognisedBytes } from '@recodery/contract/recognise';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { RemoteClient } from '../remote/client.ts';
import { writeNewFile } from '../remote/new-file.ts';
import { CallRefused, NoResponse } from '../remote/remote-faults.ts';
import { watchFolder } from '../remote/watch.ts';
import * as work from '../remote/work.ts';
import { type AddCommand, CommandRefused, type CommandTools, WrongUse } from './support/command.ts';
import { readGivenFile } from './support/files.ts';

/** Seconds for which a call is repeated while the portal does not respond. */
const patience = { once: 60, watch: 600 };

export const addRemote: AddCommand = (program, tools) => {
  const remote = program
    .command('remote')
    .description('decode and encode on a portal from another machine, as a client application');
  addDecode(remote, tools);
  addEncode(remote, tools);
  addWatch(remote, tools);
};

interface AccessOptions {
  readonly url: string;
  readonly client: string;
  readonly secretFile: string;
  readonly userCode: string;
}

function withAccess(command: Command): Command {
  return command
    .requiredOption('--url <url>', 'the address of the portal or of its Encoding API', parseUrl)
    .requiredOption('--client <guid>', 'the GUID of the client application')
    .requiredOption('--secret-file <file>', 'the file that contains its secret key')
    .option('--user-code <code>', 'a label of your own, such as a customer number', 'remote');
}

function parseUrl(word: string): string {
  if (!URL.canParse(word) || !/^https?:$/.test(new URL(word).protocol))
    throw new InvalidArgumentError('Must be an address, such as https://portal.example.org.');
  return word;
}

interface DecodeOptions extends AccessOptions {
  readonly outDir: string;
  readonly family?: Family;
  readonly json?: boolean;
}

function addDecode(remote: Command, tools: CommandTools): void {
  withAccess(remote.command('decode'))
    .description('decode a read file; prints its slot and the decoded files')
    .argument('<read>', 'the read file')
    .requiredOption('-o, --out-dir <folder>', 'the folder for the decoded files')
    .addOption(
      new Option('--family <family>', 'default: recognized from the file').choices(families),
    )
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

async function writeTo(folder: string, { name, bytes }: work.RemoteFile): Promise<Written> {
  await mkdir(folder, { recursive: true });
  const safe = makeFileNameSafe(name);
  const file = await writeNewFile(folder, { name: safe, extension: extname(safe) }, bytes);
  return { file: join(folder, file), sha256: work.hashOf(bytes) };
}

async function decode(client: RemoteClient, path: string, options: DecodeOptions) {
  const bytes = await readGivenFile(path);
  const family = options.family ?? recogniseFamily(path, bytes);
  const name = basename(path);
  const { userCode } = options;
  const started = await work.startDecode(client, family, {
    userCode,
    key: randomUUID(),
    name,
    bytes,
  });
  const { slotGUID: slot } = started;
  try {
    const { result } = await succeed(client, started);
    const modes = Object.keys(definitionOf(family).modes) as Mode[];
    const { mode, components, isCVNCorrectionPossible } = work.readDecodeResult(
      result ?? {},
      modes,
    );
    const files: ({ component: ComponentName } & Written)[] = [];
    for (const component of components) {
      const file = await work.downloadDecoded(client, family, slot, component);
      files.push({ component, ...(await writeTo(options.outDir, file)) });
    }
    return { slot, family, mode, isCVNCorrectionPossible, operation: started.guid, files };
  } finally {
    // an open slot counts toward the client's limit; `encode` opens it again
    await work.closeSlot(client, family, slot);
  }
}

function recogniseFamily(path: string, bytes: Uint8Array): Family {
  const recognised = recogniseStart(bytes.subarray(0, recognisedBytes));
  if (recognised.outcome === 'container') return recognised.family;
  throw new CommandRefused(`${path} is not a sealed file. If it is a read file, pass --family.`);
}

async function succeed(client: RemoteClient, { guid }: work.RemoteOperation) {
  const ended = await work.awaitOperation(client, guid);
  if (!ended.isSuccessful) throw new CommandRefused(work.describeError(ended));
  return ended;
}

interface EncodeOptions
  extends AccessOptions,
    Partial<Readonly<Record<Exclude<ComponentName, 'obd'>, string>>> {
  readonly slot: string;
  readonly outDir: string;
  readonly modified?: string;
  readonly original?: string;
  readonly correctCvn?: boolean;
  readonly json?: boolean;
}

const componentOptions = componentNames.filter((name) => name !== 'obd');

function addEncode(remote: Command, tools: CommandTools): void {
  const command = withAccess(remote.command('encode'))
    .description('encode modified files for the slave of a decoded read file')
    .requiredOption('--slot <guid>', 'the slot of the read file, from "remote decode"')
    .requiredOption('-o, --out-dir <folder>', 'the folder for the encoded file')
    .option('--modified <file>', 'the modified image of a read file with one image')
    .option('--original <file>', 'the original image, if the read file needs one');
  for (const name of componentOptions)
    command.option(`--${name} <file>`, `the modified ${name} of a read file with components`);
  command
    .option('--correct-cvn', 'correct the CVN')
    .option('--json', 'print JSON')
    .action((options: EncodeOptions) =>
      withClient(options, tools, async (client) => {
        const done = await encode(client, options);
        tools.answer(options.json === true ? JSON.stringify(done) : done.file);
      }),
    );
}

/** The given files, and the mode that they belong to. @throws {WrongUse} */
function readGivenImages(options: EncodeOptions) {
  const { modified, original } = options;
  const image = [
    { role: 'modified' as const, component: 'obd' as const, path: modified },
    { role: 'original' as const, component: 'obd' as const, path: original },
  ].flatMap(withPath);
  const components = componentOptions
    .map((component) => ({ role: 'modified' as const, component, path: options[component] }))
    .flatMap(withPath);
  if (image.length > 0 && components.length > 0)
    throw new WrongUse('Pass --modified or components such as --flash, not both.');
  if (image.length === 0 && components.length === 0)
    throw new WrongUse('Pass --modified FILE, or components such as --flash FILE.');
  const mode: Mode = image.length > 0 ? 'obd' : 'bootbench';
  return { mode, images: [...image, ...components] };
}

function withPath<T extends { readonly path: string | undefined }>(one: T) {
  return one.path === undefined ? [] : [{ ...one, path: one.path }];
}

async function encode(client: RemoteClient, options: EncodeOptions) {
  const { mode, images } = readGivenImages(options);
  const { slot, userCode, outDir } = options;
  const given = await Promise.all(
    images.map(async (one) => ({ ...one, bytes: await readGivenFile(one.path) })),
  );
  const found = await work.findSlot(client, slot);
  if (found === null) throw new CommandRefused(`There is no slot ${slot}.`);
  const { family, isClosed } = found;
  if (definitionOf(family).modes[mode] === undefined)
    throw new WrongUse(`A ${definitionOf(family).name} slot needs other options, see --help.`);
  if (isClosed) await work.openSlot(client, family, slot);
  try {
    const uploads: work.Uploaded[] = [];
    for (const { role, component, path, bytes } of given) {
      const ask = { slot, userCode, role, component, name: basename(path), bytes };
      const guid = await work.uploadImage(client, family, ask).catch((error: unknown) => {
        throw error instanceof CallRefused
          ? new CommandRefused(`${path}: ${error.message}`)
          : error;
      });
      uploads.push({ role, component, guid });
    }
    const willCorrectCVN = options.correctCvn === true;
    const ask = { slot, mode, userCode, key: randomUUID(), uploads, willCorrectCVN };
    const started = await work.startEncode(client, family, ask);
    const file = await work.downloadEncoded(client, family, await succeed(client, started));
    return { slot, family, operation: started.guid, ...(await writeTo(outDir, file)) };
  } finally {
    if (isClosed) await work.closeSlot(client, family, slot);
  }
}

interface WatchOptions extends AccessOptions {
  readonly correctCvn?: boolean;
}

function addWatch(remote: Command, tools: CommandTools): void {
  withAccess(remote.command('watch'))
    .description('decode each read file that appears in a folder, encode each NAME.mod.bin')
    .argument('<folder>')
    .option('--correct-cvn', 'correct the CVN of every encode that can')
    .action(async (folder: string, options: WatchOptions) => {
      const isFolder = await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) throw new CommandRefused(`${folder} is not a folder.`);
      const { signal, say } = { signal: listenForStop(), say: logTo(tools.say) };
      const client = await openClient(options, patience.watch, signal, say);
      const log = logTo(tools.answer);
      log(`watching ${resolve(folder)}`);
      await client.connect().then(
        (base) => log(`connected to ${base}`),
        (error: unknown) => {
          // while the line is broken, read files wait
          if (!(error instanceof NoResponse) && !signal.aborted)
            throw describeFault(error, options);
        },
      );
      await watchFolder(
        {
          client,
          folder,
          userCode: options.userCode,
          willCorrectCVN: options.correctCvn === true,
          log,
          complain: say,
        },
        signal,
      ).catch((error: unknown) => {
        throw describeFault(error, options);
      });
    });
}

/** Lines with the time, for a program that runs for days. */
function logTo(write: (text: string) => void): (text: string) => void {
  return (text) => write(`${new Date().toISOString().slice(0, 19)}Z ${text}`);
}

/** Aborted by the first signal to stop. */
function listenForStop(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort());
  process.once('disconnect', () => stop.abort());
  process.channel?.unref();
  return stop.signal;
}

async function openClient(
  { url, client: clientGuid, secretFile }: AccessOptions,
  patienceSeconds: number,
  stop: AbortSignal,
  say: (text: string) => void,
): Promise<RemoteClient> {
  const secretKey = (await readGivenFile(secretFile)).toString('utf8').trim();
  return new RemoteClient({ url, clientGuid, secretKey }, { patienceSeconds, stop, say });
}

/** Runs one piece of work, and turns what the portal refuses into the command's error. */
async function withClient(
  options: AccessOptions,
  { say }: CommandTools,
  run: (client: RemoteClient) => Promise<void>,
): Promise<void> {
  const { signal } = new AbortController();
  const client = await openClient(options, patience.once, signal, say);
  try {
    await client.connect();
    await run(client);
  } catch (error) {
    throw describeFault(error, options);
  }
}

function describeFault(error: unknown, { url }: AccessOptions): unknown {
  if (error instanceof NoResponse)
    return new CommandRefused(`${url} does not respond: ${error.message}`);
  return error instanceof CallRefused ? new CommandRefused(error.message) : error;
}
