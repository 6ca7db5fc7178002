/** The words of the command that starts an engine process with the isolation that this machine offers. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
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

/**
 * Builds the same view as bwrap with the programs of util-linux. Parameters: `umount`, the mount point of the new root,
 * the engine's folder, whether it has a user namespace of its own, the visible paths up to `--`, links as pairs up to
 * `--`, and the command.
 */
const unshareScript = `
set -eu
umount=$1 root=$2 folder=$3 own=$4; shift 4
# the limit of this user namespace; a container can forbid to set it
[ "$own" = no ] || { echo 0 > /proc/sys/user/max_user_namespaces; } 2>/dev/null || :
mount -t tmpfs -o mode=755,size=1m,nr_inodes=1k engine "$root"
place() {
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}"; : > "$root$1"; fi
  mount --bind "$1" "$root$1"
}
while [ "$1" != -- ]; do place "$1"; mount -o remount,bind,ro "$root$1"; shift; done; shift
while [ "$1" != -- ]; do ln -s "$2" "$root$1"; shift 2; done; shift
place /dev/null
place "$folder"
# umount insists on a list of mounts; an empty one is enough
mkdir -p "$root/.old" "$root/proc/self"
: > "$root/proc/self/mountinfo"
cd "$root"
pivot_root . .old
cd "$folder"
"$umount" -l /.old
# set by cd; an engine has no environment of ours
unset PWD OLDPWD
exec "$@"
`;

function makeUnshare(options: SandboxOptions): readonly string[] {
  const { account, folder, readable } = options;
  const roots = describeRootFolders();
  const visible = [
    ...roots.filter(({ target }) => target === null).map(({ path }) => path),
    ...listVisible(readable, ['setpriv', 'umount']),
  ];
  const links = roots.flatMap(({ path, target }) => (target === null ? [] : [path, target]));
  return [
    ...makeSetpriv(null, endWithParent),
    findProgram('unshare') ?? 'unshare',
    ...(account === null ? ['--map-root-user'] : []),
    ...['--mount', '--pid', '--net', '--ipc', '--fork', '--kill-child=KILL'],
    ...['/bin/sh', '-c', unshareScript, 'engine'],
    ...[findProgram('umount') ?? 'umount', mountPointOf(dirname(folder)), folder],
    account === null ? 'yes' : 'no',
    ...[...visible, '--', ...links, '--'],
    // a change of the account clears the signal with which `unshare` would end its child: a stopped engine would remain
    ...makeSetpriv(account, [...(account === null ? noCapabilities : []), ...endWithParent]),
  ];
}
