/** The words of the command that starts an engine process with the isolation that this machine offers. */
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The program that creates the namespaces of an engine. */
export type NamespaceTool = 'bwrap' | 'unshare';

/** How engine processes are separated from the rest of the machine, besides Node's permission model. */
export interface Isolation {
  /** The tool that gives each engine namespaces without network, other processes and other files; null: none. */
  readonly namespaces: NamespaceTool | null;
  /** Whether each engine runs under its own unprivileged account. Only root can do this. */
  readonly hasOwnAccount: boolean;
  /** Whether the kernel filters its system calls. Only bwrap can load a filter. */
  readonly hasCallFilter: boolean;
  /** Whether a started engine can start no other process or thread. */
  readonly isSealed: boolean;
}

/** An account of this machine, by its numeric ids. */
export interface EngineAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The resources of a sandboxed process. */
export interface SandboxOptions {
  readonly isolation: Isolation;
  /** Null: our own account. */
  readonly account: EngineAccount | null;
  /** Files and folders that it can read. */
  readonly readable: readonly string[];
  /** The only folder that it can write to. */
  readonly folder: string;
}

/** MiB of the JavaScript heap; images are stored outside of it. */
const heapMiB = 192;
/** Bytes of one file. The largest file that an engine writes has 64 MiB. */
const fileBytes = 128 * 2 ** 20;
const openFiles = 256;
/** Threads of an engine with its own account while it starts; Node starts about a dozen. Then {@link makeSeal} applies. */
const threads = 64;

/** The libraries that Node is linked with. No other part of the system is visible in namespaces. */
const libraryFolders = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libx32', '/usr/local/lib'];
/** Folders on some systems, links into /usr on others. */
const rootFolders = ['/lib', '/lib32', '/lib64', '/libx32', '/bin', '/sbin'];
const loaderCache = '/etc/ld.so.cache';

/** The mount point of the namespaces that are made without bwrap, in the folder of a pool. */
export function mountPointOf(pool: string): string {
  return join(pool, 'root');
}

/** The file with the filter of system calls, in the folder of a pool. */
export function callFilterOf(pool: string): string {
  return join(pool, 'system-calls');
}

/** The path of a program of the system, or null. */
export function findProgram(name: string): string | null {
  const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  const paths = process.platform === 'linux' ? folders.map((folder) => join(folder, name)) : [];
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The command that runs Node in a sandbox. The words of its program follow. */
export function makeSandboxCommand(options: SandboxOptions): readonly [string, ...string[]] {
  const words = [...makeWrapping(options), process.execPath, ...makeNodeFlags(options)];
  const [first = process.execPath, ...others] = words;
  return [first, ...others];
}

function makeNodeFlags({ readable, folder }: SandboxOptions): readonly string[] {
  return [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
    `--max-old-space-size=${heapMiB}`,
    '--disallow-code-generation-from-strings',
    '--no-addons',
    // an engine frees the memory of its ciphers, see `makeWorkspace` of the codec
    '--expose-gc',
    '--no-warnings',
    ...offeredFlags(),
  ];
}

/** Flags that not every version of Node has: no inspector, and no SQLite, which ignores the permission model. */
function offeredFlags(): readonly string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    ...(known.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []),
    ...['sqlite', 'webstorage']
      .filter((feature) => known.has(`--experimental-${feature}`))
      .map((feature) => `--no-experimental-${feature}`),
  ];
}

/** The part of the command that comes from the operating system. It is empty if the system offers none. */
export function makeWrapping(options: SandboxOptions): readonly string[] {
  const { isolation, account } = options;
  const limits = makeLimits(account);
  if (isolation.namespaces === 'bwrap') return [...limits, ...makeBwrap(options)];
  if (isolation.namespaces === 'unshare') return [...limits, ...makeUnshare(options)];
  return [...limits, ...makeSetpriv(account, endWithParent)];
}

