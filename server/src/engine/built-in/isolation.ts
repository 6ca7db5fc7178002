/** Finds out, once, how well this machine can isolate engine processes, and describes it. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInnermost } from './process-state.ts';
import { readable } from './program-files.ts';
import {
  callFilterOf,
  type EngineAccount,
  findProgram,
  type Isolation,
  makeSandboxCommand,
  mountPointOf,
  type NamespaceTool,
  type SandboxOptions,
} from './sandbox-command.ts';
import { sealProcess } from './seal.ts';
import { makeCallFilter } from './system-calls.ts';

/** No isolation by the operating system: only Node's permission model and the limits of files. */
export const noIsolation: Isolation = {
  namespaces: null,
  hasOwnAccount: false,
  hasCallFilter: false,
  isSealed: false,
};

/** An isolation that works here, and why a better one does not. */
export interface DetectedIsolation extends Isolation {
  /** What the programs of better ones have reported, one line each. */
  readonly obstacles: readonly string[];
}

/** Milliseconds within which a sandbox must start. */
const patience = 20_000;
/** The range in which systemd, too, assigns accounts to running services: no file belongs to them. */
const accountRange = { first: 61_184, last: 65_519 };

const isRoot = (): boolean => process.getuid?.() === 0;

/** The isolations that could work here, best first; whether one can be sealed is found out by trying. */
function listCandidates(): readonly Isolation[] {
  if (process.platform !== 'linux') return [noIsolation];
  const hasOwnAccount = isRoot() && findProgram('setpriv') !== null;
  const tools: readonly NamespaceTool[] = ['bwrap', 'unshare'];
  // Without a separate account for engines, root stays root inside namespaces.
  const inNamespaces = isRoot() && !hasOwnAccount ? [] : tools;
  const found = inNamespaces.filter((tool) => findProgram(tool) !== null);
  const own = { ...noIsolation, hasOwnAccount };
  const hasCallFilter = found.includes('bwrap') && makeCallFilter(process.arch) !== null;
  return [
    ...(hasCallFilter ? [{ ...own, namespaces: 'bwrap' as const, hasCallFilter }] : []),
    ...found.map((namespaces): Isolation => ({ ...own, namespaces })),
    ...(hasOwnAccount ? [own] : []),
    noIsolation,
  ];
}

const detected = new Map<string, Promise<DetectedIsolation>>();

/** The best isolation that works for engines below this folder. It is found once, by starting a process in it. */
export function detectIsolation(scratch: string): Promise<DetectedIsolation> {
  const known = detected.get(scratch) ?? detect(scratch);
  detected.set(scratch, known);
  return known;
}

async function detect(scratch: string): Promise<DetectedIsolation> {
  const { value } = await findIsolations(scratch).next();
  return value;
}

/** The isolations that work below this folder, best first. Each is tried when it is asked for. Returns none at the end. */
export async function* findIsolations(
  scratch: string,
): AsyncGenerator<DetectedIsolation, DetectedIsolation> {
  const root = await openScratchRoot(scratch);
  const obstacles: string[] = [];
  for (const candidate of listCandidates()) {
    const { isWorking, isSealed, obstacle } = await tryOut(root, candidate);
    if (obstacle !== null) obstacles.push(obstacle);
    if (isWorking) yield { ...candidate, isSealed, obstacles: [...obstacles] };
  }
  return { ...noIsolation, obstacles };
}

/** Creates the folder of all pools. Accounts of engines can enter it, but cannot list it. */
export async function openScratchRoot(scratch: string): Promise<string> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  if (isRoot()) await chmod(scratch, 0o711);
  return realpath(scratch);
}

/** Prepares the folder of a pool: its engines can enter their own folder in it, but cannot list it. */
export async function preparePool(
  folder: string,
  { hasOwnAccount, hasCallFilter }: Isolation,
): Promise<void> {
  if (hasOwnAccount) await chmod(folder, 0o711);
  await mkdir(mountPointOf(folder));
  const filter = hasCallFilter ? makeCallFilter(process.arch) : null;
  if (filter !== null) await writeFile(callFilterOf(folder), filter, { mode: 0o600 });
}

// The accounts of the engines of this process: two engines under one account could reach each other.
const inUse = new Set<number>();

/**
 * An account for one engine: null without {@link Isolation.hasOwnAccount}. No other engine of this process runs under
 * it until {@link releaseAccount}.
 */
export async function chooseAccount({ hasOwnAccount }: Isolation): Promise<EngineAccount | null> {
  if (!hasOwnAccount) return null;
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (;;) {
    const id = randomInt(accountRange.first, accountRange.last + 1);
    if (inUse.has(id) || users.includes(`:${id}:`)) continue;
    inUse.add(id);
    return { uid: id, gid: id };
  }
}

/** Makes the account of an engine that has exited available again. */
export function releaseAccount(account: EngineAccount | null): void {
  if (account !== null) inUse.delete(account.uid);
}

