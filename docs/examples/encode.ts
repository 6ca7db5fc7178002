/** Encodes a modified image for the slave of a KESSv2 read file: `node encode.ts READ MODIFIED ENCODED`. */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

type Fields = Readonly<Record<string, string>>;
const { PORTAL = 'http://localhost:8080', CLIENT: clientApplicationGUID, SECRET } = process.env;
const [read = '', modified = '', encoded = ''] = process.argv.slice(2);
const headers: Record<string, string> = {};
async function call(method: string, path: string, content: object | null = null) {
  const body = content instanceof FormData ? content : content && JSON.stringify(content);
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
  const own = { ...headers, ...type, 'Idempotency-Key': crypto.randomUUID() };
  const send = () => fetch(PORTAL + path, { method, headers: own, body });
  const answer = await send().catch(send); // with the same key, no work starts twice
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
const json = async (...request: Parameters<typeof call>) =>
  (await (await call(...request)).json()) as Fields;
async function formOf(field: string, file: string): Promise<FormData> {
  const form = new FormData();
  form.append(field, new Blob([await readFile(file)]), file);
  return form;
}
async function finish(started: Fields): Promise<Fields> {
  if (started['hasFailed']) throw new Error(JSON.stringify(started['error']));
  if (started['isCompleted']) return started['result'] as unknown as Fields;
  await wait(1000 * Number(started['recommendedPollingInterval']));
  return finish(await json('GET', `/api/async-operations/${started['guid']}`));
}
const credentials = { clientApplicationGUID, secretKey: SECRET };
const { accessToken } = await json('POST', '/api/access-tokens/request', credentials);
headers['Authorization'] = `Bearer ${accessToken}`;
const sent = await json('POST', '/api/kessv2/upload-read-file', await formOf('readFile', read));
const { kessv2SlotGUID: kessv2FileSlotGUID } = await finish(sent);
const place = `/api/kessv2/upload-modified-file/${kessv2FileSlotGUID}`;
const { fileGUID } = await json('PUT', place, await formOf('modifiedFile', modified));
const work = { kessv2FileSlotGUID, modifiedFileGUID: fileGUID };
const { encodedFileURL } = await finish(await json('POST', '/api/kessv2/encode-file', work));
await writeFile(encoded, await (await call('GET', `${encodedFileURL}`)).bytes());
