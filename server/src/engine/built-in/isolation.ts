/** Finds out, once, how well this machine can isolate engine processes, and describes it. */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readable } from './program-files.ts';
import {
  type EngineAccount,
  findProgram,
  type Isolation,
  makeSandboxCommand,
  type NamespaceTool,
} from './sandbox-command.ts';

/** No isolation by the operating system: only Node's permission model and the limits. */
export const noIsolation: Isolation = { namespaces: null, hasOwnAccount: false };

/** Milliseconds within which a sandbox must start. */
const patience = 20_000;
/** The range in which systemd, too, assigns accounts to running services: no file belongs to them. */
const accountRange = { first: 61_184, last: 65_519 };

const run = promisify(execFile);

const isRoot = (): boolean => process.getuid?.() === 0;

/** The isolations that could work here, best first. */
function listCandidates(): readonly Isolation[] {
  if (process.platform !== 'linux') return [];
  const hasOwnAccount = isRoot() && findProgram('setpriv') !== null;
  const tools: readonly NamespaceTool[] = ['bwrap', 'unshare'];
  // Without a separate account for engines, root stays root inside namespaces.
  const inNamespaces = isRoot() && !hasOwnAccount ? [] : tools;
  const found = inNamespaces.filter((tool) => findProgram(tool) !== null);
  return [
    ...found.map((namespaces): Isolation => ({ namespaces, hasOwnAccount })),
    ...(hasOwnAccount ? [{ namespaces: null, hasOwnAccount }] : []),
  ];
}

const detected = new Map<string, Promise<Isolation>>();

/** The best isolation that works for engines below this folder. It is found once, by starting a process in it. */
export function detectIsolation(scratch: string): Promise<Isolation> {
  const known = detected.get(scratch) ?? detect(scratch);
  detected.set(scratch, known);
  return known;
}

async function detect(scratch: string): Promise<Isolation> {
  const root = await openScratchRoot(scratch);
  for (const candidate of listCandidates()) {
    if (await isWorking(root, candidate)) return candidate;
  }
  return noIsolation;
}

/** Every isolation that works below this folder, best first; the last one is no isolation. */
export async function listIsolations(scratch: string): Promise<readonly Isolation[]> {
  const root = await openScratchRoot(scratch);
  const working: Isolation[] = [];
  for (const candidate of listCandidates()) {
    if (await isWorking(root, candidate)) working.push(candidate);
  }
  return [...working, noIsolation];
}

/** Creates the folder of all pools. Accounts of engines can enter it, but cannot list it. */
export async function openScratchRoot(scratch: string): Promise<string> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  if (isRoot()) await chmod(scratch, 0o711);
  return realpath(scratch);
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

/** The script of a trial: reads what an engine reads, and writes what it writes. */
const trial = `
  const fs = require('node:fs');
  for (const path of process.argv.slice(1)) fs.accessSync(path, fs.constants.R_OK);
  fs.writeFileSync('written', 'yes');
`;

async function isWorking(root: string, isolation: Isolation): Promise<boolean> {
  const account = await chooseAccount(isolation);
  // Named like a pool's folder, so that the next start removes it if this one is killed.
  const parent = await mkdtemp(join(root, `pool-${process.pid}-trial-`));
  try {
    if (account !== null) await chmod(parent, 0o711);
    await mkdir(join(parent, 'root'));
    const folder = await makeEngineFolder(parent, account);
    const [first, ...words] = makeSandboxCommand({ isolation, account, readable, folder });
    const script = ['--eval', trial, ...readable];
    await run(first, [...words, ...script], { cwd: folder, env: {}, timeout: patience });
    return (await readFile(join(folder, 'written'), 'utf8')) === 'yes';
  } catch {
    // A tool that is missing, forbidden or too old is not an error: a lower level is used.
    return false;
  } finally {
    releaseAccount(account);
    await rm(parent, { recursive: true, force: true });
  }
}

/** The isolation in force, for the log. */
export function describeIsolation({ namespaces, hasOwnAccount }: Isolation): string {
  const parts = [
    ...(namespaces === null ? [] : [`namespaces (${namespaces})`]),
    ...(hasOwnAccount ? ['separate accounts'] : []),
    ...(findProgram('prlimit') === null ? [] : ['resource limits']),
    'Node permissions',
  ];
  return parts.join(', ');
}

/** What is missing for the isolation that an operator requires, and what to do about it; null: nothing. */
export function describeMissing(
  isolation: Isolation,
  { needsNamespaces }: { readonly needsNamespaces: boolean },
): string | null {
  if (!needsNamespaces || isolation.namespaces !== null) return null;
  return `RECODERY_ENGINE_ISOLATION requires namespaces, but engine processes would only be limited by: ${describeIsolation(isolation)}. Install bubblewrap and allow user namespaces, or set it to any.`;
}
