/** Encodes a modified image for the slave of a KESSv2 read file: `node encode.ts READ MODIFIED ENCODED`. */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

type Fields = Readonly<Record<string, string>>;
const { PORTAL = 'http://localhost:8080', CLIENT, SECRET } = process.env;
const [read = '', modified = '', encoded = ''] = process.argv.slice(2);
const headers: Record<string, string> = {};

async function call(method: string, path: string, content: object | null = null) {
  const body = content instanceof FormData ? content : content && JSON.stringify(content);
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
  const answer = await fetch(PORTAL + path, { method, headers: { ...headers, ...type }, body });
  if (answer.ok) return answer;
  throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
async function send(method: string, path: string, field: string, file: string) {
  const form = new FormData();
  form.append(field, new Blob([await readFile(file)]), file);
  return call(method, path, form);
}
async function finish(started: Response): Promise<Fields> {
  const record = (await started.json()) as Fields & { readonly result: Fields | null };
  if (record.result !== null) return record.result;
  if (record['hasFailed']) throw new Error(JSON.stringify(record['error']));
  await wait(Number(record['recommendedPollingInterval']) * 1000);
  return finish(await call('GET', `/api/async-operations/${record['guid']}`));
}

const credentials = { clientApplicationGUID: CLIENT, secretKey: SECRET };
const token = (await (
  await call('POST', '/api/access-tokens/request', credentials)
).json()) as Fields;
headers['Authorization'] = `Bearer ${token['accessToken']}`;
const decoded = await finish(await send('POST', '/api/kessv2/upload-read-file', 'readFile', read));
const slot = decoded['kessv2SlotGUID'];
const image = await send(
  'PUT',
  `/api/kessv2/upload-modified-file/${slot}`,
  'modifiedFile',
  modified,
);
const { fileGUID } = (await image.json()) as Fields;
const work = { kessv2FileSlotGUID: slot, modifiedFileGUID: fileGUID };
const result = await finish(await call('POST', '/api/kessv2/encode-file', work));
await writeFile(encoded, await (await call('GET', String(result['encodedFileURL']))).bytes());
