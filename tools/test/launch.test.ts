/** The launcher, in a small project of its own with an npm that only pretends: what it installs, builds, runs and passes on. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../..');
let project: string;

/** Pretends to install: notes its words, and writes down what npm would. */
const pretendingNpm = `
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
appendFileSync('npm-calls', process.argv.slice(2).filter((word) => !/^--(no|ignore|loglevel)/.test(word)).join(' ') + '\\n');
console.log('chatter of npm');
await new Promise((done) => setTimeout(done, 400));
if (existsSync('registry-is-down')) process.exit(1);
mkdirSync('node_modules/node-linux-' + process.arch + '/bin', { recursive: true });
const node = 'node_modules/node-linux-' + process.arch + '/bin/node';
if (!existsSync(node)) symlinkSync(process.env.NEW_NODE, node);
const isProduct = process.argv.includes('--omit=dev');
const packages = Object.keys(JSON.parse(readFileSync(isProduct ? 'product-lock.json' : 'package-lock.json', 'utf8')).packages);
for (const path of packages) {
  mkdirSync(path, { recursive: true });
  writeFileSync(path + '/package.json', '{}');
}
cpSync(isProduct ? 'product-lock.json' : 'package-lock.json', 'node_modules/.package-lock.json');
`;

const productPackages = {
  'node_modules/one': { version: '1.0.0', integrity: 'a' },
};
const allPackages = {
  ...productPackages,
  'node_modules/for-tests': { version: '1.0.0', integrity: 'b', dev: true },
};

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'recodery-launch-'));
  await cp(join(source, 'recodery.mjs'), join(project, 'recodery.mjs'));
  await cp(join(source, 'tools/launch'), join(project, 'tools/launch'), { recursive: true });
  await mkdir(join(project, 'server/src'), { recursive: true });
  await write('package.json', '{"type":"module"}');
  await write('package-lock.json', JSON.stringify({ packages: allPackages }));
  await write('product-lock.json', JSON.stringify({ packages: productPackages }));
  await write('npm/npm-cli.js', pretendingNpm);
  await write(
    'server/src/main.ts',
    `export async function main(words: string[]): Promise<void> {
      if (words[0] === 'wait') {
        process.once('SIGTERM', () => { console.log('told to stop'); process.exit(7); });
        process.once('disconnect', () => { console.error('launcher is gone'); process.exit(8); });
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

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(project, path, '..'), { recursive: true });
  await writeFile(join(project, path), text);
}

function launch(words: readonly string[], node = process.execPath): ChildProcess {
  return spawn(node, [join(project, 'recodery.mjs'), ...words], {
    cwd: project,
    env: {
      PATH: '/usr/bin:/bin',
      npm_execpath: join(project, 'npm/npm-cli.js'),
      npm_node_execpath: process.execPath,
      NEW_NODE: process.execPath,
    },
  });
}

async function run(words: readonly string[], node?: string) {
  const child = launch(words, node);
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

describe('the launcher', () => {
  it('installs the product alone, once, says so on stderr, and gives words and exit code through', async () => {
    const first = await run(['fail', '--x']);
    expect(first.code).toBe(3);
    expect(JSON.parse(first.out)).toEqual({ words: ['fail', '--x'], setting: null });
    expect(first.complaint).toContain('installing packages');
    expect(first.complaint).toContain('chatter of npm');
    expect(await run(['ok'])).toMatchObject({ code: 0, complaint: '' });
    expect(await npmCalls()).toEqual(['install --omit=dev']);
  });

  it('installs everything for the tools, which then does for the product too', async () => {
    expect((await run(['--tool', 'check'])).code).toBe(5);
    expect((await run(['ok'])).code).toBe(0);
    expect(await npmCalls()).toEqual(['install']);
  });

  it('adds what the tools need to an installed product', async () => {
    await run(['ok']);
    await run(['--tool', 'check']);
    expect(await npmCalls()).toEqual(['install --omit=dev', 'install']);
  });

  it('installs anew when the lock has changed', async () => {
    await run(['ok']);
    const changed = { 'node_modules/one': { version: '1.0.1', integrity: 'c' } };
    await write('package-lock.json', JSON.stringify({ packages: changed }));
    await write('product-lock.json', JSON.stringify({ packages: changed }));
    await run(['ok']);
    expect(await npmCalls()).toHaveLength(2);
    expect((await run(['ok'])).complaint).toBe('');
  });

  it('installs anew when a package has gone', async () => {
    await run(['ok']);
    await rm(join(project, 'node_modules/one'), { recursive: true });
    expect((await run(['ok'])).complaint).toContain('installing packages');
    expect((await run(['ok'])).complaint).toBe('');
  });

  it('installs once when several start together', async () => {
    const answers = await Promise.all([run(['ok']), run(['ok']), run(['ok'])]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('takes over from one that died while it installed', async () => {
    await write('.launcher/lock', '1234 dead');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(project, '.launcher/lock'), longAgo, longAgo);
    expect((await run(['ok'])).code).toBe(0);
    expect(existsSync(join(project, '.launcher/lock'))).toBe(false);
  });

  it('says that the registry is down, runs nothing, and tries again the next time', async () => {
    await write('registry-is-down', '');
    expect(await run(['ok'])).toMatchObject({ code: 1, out: '' });
    await rm(join(project, 'registry-is-down'));
    expect((await run(['ok'])).code).toBe(0);
  });

  it('reads .env for the product, below the environment', async () => {
    await write('.env', 'RECODERY_PORT=9000\n');
    expect(JSON.parse((await run(['ok'])).out).setting).toBe('9000');
  });

  it('knows no other tool than its own', async () => {
    expect(await run(['--tool', 'cook'])).toMatchObject({ code: 2, out: '' });
  });
});

/** A Node on this machine that is too old for the program, as a fresh machine has it. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const major = Number(
    /^v(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1],
  );
  return major >= 20 && major < 24;
});

describe.runIf(oldNode !== undefined)('the launcher under an old Node', () => {
  it('runs the program under the new one, with its exit code and stdout', async () => {
    const answer = await run(['fail'], oldNode);
    expect(answer.code).toBe(3);
    expect(JSON.parse(answer.out)).toMatchObject({ words: ['fail'] });
  });

  it('passes SIGTERM on and ends as the program does', async () => {
    await run(['ok']);
    const child = launch(['wait'], oldNode);
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    expect((await once(child, 'close'))[0]).toBe(7);
  });

  it('takes the program along when it is killed', async () => {
    await run(['ok']);
    const child = launch(['wait'], oldNode);
    let complaint = '';
    child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
    child.stdout?.once('data', () => child.kill('SIGKILL'));
    // The streams close when the last process that holds them has ended.
    await once(child, 'close');
    expect(complaint).toContain('launcher is gone');
  });
});