function makeLimits(account: EngineAccount | null): readonly string[] {
  const prlimit = findProgram('prlimit');
  if (prlimit === null) return [];
  // The number of threads is counted for each account: with our own, other programs of ours would use it up.
  const perAccount = account === null ? [] : [`--nproc=${threads}`];
  return [prlimit, '--core=0', `--fsize=${fileBytes}`, `--nofile=${openFiles}`, ...perAccount];
}

/**
 * The command that forbids a started engine, by its process id, to start any other process or thread: not even code
 * that Node does not restrict can. Null: not on this machine, or the engine is root, which the kernel exempts.
 */
export function makeSeal(pid: number, account: EngineAccount | null): readonly string[] | null {
  const prlimit = findProgram('prlimit');
  const isRoot = account === null && process.getuid?.() === 0;
  if (prlimit === null || isRoot) return null;
  // under the engine's account: in a container, root itself may not be allowed to change limits of other accounts
  const own = account === null ? [] : makeSetpriv(account, []);
  return [...own, prlimit, '--pid', String(pid), '--nproc=1:1'];
}

/** Drops every privilege, and changes to the engine's account. */
function makeSetpriv(account: EngineAccount | null, more: readonly string[]): readonly string[] {
  const setpriv = findProgram('setpriv');
  if (setpriv === null) return [];
  if (account === null) return [setpriv, '--no-new-privs', ...more];
  const ids = ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'];
  return [setpriv, ...ids, ...noCapabilities, '--no-new-privs', ...more];
}
const noCapabilities = ['--bounding-set=-all', '--inh-caps=-all'];
/** Terminates the engine when we exit, even if we are killed while it works, or it is stopped. */
const endWithParent = ['--pdeathsig', 'KILL'];

/** The visible files, read-only: the libraries, Node, the engine's program, and the tools that start it. */
function listVisible(readable: readonly string[], tools: readonly string[]): readonly string[] {
  const programs = tools.flatMap((tool) => findProgram(tool) ?? []);
  const paths = [...libraryFolders, loaderCache, process.execPath, ...programs, ...readable];
  return paths.filter((path) => existsSync(path));
}

/** How the root folder leads to the libraries here: by a link, or by a separate folder. */
function describeRootFolders(): readonly {
  readonly path: string;
  readonly target: string | null;
}[] {
  return rootFolders
    .filter((path) => existsSync(path))
    .map((path) => ({
      path,
      target: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null,
    }));
}

/** Places a path in the view of bwrap, in folders that every account can enter. */
function place(how: string, path: string): readonly string[] {
  const parents: string[] = [];
  for (let at = dirname(path); at !== '/'; at = dirname(at)) parents.unshift('--dir', at);
  return [...parents, how, path, path];
}

/** The handle of the filter: the first after the standard pipes. */
const filterHandle = 3;

/** The words with which a command finds the filter open. */
function openFilter(path: string): readonly string[] {
  // a shell exports its folder
  const script = `filter=$1; shift; unset PWD OLDPWD; exec "$@" ${filterHandle}< "$filter"`;
  return ['/bin/sh', '-c', script, 'engine', path];
}

function makeBwrap(options: SandboxOptions): readonly string[] {
  const { account, folder, readable } = options;
  const { hasCallFilter } = options.isolation;
  const tools = account === null ? [] : ['setpriv'];
  const user =
    account === null
      ? ['--unshare-user']
      : ['SETUID', 'SETGID', 'SETPCAP', 'DAC_OVERRIDE'].flatMap((name) => [
          '--cap-add',
          `CAP_${name}`,
        ]);
  return [
    ...(hasCallFilter ? openFilter(callFilterOf(dirname(folder))) : []),
    findProgram('bwrap') ?? 'bwrap',
    ...(hasCallFilter ? ['--seccomp', String(filterHandle)] : []),
    // an engine has no rights to change the host's name, and sees no cgroup: namespaces for these would protect nothing
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc'],
    ...['--die-with-parent', '--cap-drop', 'ALL', ...user],
    ...describeRootFolders().flatMap(({ path, target }) =>
      target === null ? ['--ro-bind', path, path] : ['--symlink', target, path],
    ),
    ...listVisible(readable, tools).flatMap((path) => place('--ro-bind', path)),
    ...place('--dev-bind', '/dev/null'),
    ...[...place('--bind', folder), '--chdir', folder],
    ...['--remount-ro', '/'],
    '--',
    ...(account === null ? [] : makeSetpriv(account, [])),
  ];
}