/** Creates a folder for one engine; its account must be able to enter `parent`. */
export async function makeEngineFolder(
  parent: string,
  account: EngineAccount | null,
): Promise<string> {
  const folder = await mkdtemp(join(parent, 'engine-'));
  if (account !== null) await chown(folder, account.uid, account.gid);
  return folder;
}

/** The script of a trial: reads what an engine reads, writes what it writes, and stays until its input ends. */
const trialScript = `
  const fs = require('node:fs');
  for (const path of process.argv.slice(1)) fs.accessSync(path, fs.constants.R_OK);
  fs.writeFileSync('written', 'yes');
  console.log('ready');
  process.stdin.resume();
`;

interface Trial {
  readonly isWorking: boolean;
  readonly isSealed: boolean;
  /** Why it does not work, or cannot be sealed; null: nothing is wrong. */
  readonly obstacle: string | null;
}

/** Starts a process with an isolation, and seals it. */
async function tryOut(root: string, isolation: Isolation): Promise<Trial> {
  const account = await chooseAccount(isolation);
  // Named like a pool's folder, so that the next start removes it if this one is killed.
  const parent = await mkdtemp(join(root, `pool-${process.pid}-trial-`));
  try {
    await preparePool(parent, isolation);
    const folder = await makeEngineFolder(parent, account);
    return await startTrial({ isolation, account, readable, folder });
  } catch (error) {
    // A tool that is missing, forbidden or too old is not an error: a lower level is used.
    return { isWorking: false, isSealed: false, obstacle: nameObstacle(isolation, error) };
  } finally {
    releaseAccount(account);
    await rm(parent, { recursive: true, force: true });
  }
}

async function startTrial(options: SandboxOptions): Promise<Trial> {
  const { folder, account, isolation } = options;
  const [first, ...words] = makeSandboxCommand(options);
  const child = spawn(first, [...words, '--eval', trialScript, ...options.readable], {
    cwd: folder,
    env: {},
    stdio: 'pipe',
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined);
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  // it has exited if it did not work
  const refusal = await sealProcess(findInnermost(child.pid ?? 0), account);
  child.stdin.end();
  await closed;
  if (child.exitCode !== 0) throw new Error(firstLine(complaint));
  const isWorking = (await readFile(join(folder, 'written'), 'utf8')) === 'yes';
  const isSealed = isWorking && refusal === null;
  return { isWorking, isSealed, obstacle: isSealed ? null : nameObstacle(isolation, refusal) };
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** One line: which isolation, and what its programs have reported. */
function nameObstacle({ namespaces, hasOwnAccount }: Isolation, reason: unknown): string {
  const level = namespaces ?? (hasOwnAccount ? 'separate accounts' : 'start');
  const text = reason instanceof Error ? reason.message : String(reason);
  return `${level}: ${firstLine(text)}`;
}

/** The isolation in force, for the log. */
export function describeIsolation(isolation: Isolation): string {
  const { namespaces, hasOwnAccount, hasCallFilter, isSealed } = isolation;
  const parts = [
    ...(namespaces === null ? [] : [`namespaces (${namespaces})`]),
    ...(hasCallFilter ? ['system call filter'] : []),
    ...(hasOwnAccount ? ['separate accounts'] : []),
    ...(findProgram('prlimit') === null ? [] : ['resource limits']),
    ...(isSealed ? ['no other processes'] : []),
    'Node permissions',
  ];
  return parts.join(', ');
}

/** What engines can still do because of this machine, and what an operator can change; null: nothing is known. */
export function describeWeakness(
  isolation: Pick<Isolation, 'isSealed'> & { readonly hasNamespaces: boolean },
  obstacles: readonly string[] = [],
): string | null {
  if (process.platform !== 'linux') return null;
  const { hasNamespaces, isSealed } = isolation;
  const sentences = [
    ...(hasNamespaces
      ? []
      : [
          'They can use the network. To run them in namespaces, install bubblewrap and allow user namespaces.',
        ]),
    ...(isSealed
      ? []
      : [
          'They can start other processes. Allow prlimit (the system call prlimit64) to change the limits of a process, for example in the security profile of the container.',
        ]),
    ...(obstacles.length === 0 ? [] : [`Reported: ${obstacles.join('; ')}.`]),
  ];
  return hasNamespaces && isSealed ? null : sentences.join(' ');
}

/** What is missing for the isolation that an operator requires, and what to do about it; null: nothing. */
export function describeMissingIsolation(
  isolation: Isolation & Partial<DetectedIsolation>,
  { needsNamespaces }: { readonly needsNamespaces: boolean },
): string | null {
  if (!needsNamespaces || isolation.namespaces !== null) return null;
  const { obstacles = [] } = isolation;
  const reported = obstacles.length === 0 ? '' : ` Reported: ${obstacles.join('; ')}.`;
  return `RECODERY_ENGINE_ISOLATION requires namespaces, but engine processes would only be limited by: ${describeIsolation(isolation)}. Install bubblewrap and allow user namespaces, or set it to any.${reported}`;
}
