/** Serves a double of a maker's stateless service: it opens and seals with one request each, and keeps nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DoubleCredentials, Make, Opened, RequestBody, WrongResponse } from './make.ts';

/** A wrong response. `changed`: the work is done, and the response is changed. */
export type Mischief =
  | 'silence'
  | WrongResponse
  | { readonly changed: (answer: Record<string, unknown>) => unknown };

/** A double that is served. Only tests give more than the make and its credentials. */
export interface Double {
  readonly make: Make;
  /** The credentials that it accepts; read for each request. */
  readonly credentials: DoubleCredentials;
  /** Called with each request before it is answered; returns the wrong response to it, if any. */
  readonly intercept?: (step: string) => Promise<Mischief | undefined>;
  /** Called with what it has sealed. */
  readonly onSealed?: (opened: Opened) => void;
}

async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const type = request.headers['content-type'] ?? '';
  if (type === 'application/json') return JSON.parse(bytes.toString()) as RequestBody;
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData();
  const fields = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()),
  ]);
  return Object.fromEntries(await Promise.all(fields)) as RequestBody;
}

/** The most bytes of a request: a large image in Base64. */
const mostBytes = 128 * 2 ** 20;

/** Opens a file. The service does not know files of others, whatever they contain. */
function openFile(make: Make, bytes: Uint8Array): Opened | null {
  try {
    const opened = make.open(bytes);
    return typeof opened?.slave === 'string' ? opened : null;
  } catch {
    return null;
  }
}

/** The response to a request whose credentials are right. */
function answerOf(
  { make, onSealed }: Double,
  step: string,
  body: RequestBody,
): { readonly json: Readonly<Record<string, unknown>> } | WrongResponse {
  const given = make.wire.readFile(body);
  if (given === null) return make.wire.refuse(400, 'The request is incomplete.');
  const answer = (file: Buffer, slave: string) => ({
    json: { ...make.describe(slave), ...make.wire.writeFile(file) },
  });
  if (step === 'encode') {
    const slave = make.slaveOf(body);
    if (slave === null) return make.wire.refuse(400, 'The request is incomplete.');
    onSealed?.({ slave, image: given });
    return answer(make.seal(slave, given), slave);
  }
  const opened = openFile(make, given);
  if (opened === null || make.mayOpen?.(body, opened) === false)
    return make.wire.refuse(422, 'The file is not a slave file.');
  return answer(opened.image, opened.slave);
}

function send(response: ServerResponse, { status, body = '', headers }: WrongResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Answers a request to a double. `path`: what follows the address of the service. */
export async function serveDouble(
  double: Double,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { make, intercept } = double;
  const found = Object.entries(make.paths).find(([, one]) => path === one);
  // not every service takes a body of unknown length
  if (request.headers['content-length'] === undefined)
    return send(response, { status: 411, body: '{}' });
  if (Number(request.headers['content-length']) > mostBytes)
    return send(response, { status: 413, body: '{}', headers: { connection: 'close' } });
  if (found === undefined || request.method !== 'POST')
    return send(response, { status: 404, body: '<p>', headers: { 'content-type': 'text/html' } });
  const [step] = found;
  const how = await intercept?.(step);
  if (how === 'silence') return;
  if (how !== undefined && 'status' in how) return send(response, how);
  const refusal = make.refuse(request.headers, double.credentials);
  if (refusal !== null) return send(response, refusal);
  const body = await readBody(request).catch(() => ({}));
  const answer = answerOf(double, step, body);
  if ('status' in answer) return send(response, answer);
  const given = how === undefined ? answer.json : how.changed({ ...answer.json });
  send(response, { status: 200, body: JSON.stringify(given) });
}
