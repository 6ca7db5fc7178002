/** The doubles of makers' services in the demo: their samples decode and encode, and no other portal serves them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { containerFamilies, containerOf, definitionOf } from '@recodery/contract/families/registry';
import { doubleName, isDouble } from '@recodery/contract/features/demo-doubles';
import type { EncodeResult } from '@recodery/contract/results';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoSlaveOf, openDoubles } from '../../src/demo/demo-doubles.ts';
import { allMakes, makes } from '../../src/demo/doubles/makes.ts';
import {
  listConnections,
  moveConnection,
  saveConnection,
} from '../../src/engine-connections/engine-connections.ts';
import { isConnectionName } from '../../src/engine-connections/read-connection.ts';
import { startPortal } from '../../src/portal.ts';
import { fill, textsByLocale } from '../../src/texts/texts.ts';
import { type MailServer, sharePathIn, startMailServer } from '../email/mail-server.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { shareEngines } from '../fixtures/shared-engines.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { encodeEnd, keep } from '../engine/encoding-api/vendor-workflow.ts';

test('each double belongs to its own family, and its serial numbers to no other', () => {
  expect(Object.keys(makes)).toEqual(allMakes.map(({ family }) => family));
  const containers = containerFamilies.map((family) => containerOf(family).demoSlave.slice(0, 3));
  const prefixes = [...allMakes.map(({ prefix }) => prefix), ...containers];
  expect(prefixes.toSorted()).toEqual([...new Set(prefixes)].toSorted());
});

describe('in demo mode,', () => {
  let portal: RunningPortal;
  let emma: Client;
  let mails: MailServer;

  beforeAll(async () => {
    mails = await startMailServer();
    portal = await startTestPortal(
      {
        ...{ RECODERY_DEMO: 'on', RECODERY_SMTP_URL: mails.url },
        RECODERY_MAIL_FROM: 'p@demo.test',
      },
      true,
    );
    emma = await portal.signIn('emma@demo.test');
  });
  afterAll(async () => {
    await portal?.stop();
    await mails?.stop();
  });

  // promise d3.demo.doubles
  test.each(allMakes)('the samples of $family are decoded and encoded', async (make) => {
    const { family } = make;
    const folder = join(portal.platform.config.dataDir, 'demo/samples', family);
    const { readFileExtension = '', modes } = definitionOf(family);
    const read = (name: string) => readFile(join(folder, name));
    const upload = { field: 'readFile', bytes: await read(`read${readFileExtension}`), name: 'r' };
    const path = `/api/${family}/upload-read-file`;
    const decoded = await emma.follow(started(await emma.upload('POST', path, upload)));
    const slotGUID = decoded.slotGUID ?? '';
    const image = await read('read-modified.bin');
    const guid = await keep(
      emma,
      `/api/${family}/upload-modified-file/${slotGUID}/image`,
      'file',
      image,
    );
    const notificationInfo = { email: 'x@y.test', message: null, isPrivate: true };
    const body = { slotGUID, files: { image: guid }, notificationInfo };
    const { result } = await encodeEnd(emma, `/api/${family}/encode-file`, body);
    const { encodedFileURL, receiptCode } = result as EncodeResult;
    const { bytes } = await emma.get(encodedFileURL);
    expect(make.open(bytes)).toEqual({ slave: demoSlaveOf(make), image });

    const fetchText = async (at: string) => (await fetch(new URL(at, portal.url))).text();
    const mail = await mails.next();
    const parts = [
      mail.part('text/plain'),
      mail.part('text/html'),
      await fetchText(sharePathIn(mail)),
      await fetchText(`/receipts/${receiptCode}?language=en-US`),
    ];
    const notes = [...textsByLocale.values()].map((texts) =>
      fill(texts.doubleNote, definitionOf(family).name),
    );
    expect(parts.map((part) => notes.some((note) => part.includes(note)))).toEqual(
      parts.map(() => true),
    );
    const check = await emma.post('/api/receipts/check', { code: receiptCode });
    expect(check.json).toMatchObject({ check: 'found', content: { isDouble: true } });
    expect((await emma.get(`/api/jobs/${slotGUID}`)).json).toMatchObject({ isDouble: true });

    const names = await readdir(folder);
    const memories = names.filter((name) => name.startsWith('read-memories'));
    expect(memories).toHaveLength(modes.bootbench === undefined ? 0 : 1);
    for (const name of memories) {
      const file = { field: 'readFile', bytes: await read(name), name };
      const several = await emma.follow(started(await emma.upload('POST', path, file)));
      expect(several).toMatchObject({
        result: { components: [{ type: 'int_flash' }, { type: 'ext_eeprom' }] },
      });
    }
  });

  test('the entry of each family names its engine as a double', async () => {
    for (const { family } of allMakes) {
      const { json } = await emma.get(`/api/${family}`);
      const { engine } = json as { readonly engine: { readonly name: string } };
      expect(engine.name).toBe(`demo double of ${definitionOf(family).name}`);
      expect(isDouble(engine.name)).toBe(true);
    }
    const own = (await emma.get('/api/kess3')).json as { readonly engine: { name: string } };
    expect(isDouble(own.engine.name)).toBe(false);
  });

  test('another organization has none of the families', async () => {
    const anna = await portal.signIn('anna@demo.test');
    for (const { family } of allMakes) expect((await anna.get(`/api/${family}`)).status).toBe(403);
  });

  // promise d3.demo.doubles
  test('they listen on loopback only', async () => {
    for (const { url } of await listConnections(portal.platform.db))
      expect(new URL(url).hostname).toBe('127.0.0.1');
  });

  // the last one: its portal has no engines afterwards
  test('a stopped demo leaves no address, and moves no connection that an operator has changed', async () => {
    const { db, secrets } = portal.platform;
    const doubles = await openDoubles(db, secrets);
    const [first, second] = await listConnections(db);
    if (first === undefined || second === undefined) throw new Error('there are no doubles');
    await moveConnection(db, first, 'https://engine.example');
    await saveConnection({ db, secrets }, second, 'a secret of an operator');
    await doubles.stop();
    const [own, changed, ...others] = (await listConnections(db)).map(({ url }) => url);
    expect([own, changed]).toEqual(['https://engine.example', second.url]);
    for (const url of others) expect(url).toContain('http://127.0.0.1:0/');
    await (await openDoubles(db, secrets)).stop();
    expect((await listConnections(db)).map(({ url }) => url)).toEqual([own, changed, ...others]);
  });
});

// promise d3.demo.doubles
test('outside of demo mode, no portal serves them, not even for the connections of a demo', async () => {
  const demo = await startTestPortal({ RECODERY_DEMO: 'on' }, false);
  const { platform } = demo;
  const addresses = async () => (await listConnections(platform.db)).map(({ url }) => url);
  const served = await addresses();
  expect(served).toHaveLength(allMakes.length);
  const answers = (url = '') =>
    fetch(url, { method: 'POST', body: 'x' }).then(
      () => true,
      () => false,
    );
  expect(await answers(served[0])).toBe(true);
  // the same database, as if the operator had turned the demo off
  const off = { ...platform, config: { ...platform.config, isDemo: false } };
  const portal = await startPortal(off, 0, shareEngines);
  const parked = allMakes.map(() => '0');
  const ports = async () => (await addresses()).map((url) => /:(\d+)\//.exec(url)?.[1]);
  expect(await ports()).toEqual(parked);
  await portal.stop();
  await demo.stop();
  expect(await answers(served[0])).toBe(false);

  const other = await startTestPortal({ RECODERY_DEMO: 'off' }, false);
  expect(await listConnections(other.platform.db)).toEqual([]);
  await other.stop();
});

test('an operator can give no connection the name of a double, as pages rely on it', () => {
  expect(isConnectionName(doubleName('bFlash'))).toBe(false);
  expect(isConnectionName('bFlash')).toBe(true);
});
