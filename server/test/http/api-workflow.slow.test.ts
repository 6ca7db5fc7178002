/** The commands on the API page, extracted from the page and run in a shell: they work as documented. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { acceptEncoded } from '@recodery/codec/simulator/slave';
import { sessionHeader } from '@recodery/contract/headers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { readSlaveKey } from '../../src/organisations/slave-key.ts';
import { type RunningPortal, startPortal } from '../../src/portal.ts';
import { startWorker } from '../../src/worker.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

const hasCurl = spawnSync('sh', ['-c', 'curl --version']).status === 0;

let platform: TestPlatform;
let worker: Awaited<ReturnType<typeof startWorker>>;
let portal: RunningPortal;
let folder = '';
beforeAll(async () => {
  const port = await freePort();
  platform = await createTestPlatform({
    RECODERY_PUBLIC_URL: `http://localhost:${port}`,
    RECODERY_ENGINES: '1',
  });
  worker = await startWorker(platform);
  portal = await startPortal(platform, port);
  folder = await mkdtemp(join(tmpdir(), 'recodery-commands-'));
  await cp(join(platform.config.dataDir, 'demo/samples/kessv2'), folder, { recursive: true });
});
afterAll(async () => {
  await portal?.stop();
  await worker?.stop();
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** The commands of the page, as a reader copies them. */
async function copyCommands(): Promise<string[]> {
  const page = await (await fetch(`${platform.config.publicUrl}/api/docs`)).text();
  return [...page.matchAll(/<code class="command">([^<]+)<\/code>/g)].map(([, text = '']) =>
    Object.entries(entities).reduce((read, [entity, sign]) => read.replaceAll(entity, sign), text),
  );
}

async function onlyFile(ending: string): Promise<Buffer> {
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith('KESSv2_') && name.endsWith(ending),
  );
  expect(names).toHaveLength(1);
  return readFile(join(folder, names[0] ?? ''));
}

// promise d4.public.docs-commands
test.skipIf(!hasCurl)(
  'the commands on the API page turn a read file into one that the slave accepts',
  async () => {
    const commands = await copyCommands();
    expect(commands).toHaveLength(9);
    const script = [...commands, 'printf "session %s" "$session"'].join('\n');
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], { cwd: folder });
    expect(await onlyFile('.bin')).toHaveLength(524_288);
    const demo = join(platform.config.dataDir, 'demo');
    const key = await readFile(join(demo, 'keys/KV2-000007.json'), 'utf8');
    const slave = readSlaveKey(key);
    if (slave === null) throw new Error('the demo has no such key');
    const { components } = acceptEncoded({ ...slave, file: await onlyFile('.moc') });
    const modified = await readFile(join(folder, 'read-1001-modified.bin'));
    const [flashed] = components;
    expect(flashed?.bytes).toHaveLength(modified.length);
    // the last command has signed out
    const session = /session (\S+)$/.exec(stdout)?.[1] ?? '';
    expect(session.length).toBeGreaterThan(30);
    const answer = await fetch(`${platform.config.publicUrl}/api/kessv2`, {
      headers: { [sessionHeader]: session },
    });
    expect(answer.status).toBe(401);
  },
);
