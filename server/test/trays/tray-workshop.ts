/** A workshop that decodes many files at once: the shared steps of the tests of trays. */
import { createHash } from 'node:crypto';
import { generateImage } from '@recodery/codec/sample-images/images';
import type { Workflow } from '@recodery/contract/families/registry';
import {
  type NewTrayFile,
  type Tray,
  tray as trayShape,
  type TrayFile,
} from '@recodery/contract/features/trays';
import { afterAll, expect } from 'vitest';
import type { Answer } from '../fixtures/client.ts';
import { readZip } from '../fixtures/read-zip.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal } from '../journeys/families/component-workflow.ts';
import { protocolOf, sealImage, started } from '../journeys/families/kessv2-workflow.ts';

export interface Dropped extends NewTrayFile {
  readonly bytes: Uint8Array;
}

export function dropped(name: string, bytes: Uint8Array, workflow: Workflow | null): Dropped {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, bytes, size: bytes.length, sha256, workflow, error: null };
}

export const image = (seed: number) => generateImage(protocolOf(9000), 'obd', seed, 4096);

export const announced = (files: readonly Dropped[]): readonly NewTrayFile[] =>
  files.map(({ name, size, sha256, workflow, error }) => ({ name, size, sha256, workflow, error }));

export const codeOf = ({ status, text }: Answer) => `${status} ${text}`;

export async function startTrays() {
  const portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '3' });
  afterAll(() => portal.stop());
  const anna = await portal.signIn('anna@demo.test');
  const mia = await portal.signIn('mia@demo.test');
  /** A KESSv2 read of open firmware. */
  async function readOf(seed: number, name = `car-${seed}.k2r`): Promise<Dropped> {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    return dropped(name, sealImage(slave, 9000, image(seed)), 'kessv2');
  }
  /** A backup of two components. */
  async function backupOf(family: 'ktag' | 'kess3', serial: string): Promise<Dropped> {
    const images = imagesOf(9000, 3, { flash: 4096, eeprom: 1024 });
    const read = { protocolId: 9000, mode: 'bootbench', images } as const;
    return dropped(`${family}.bkp`, seal(await portal.getSlave(family, serial), read), family);
  }
  async function add(files: readonly Dropped[], client = anna): Promise<Tray> {
    const answer = await client.post('/api/trays', { files: announced(files) });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return trayShape.parse(answer.json);
  }
  async function get({ guid }: Pick<Tray, 'guid'>): Promise<Tray> {
    return trayShape.parse((await anna.get(`/api/trays/${guid}`)).json);
  }
  function upload(tray: Tray, file: TrayFile | undefined, { bytes, name }: Dropped, by = anna) {
    const path = `/api/trays/${tray.guid}/files/${file?.guid}`;
    return by.upload('POST', path, { field: 'readFile', bytes, name });
  }
  /** Decodes the files of a new tray, one after another. */
  async function decodeAll(files: readonly Dropped[]): Promise<Tray> {
    const tray = await add(files);
    for (const [index, file] of files.entries())
      await anna.follow(started(await upload(tray, tray.files[index], file)));
    return get(tray);
  }
  async function fetchZip(tray: Tray, fileType: string) {
    const { json } = await anna.post(`/api/trays/${tray.guid}/ticket`, { fileType });
    const answer = await fetch(new URL((json as { url: string }).url, portal.url));
    expect(answer.status).toBe(200);
    const bytes = await answer.bytes();
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
    const all = readZip(bytes);
    const { ['manifest.txt']: manifest, ...files } = Object.fromEntries(all);
    return { manifest: new TextDecoder().decode(manifest), files };
  }
  return { portal, anna, mia, readOf, backupOf, add, get, upload, decodeAll, fetchZip };
}
