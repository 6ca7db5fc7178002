/** The launcher, in a small project with a fake npm: what it installs, builds, runs and forwards. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A folder on another disk than the project: on Linux, one of these two is in memory. */
const otherDisk = ['/dev/shm', '/tmp'].find(
  (path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev,
);
const source = resolve(import.meta.dirname, '../..');
let project: string;

/** A fake `npm ci`: records its arguments, deletes the packages, and writes what npm would. */
const pretendingNpm = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
const { PROJECT, NEW_NODE } = process.env;
appendFileSync(PROJECT + '/npm-caches', process.env.npm_config_cache + '\\n');
appendFileSync(PROJECT + '/npm-calls', process.argv.slice(2).filter((word) => !/^--(no|ignore|loglevel)/.test(word)).join(' ') + '\\n');
console.log('chatter of npm');
if (!existsSync('package.json')) throw new Error('no package.json');
rmSync('node_modules', { recursive: true, force: true });
await new Promise((done) => setTimeout(done, 400));
if (existsSync(PROJECT + '/registry-is-down')) process.exit(1);
mkdirSync('node_modules/node-linux-' + process.arch + '/bin', { recursive: true });
const node = 'node_modules/node-linux-' + process.arch + '/bin/node';
symlinkSync(NEW_NODE, node);
const isProduct = process.argv.includes('--omit=dev');
const all = Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages);
const packages = all.filter(([path, { dev }]) => path.includes('node_modules/') && !(isProduct && dev));
for (const [path, { link }] of packages) {
  mkdirSync(link ? 'node_modules' : path, { recursive: true });
  if (link) symlinkSync('../part', path);
  else writeFileSync(path + '/package.json', '{}');
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(packages) }));
`;

const allPackages = {
  'node_modules/one': { version: '1.0.0', integrity: 'a' },
  'node_modules/for-tests': { version: '1.0.0', integrity: 'b', dev: true },
};

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'recodery-launch-'));
  await cp(join(source, 'recodery.mjs'), join(project, 'recodery.mjs'));
  await cp(join(source, 'tools/launch'), join(project, 'tools/launch'), { recursive: true });
  await mkdir(join(project, 'server/src'), { recursive: true });
  await write('package.json', '{"type":"module"}');
  await write('package-lock.json', JSON.stringify({ packages: allPackages }));
  await write('npm/npm-cli.js', pretendingNpm);
  await write(
    'server/src/main.ts',
    `export async function main(words: string[]): Promise<void> {
      if (words[0] === 'wait') {
        process.once('SIGTERM', () => { console.log('told to stop'); process.exit(7); });
        process.once('disconnect', () => { console.error('launcher is gone'); process.exit(8); });
        process.on('SIGUSR2', () => console.log('still here'));
        console.log('waiting ' + process.pid);
        setInterval(() => undefined, 1000);
        return;
      }
      console.log(JSON.stringify({ words, setting: process.env.RECODERY_PORT ?? null }));
      process.exit(words[0] === 'fail' ? 3 : 0);
    }`,
  );
  await write('tools/check.ts', `export const run = async () => 5;`);
});
afterEach(() => rm(project, { recursive: true }));

/** Another version of the project, whose product needs another package. */
async function changeLock(): Promise<void> {
  const packages = {
    ...allPackages,
    'node_modules/two': { version: '1.0.1', integrity: 'c' },
    'node_modules/one': undefined,
  };
  await write('package-lock.json', JSON.stringify({ packages }));
}

/** A version of the project with a workspace that has its own package. */
async function lockWorkspace(): Promise<void> {
  const packages = {
    ...allPackages,
    part: {},
    'node_modules/part': { link: true, resolved: 'part' },
    'part/node_modules/two': { version: '2.0.0', integrity: 'd' },
  };
  await write('package-lock.json', JSON.stringify({ packages }));
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(project, path, '..'), { recursive: true });
  await writeFile(join(project, path), text);
}

function launch(
  words: readonly string[],
  node = process.execPath,
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(node, [join(project, 'recodery.mjs'), ...words], {
    cwd: project,
    env: {
      PATH: '/usr/bin:/bin',
      npm_execpath: join(project, 'npm/npm-cli.js'),
      npm_node_execpath: process.execPath,
      NEW_NODE: process.execPath,
      PROJECT: project,
      ...more,
    },
  });
}

async function run(words: readonly string[], node?: string, more?: NodeJS.ProcessEnv) {
  const child = launch(words, node, more);
  let out = '';
  let complaint = '';
  child.stdout?.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, complaint };
}

async function npmCalls(): Promise<readonly string[]> {
  const file = join(project, 'npm-calls');
  return existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n') : [];
}

/** Sends SIGUSR1 to the launcher and to its program, and expects that neither opens Node's inspector. */
async function expectNoInspector(node: string): Promise<void> {
  const child = launch(['wait'], node);
  let complaint = '';
  child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const id = Number(/waiting (\d+)/.exec(said.toString())?.[1]);
  child.kill('SIGUSR1');
  process.kill(id, 'SIGUSR1');
  // an inspector would have opened, and reported it, before the program has responded this often
  for (let answers = 0; answers < 50; answers += 1) {
    process.kill(id, 'SIGUSR2');
    await once(child.stdout ?? child, 'data');
  }
  child.kill('SIGTERM');
  expect((await once(child, 'close'))[0]).toBe(7);
  expect(complaint).not.toContain('Debugger');
}

describe('the launcher', () => {
  // promise d3.start.installs
  it('installs the product only, once, reports it on stderr, and forwards arguments and exit code', async () => {
    const first = await run(['fail', '--x']);
    expect(first.code).toBe(3);
    expect(JSON.parse(first.out)).toEqual({ words: ['fail', '--x'], setting: null });
    expect(first.complaint).toContain('installing packages');
    expect(first.complaint).toContain('chatter of npm');
    expect(await run(['ok'])).toMatchObject({ code: 0, complaint: '' });
    expect(await npmCalls()).toEqual(['ci --omit=dev']);
  });

  it('installs everything for the tools, which is then enough for the product too', async () => {
    expect((await run(['--tool', 'check'])).code).toBe(5);
    expect((await run(['ok'])).code).toBe(0);
    expect(await npmCalls()).toEqual(['ci --include=dev']);
  });

  it('adds what the tools need to an installed product', async () => {
    await run(['ok']);
    await run(['--tool', 'check']);
    expect(await npmCalls()).toEqual(['ci --omit=dev', 'ci --include=dev']);
  });

  it('installs again when the lock file has changed', async () => {
    await run(['ok']);
    await changeLock();
    await run(['ok']);
    expect(await npmCalls()).toHaveLength(2);
    expect((await run(['ok'])).complaint).toBe('');
    expect(existsSync(join(project, 'node_modules/one'))).toBe(false);
    expect(existsSync(join(project, 'node_modules/two'))).toBe(true);
  });

  it('keeps the development tools when it installs for the product', async () => {
    await run(['--tool', 'check']);
    await changeLock();
    await run(['ok']);
    expect(await npmCalls()).toEqual(['ci --include=dev', 'ci --include=dev']);
    expect(existsSync(join(project, 'node_modules/for-tests'))).toBe(true);
  });

  it('leaves the installation unchanged when the registry becomes unreachable midway', async () => {
    await run(['ok']);
    const before = await readFile(join(project, 'package-lock.json'), 'utf8');
    await changeLock();
    await write('registry-is-down', '');
    const failed = await run(['ok']);
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.complaint).toContain('installed before are unchanged');
    await write('package-lock.json', before);
    expect(await run(['ok'])).toMatchObject({ code: 0, complaint: '' });
    expect(await readdir(join(project, '.launcher'))).toEqual(['compile-cache']);
  });

  it('restores the previous packages when the new ones cannot be put in place', async () => {
    await run(['ok']);
    const before = await readFile(join(project, 'package-lock.json'), 'utf8');
    await lockWorkspace();
    await write('part', 'a file, where the workspace should be');
    const failed = await run(['ok']);
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.complaint).toContain('could not put the packages in place');
    await write('package-lock.json', before);
    expect(await run(['ok'])).toMatchObject({ code: 0, complaint: '' });
  });

  it('restores the previous packages when a start is killed while it replaces them', async () => {
    await lockWorkspace();
    await write('part/package.json', '{}');
    await run(['ok']);
    const replaced = join(project, '.launcher/replaced');
    await mkdir(join(replaced, 'part'), { recursive: true });
    await rename(join(project, 'node_modules'), join(replaced, 'node_modules'));
    await rename(join(project, 'part/node_modules'), join(replaced, 'part/node_modules'));
    // of the new version, already in place
    await write('part/node_modules/three/package.json', '{}');
    await write('registry-is-down', '');
    const next = await run(['ok']);
    expect(next).toMatchObject({ code: 0, complaint: '' });
    expect(await npmCalls()).toHaveLength(1);
    expect(await readdir(join(project, 'part/node_modules'))).toEqual(['two']);
  });

  it.runIf(otherDisk !== undefined)('installs in place if folders cannot be moved', async () => {
    await run(['ok']);
    const elsewhere = await mkdtemp(join(otherDisk ?? '', 'recodery-launch-'));
    try {
      await rm(join(project, '.launcher'), { recursive: true });
      await symlink(elsewhere, join(project, '.launcher'));
      await changeLock();
      expect((await run(['ok'])).code).toBe(0);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
    expect(await npmCalls()).toEqual(['ci --omit=dev', 'ci --omit=dev', 'install --omit=dev']);
    expect(existsSync(join(project, 'node_modules/two'))).toBe(true);
  });

  it('installs the packages of the workspaces, and links to their own folders', async () => {
    await write('part/package.json', '{}');
    await lockWorkspace();
    expect((await run(['ok'])).code).toBe(0);
    expect(existsSync(join(project, 'part/node_modules/two/package.json'))).toBe(true);
    expect(await realpath(join(project, 'node_modules/part'))).toBe(
      await realpath(join(project, 'part')),
    );
    expect((await run(['ok'])).complaint).toBe('');
    expect(await npmCalls()).toHaveLength(1);
  });

  it('installs again when a package is missing', async () => {
    await run(['ok']);
    await rm(join(project, 'node_modules/one'), { recursive: true });
    expect((await run(['ok'])).complaint).toContain('installing packages');
    expect((await run(['ok'])).complaint).toBe('');
  });

  // promise d3.start.no-home
  it.each([
    ['an existing home folder', tmpdir(), 'undefined'],
    ['none', '/nonexistent', '.launcher/npm-cache'],
  ])('gives npm a cache that it can write to, with %s', async (_, HOME, cache) => {
    expect((await run(['migrate'], undefined, { HOME })).code).toBe(0);
    const caches = await readFile(join(project, 'npm-caches'), 'utf8');
    expect(caches.replace(`${await realpath(project)}/`, '')).toBe(`${cache}\n`);
  });

  it('installs once when several start together', async () => {
    const answers = await Promise.all([run(['ok']), run(['ok']), run(['ok'])]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('takes over from a process that died while it was installing', async () => {
    await write('.launcher/lock', '1234 dead');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(project, '.launcher/lock'), longAgo, longAgo);
    expect((await run(['ok'])).code).toBe(0);
    expect(existsSync(join(project, '.launcher/lock'))).toBe(false);
  });

  it('reports that the registry is down, runs nothing, and tries again the next time', async () => {
    await write('registry-is-down', '');
    expect(await run(['ok'])).toMatchObject({ code: 1, out: '' });
    await rm(join(project, 'registry-is-down'));
    expect((await run(['ok'])).code).toBe(0);
  });

  it('reads .env for the product; environment variables take precedence', async () => {
    await write('.env', 'RECODERY_PORT=9000\n');
    expect(JSON.parse((await run(['ok'])).out).setting).toBe('9000');
  });

  it('keeps the compile cache for the next start, until packages are installed', async () => {
    await run(['ok']);
    const cache = join(project, '.launcher/compile-cache');
    expect(await readdir(cache)).not.toEqual([]);
    await write('.launcher/compile-cache/old', '');
    await changeLock();
    await run(['ok']);
    expect(await readdir(cache)).not.toContain('old');
  });

  it('starts if the compile cache cannot be written', async () => {
    await run(['ok']);
    await rm(join(project, '.launcher/compile-cache'), { recursive: true, force: true });
    await write('.launcher/compile-cache', 'a file, where the folder should be');
    expect(await run(['ok'])).toMatchObject({ code: 0, complaint: '' });
  });

  it('opens no inspector when it receives SIGUSR1', async () => {
    await run(['ok']);
    await expectNoInspector(process.execPath);
  });

  // promise d3.start.old-node
  it.each(['18.19.1', '9.11.2'])('refuses Node %s before it installs anything', async (version) => {
    const pretended = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const options = `--import=data:text/javascript,${encodeURIComponent(pretended)}`;
    expect(await run(['doctor'], undefined, { NODE_OPTIONS: options })).toEqual({
      code: 1,
      out: '',
      complaint: `recodery: this is Node ${version}, and Recodery needs Node 20 or later. Install a newer one, for example from https://nodejs.org.\n`,
    });
    expect(await npmCalls()).toEqual([]);
  });

  it('refuses a tool other than its own', async () => {
    expect(await run(['--tool', 'cook'])).toMatchObject({ code: 2, out: '' });
  });
});

/** A Node on this machine that is too old for the program, as on a fresh machine. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const major = Number(
    /^v(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1],
  );
  return major >= 20 && major < 24;
});

describe.runIf(oldNode !== undefined)('the launcher with an old Node', () => {
  it('runs the program with the new one, with its exit code and stdout', async () => {
    const answer = await run(['fail'], oldNode);
    expect(answer.code).toBe(3);
    expect(JSON.parse(answer.out)).toMatchObject({ words: ['fail'] });
  });

  it('opens no inspector when it receives SIGUSR1, and neither does the program', async () => {
    await run(['ok']);
    await expectNoInspector(oldNode ?? '');
  });

  it('forwards SIGTERM and exits as the program does', async () => {
    await run(['ok']);
    const child = launch(['wait'], oldNode);
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    expect((await once(child, 'close'))[0]).toBe(7);
  });

  it('stops the program when it is killed', async () => {
    await run(['ok']);
    const child = launch(['wait'], oldNode);
    let complaint = '';
    child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
    child.stdout?.once('data', () => child.kill('SIGKILL'));
    // The streams close when the last process that uses them has exited.
    await once(child, 'close');
    expect(complaint).toContain('launcher is gone');
  });
});