/** Quotes words for a shell. */
const quote = (...words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');

/** A path in a list of mounts: a blank would end it. */
const escapePath = (path: string): string =>
  path.replace(/[\s#\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);

/**
 * Builds the same view as bwrap with the programs of util-linux. Each program takes longer than what it does, so each
 * creates or mounts all at once. Parameters: the command.
 */
function makeViewScript(
  { account, folder }: SandboxOptions,
  visible: readonly string[],
  links: readonly string[],
): string {
  const root = mountPointOf(dirname(folder));
  const places = [...visible, '/dev/null', folder];
  const isFolder = (path: string): boolean => statSync(path).isDirectory();
  const inRoot = (path: string): string => join(root, path);
  const folders = places.map((path) => inRoot(isFolder(path) ? path : dirname(path)));
  const files = places.filter((path) => !isFolder(path)).map(inRoot);
  // In a user namespace of its own, the kernel keeps the restrictions of a mount, which only a separate command adds.
  const isOwn = account === null;
  const mountLine = (path: string, options: string): string =>
    `${escapePath(path)} ${escapePath(inRoot(path))} none ${options}\n`;
  const mounts = [
    ...visible.map((path) => mountLine(path, isOwn ? 'bind' : 'bind,ro')),
    ...['/dev/null', folder].map((path) => mountLine(path, 'bind')),
  ];
  const list = inRoot('/proc/self/mountinfo');
  return `
set -eu
${isOwn ? limitNamespaces : ''}
mount -t tmpfs -o mode=755,size=1m,nr_inodes=1k engine ${quote(root)}
mkdir -p ${quote(...new Set([inRoot('/.old'), dirname(list), ...folders]))}
for file in ${quote(...files)}; do : > "$file"; done
${links.length > 0 ? `cp -P ${quote(...links, root)}` : ''}
printf %s ${quote(mounts.join(''))} > ${quote(list)}
mount --all --fstab ${quote(list)}
${isOwn ? visible.map((path) => `mount -o remount,bind,ro ${quote(inRoot(path))}\n`).join('') : ''}
# umount insists on a list of mounts; an empty one is enough
: > ${quote(list)}
cd ${quote(root)}
pivot_root . .old
cd ${quote(folder)}
${quote(findProgram('umount') ?? 'umount')} -l /.old
# set by cd; an engine has no environment of ours
unset PWD OLDPWD
exec "$@"
`;
}

/** The limit of a user namespace of its own; a container can forbid to set it. */
const limitNamespaces = '{ echo 0 > /proc/sys/user/max_user_namespaces; } 2>/dev/null || :';

function makeUnshare(options: SandboxOptions): readonly string[] {
  const { account, readable } = options;
  const roots = describeRootFolders();
  const visible = [
    ...roots.filter(({ target }) => target === null).map(({ path }) => path),
    ...listVisible(readable, ['setpriv', 'umount']),
  ];
  const links = roots.filter(({ target }) => target !== null).map(({ path }) => path);
  return [
    ...makeSetpriv(null, endWithParent),
    findProgram('unshare') ?? 'unshare',
    ...(account === null ? ['--map-root-user'] : []),
    ...['--mount', '--pid', '--net', '--ipc', '--fork', '--kill-child=KILL'],
    ...['/bin/sh', '-c', makeViewScript(options, visible, links), 'engine'],
    // a change of the account clears the signal with which `unshare` would end its child: a stopped engine would remain
    ...makeSetpriv(account, [...(account === null ? noCapabilities : []), ...endWithParent]),
  ];
}
