/**
 * Tries a connection with one read file: decodes it, and encodes its images unchanged. The report hides the credentials,
 * the address, and what the service reports of the slave, so that the owner of an account can send it in.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Family } from '@recodery/contract/families/registry';
import type { Log } from '../../config/log.ts';
import {
  type EncodeJob,
  type EngineContext,
  type EngineDecode,
  type EngineFile,
  EngineRefused,
  EngineUnavailable,
} from '../../engine/engine.ts';
import { engineTimes, type EngineTools, type ServiceEngine } from '../../engine/kind.ts';
import { serviceKinds } from '../../engine/kinds.ts';
import type { EngineConnection } from '../../engine-connections/engine-connections.ts';
import { mintOrganisationId } from '../../organisations/caller.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { hideKnown } from './hide-known.ts';
import { readAccess } from './read-access.ts';

/** What a trial needs. */
export interface TrialDependencies {
  readonly secrets: Pick<Secrets, 'getKey'>;
  readonly log: Log;
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
}

/** The result of a trial: lines of text. */
export interface Trial {
  readonly isRight: boolean;
  readonly lines: readonly string[];
}

/** Milliseconds that each of both steps waits for a service that is unavailable. */
const patience = 60_000;

/** The first bytes of a file, in which a format often shows. */
const startBytes = 4;

/** Tries a connection. Its service must serve one family, and keep nothing. */
export async function tryConnection(
  deps: TrialDependencies,
  connection: EngineConnection,
  family: Family,
  read: Buffer,
  slave: string | null = null,
): Promise<Trial> {
  const access = await readAccess(deps, connection);
  const tools: EngineTools = {
    log: deps.log,
    times: { ...engineTimes, patience },
    maxFileBytes: deps.maxFileBytes,
    stop: new AbortController().signal,
    receive: (_, work) => work(),
    findAccess: async () => access,
    reportRefusal: () => {},
    listContextsInUse: async () => [],
  };
  const engine = serviceKinds[connection.kind].open(access, tools);
  const folder = await mkdtemp(join(tmpdir(), 'recodery-trial-'));
  try {
    const { host, hostname } = new URL(access.url);
    const words = new Set([access.secret, access.client ?? '', host, hostname, slave ?? '']);
    return await runBoth(engine, { family, folder, read, slave, words });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Given {
  readonly family: Family;
  readonly folder: string;
  readonly read: Buffer;
  /** Its serial number, where the service needs it; null: not given. */
  readonly slave: string | null;
  /** What is hidden wherever the report quotes the service; what it reports of the slave is added. */
  readonly words: Set<string>;
}

/** A job for both steps; the encode gets what the decode remembers. */
async function openJob({ family, folder, read, slave, words }: Given) {
  let slot: EngineContext | null = null;
  return {
    operationGuid: randomUUID(),
    organisationId: mintOrganisationId(randomUUID()),
    customerCode: '',
    family,
    workflow: family,
    groupCode: '',
    slaveSerialNumber: slave,
    read: await keep(folder, 'read', read),
    folder,
    workedMs: 0,
    signal: new AbortController().signal,
    bring: async ({ storageKey }: EngineFile) => storageKey,
    report: () => {},
    get contexts() {
      return { slot, operation: null };
    },
    remember: async (contexts: { readonly slot: EngineContext | null }) => {
      slot = contexts.slot ?? slot;
      for (const value of Object.values(slot ?? {})) words.add(String(value));
    },
  };
}

async function runBoth(engine: ServiceEngine, given: Given): Promise<Trial> {
  const { folder, read, words } = given;
  const job = await openJob(given);
  const decoding = await step('decode', words, () =>
    engine.decode({ ...job, skipChecksum: false, identify: async () => {} }),
  );
  const { value: decoded } = decoding;
  if (decoded === null) return { isRight: false, lines: [decoding.line] };
  const { serialNumber, vin } = decoded.information;
  for (const name of [serialNumber, vin]) words.add(name ?? '');
  const images = await Promise.all(
    decoded.components.map(async (component) => {
      const bytes = await readFile(join(folder, `${component}.bin`));
      return { component, file: await keep(folder, `${component}.decoded`, bytes), bytes };
    }),
  );
  const encodeJob: EncodeJob = {
    ...job,
    contexts: job.contexts,
    mode: decoded.mode,
    modified: [],
    decoded: images,
    original: null,
    removed: [],
    reencode: true,
    willCorrectCVN: false,
    isCVNCorrectionPossible: false,
    willSkipChecksum: false,
  };
  const encoding = await step('encode of the unchanged images', words, () =>
    engine.encode(encodeJob),
  );
  const { value: encoded } = encoding;
  const lines = [
    decoding.line,
    ...images.map(({ component, bytes }) => `  image ${component}: ${bytes.length} bytes`),
    `  reported: ${describeFacts(decoded)}`,
    encoding.line,
    ...(encoded === null ? [] : [await describeEncoded(encoded.path, read)]),
  ];
  return { isRight: encoded !== null, lines };
}

async function keep(folder: string, name: string, bytes: Buffer): Promise<EngineFile> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, size: bytes.length, sha256, storageKey: path };
}

/** Runs a step; `value` is null if it failed. `words` are hidden in what the service says. */
async function step<T>(name: string, words: ReadonlySet<string>, work: () => Promise<T>) {
  const start = performance.now();
  const seconds = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    const value = await work();
    return { value, line: `${name}: succeeded after ${seconds()}` };
  } catch (error) {
    if (!(error instanceof EngineRefused) && !(error instanceof EngineUnavailable)) throw error;
    const how = error instanceof EngineRefused ? 'refused' : 'not available';
    const reason = hideKnown(error.message, words);
    return { value: null, line: `${name}: ${how} after ${seconds()}: ${reason}` };
  }
}

/** Which facts the service reports, without their values. */
function describeFacts({ information }: EngineDecode): string {
  const known = Object.entries(information).flatMap(([key, value]) =>
    value === null ? [] : [key],
  );
  return known.length === 0 ? 'nothing' : known.join(', ');
}

async function describeEncoded(path: string, read: Buffer): Promise<string> {
  const { size } = await stat(path);
  const start = (await readFile(path)).subarray(0, startBytes);
  const isAlike = start.equals(read.subarray(0, startBytes));
  return `  encoded file: ${size} bytes, which begin ${isAlike ? 'as' : 'differently from'} those of the read file (${read.length} bytes)`;
}
