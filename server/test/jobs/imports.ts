/** What tests of the import share: jobs to export, their export, and the import of one of them. */
import { expect } from 'vitest';
import { uploadPrefix } from '../../src/http/file-transfer.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Answer, Client } from '../fixtures/client.ts';
import { readZip } from '../fixtures/read-zip.ts';
import type { RunningPortal } from '../fixtures/running-portal.ts';
import { decode, encode, keepImage, sealImage } from '../journeys/families/kessv2-workflow.ts';

export interface File {
  readonly role: string;
  readonly component: string | null;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly createdOn: string;
  readonly path: string | null;
}
export interface Exported {
  readonly guid: string;
  readonly createdOn: string;
  readonly files: readonly File[];
  readonly [key: string]: unknown;
}
export interface ImportOutcome {
  readonly outcome: string;
  readonly slotGUID: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

const roles = ['read', 'modified', 'original', 'encoded'];

export async function exportJobs({ url: base }: RunningPortal, client: Client) {
  const { url } = (await client.post('/api/jobs-export/ticket')).json as { url: string };
  const zip = readZip(await (await fetch(new URL(url, base))).bytes());
  const manifest = JSON.parse(new TextDecoder().decode(zip.get('manifest.json'))) as {
    readonly format: string;
    readonly jobs: readonly Exported[];
  };
  return { zip, manifest };
}

/** A job as the page sends it: a line, then the files. */
export function bodyOf(job: Exported, zip: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files = job.files.filter(({ role, path }) => roles.includes(role) && path !== null);
  const line = `${JSON.stringify({ ...job, files })}\n`;
  return Buffer.concat([
    Buffer.from(line),
    ...files.map(({ path }) => zip.get(path ?? '') ?? Buffer.of()),
  ]);
}

export const send = (client: Client, bytes: Uint8Array): Promise<Answer> =>
  client.upload('POST', '/api/jobs-import', { field: 'job', bytes, name: 'job' });

export async function importBytes(client: Client, bytes: Uint8Array): Promise<ImportOutcome> {
  let answer = await send(client, bytes);
  // the decodes of earlier imports
  await expect
    .poll(async () => {
      if (answer.status === 429) answer = await send(client, bytes);
      return answer.status;
    })
    .not.toBe(429);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as ImportOutcome;
}

export interface JobView {
  readonly decodeOperationGUID: string | null;
  readonly note: string | null;
  readonly plate: string | null;
  readonly vin: string | null;
  readonly createdOn: string;
  readonly isKept: boolean;
  readonly files: readonly {
    fileGUID: string;
    role: string;
    sha256: string;
    name: string;
    createdOn: string;
  }[];
}
export async function decodedJob(client: Client, slot: string): Promise<JobView> {
  const read = async () => (await client.get(`/api/jobs/${slot}`)).json as JobView;
  await expect.poll(async () => (await read()).decodeOperationGUID).not.toBeNull();
  return read();
}

/** A job with a note, a modified file and an encoded one. */
export async function makeJob(
  portal: RunningPortal,
  client: Client,
  image: Uint8Array,
): Promise<string> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const { kessv2SlotGUID: slot } = await decode(
    client,
    sealImage(slave, 9000, image),
    'müller.tfc',
  );
  const { fileGUID } = await keepImage(client, 'modified', slot, image.toReversed());
  await encode(client, { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID }, 'encode-file');
  await client.put(`/api/jobs/${slot}/note`, { note: 'Ask "twice"\n世界' });
  await client.put(`/api/jobs/${slot}/vehicle`, { plate: 'MI 1', customerLabel: 'Rossi' });
  await client.put(`/api/jobs/${slot}/keep`, { isKept: true });
  return slot;
}

export const jobsOf = async (client: Client) =>
  (await client.get('/api/jobs')).json as { slotGUID: string; createdOn: string }[];
export const deleteAll = async (client: Client): Promise<void> => {
  for (const { slotGUID } of await jobsOf(client)) {
    const remove = () => client.delete(`/api/jobs/${slotGUID}`);
    await expect.poll(async () => (await remove()).status).not.toBe(400);
  }
};
/** The files in the storage that no row of a job that is there names. */
export async function strays(portal: RunningPortal): Promise<readonly string[]> {
  const { storage } = await openStorage(portal.platform.config);
  const keys: string[] = [];
  for await (const { key } of storage.list(`${uploadPrefix}/`)) keys.push(key);
  const rows = await portal.platform.db
    .selectFrom('stored_file')
    .select('storage_key')
    .where('deleted_on', 'is', null)
    .execute();
  const used = new Set(rows.map(({ storage_key }) => storage_key));
  return keys.filter((key) => !used.has(key));
}
