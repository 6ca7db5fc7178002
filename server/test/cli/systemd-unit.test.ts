/** The systemd unit in the documentation: systemd accepts it, it is hardened, and engines still get their namespaces. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noIsolation } from '../../src/engine/built-in/isolation.ts';
import { makeSandboxCommand } from '../../src/engine/built-in/sandbox-command.ts';

const source = join(import.meta.dirname, '../../../docs/systemd/recodery.service');
const version = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '';
/** The first version with `security --offline`. */
const hasSystemd = Number(/^systemd (\d+)/.exec(version)?.[1] ?? 0) >= 250;

let unit: string;
let folder: string;
beforeAll(async () => {
  unit = await readFile(source, 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'recodery-unit-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(!hasSystemd)('with systemd-analyze', () => {
  async function analyze(text: string, ...words: readonly string[]) {
    const file = join(folder, 'recodery.service');
    // systemd looks for the program, which is somewhere else on this machine
    await writeFile(file, text.replace('/usr/bin/node', process.execPath));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, file], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  // promise d3.care.service
  test('systemd accepts every line of the unit', async () => {
    const check = (text: string) => analyze(text, 'verify', '--man=no');
    expect(await check(unit)).toEqual({ status: 0, stdout: '', stderr: '' });
    const misspelt = unit.replace('NoNewPrivileges=', 'NoNewPrivilege=');
    expect((await check(misspelt)).stderr).toContain('NoNewPrivilege');
  });

  test('the exposure of the service is below 2, as documented', async () => {
    // 1.9 with systemd 252; other versions rate other options
    const rate = (text: string) => analyze(text, 'security', '--offline=true', '--threshold=19');
    expect(await rate(unit)).toMatchObject({ status: 0 });
    const open = unit.replace('CapabilityBoundingSet=', '').replace('ProtectSystem=strict', '');
    expect((await rate(open)).status).not.toBe(0);
  });
});

/** The names of systemd for the namespaces in options of bwrap and unshare. */
const namespaces: Readonly<Record<string, string>> = {
  '--unshare-user': 'user',
  '--map-root-user': 'user',
  '--mount': 'mnt',
  '--unshare-pid': 'pid',
  '--pid': 'pid',
  '--unshare-net': 'net',
  '--net': 'net',
  '--unshare-ipc': 'ipc',
  '--ipc': 'ipc',
};

test.each(['bwrap', 'unshare'] as const)(
  'the unit lets %s create every namespace of an engine',
  (tool) => {
    const isolation = { ...noIsolation, namespaces: tool };
    const command = makeSandboxCommand({ isolation, account: null, readable: [], folder });
    const asked = command.filter((word) =>
      /^--(unshare-|map-|mount$|pid$|net$|ipc$|uts$|cgroup$)/.test(word),
    );
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((word) => !(word in namespaces))).toEqual([]);
    const allowed = /^RestrictNamespaces=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    // both mount in the new namespaces
    for (const needed of ['mnt', ...asked.map((word) => namespaces[word])])
      expect(allowed).toContain(needed);
    expect(unit).toMatch(/^SystemCallFilter=.*@mount/m);
  },
);

test('the unit lets the service reach every address except those of the local link and of groups', () => {
  const allowed = [...unit.matchAll(/^IPAddressAllow=(.*)$/gm)]
    .flatMap(([, list = '']) => list.split(' '))
    .map((range) => ipaddr.parseCIDR(range));
  const isAllowed = (text: string): boolean => {
    const address = ipaddr.parse(text);
    return allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
  const near = ['127.0.0.1', '127.0.0.53', '10.0.0.1', '172.17.0.2', '192.168.1.1', '100.64.0.1'];
  const far = ['1.1.1.1', '169.253.255.255', '169.255.0.0', '203.0.113.5', '223.255.255.255'];
  const six = ['::1', '2001:db8::1', 'fd00::1', '64:ff9b::c000:201'];
  expect([...near, ...far, ...six].filter((address) => !isAllowed(address))).toEqual([]);
  const metadata = ['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::a9fe:a9fe'];
  const groups = ['0.0.0.0', '224.0.0.251', '255.255.255.255', 'ff02::fb'];
  expect([...metadata, ...groups].filter(isAllowed)).toEqual([]);
});
