/** No command repeats a secret that it is given by mistake, or in a setting: terminals and CI logs are kept. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callProgram, program } from '../fixtures/command.ts';

/** The secret of every line below. */
const secret = 'letmein-0123456789';
const guid = '01900000-0000-7000-8000-000000000001';
/** A port on which nothing listens. */
const deaf = '127.0.0.1:9';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-repeated-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Settings = Readonly<Record<string, string>>;

const environment = (settings: Settings): Settings => ({
  PATH: '/usr/bin:/bin',
  RECODERY_DATA_DIR: join(folder, 'data'),
  ...settings,
});

async function recodery(words: readonly string[], settings: Settings) {
  const { code, out, complaint } = await callProgram(words, environment(settings), folder);
  return { code, output: out + complaint };
}

/** The same as a process. */
function start(words: readonly string[], settings: Settings) {
  const env = environment(settings);
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  return new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
}

const engine = (url: string): string =>
  `engine add acme --kind encoding-api --client ${guid} --secret-file none --url ${url}`;
const database = `postgres://mia:${secret}@${deaf}/recodery`;

// promise d3.settings.not-repeated
test.each<[line: string, settings: Record<string, string>, shown: RegExp]>([
  [engine(`http://mia:${secret}@vendor.example`), {}, /https/],
  [engine(`https://mia:${secret}@vendor.example`), {}, /only scheme, host, port and path/],
  [engine(`https://vendor.example/?token=${secret}`), {}, /only scheme, host, port and path/],
  [`${engine('https://vendor.example')} --secret=${secret}`, {}, /--secret/],
  [`client revoke ${guid} ${secret}`, {}, /too many arguments/],
  [`device inspect read --pair-key ${secret}`, {}, /pair key|read/],
  [`device read --key none --protocol ${secret} --out x`, {}, /number/],
  [`secret rotate ${secret}`, {}, /too many arguments/],
  ['migrate', { RECODERY_PUBLIC_URL: `https://mia:${secret}@portal.example` }, /PUBLIC_URL/],
  ['migrate', { RECODERY_PUBLIC_URL: `http://mia:${secret}@portal.example` }, /PUBLIC_URL/],
  ['migrate', { RECODERY_OIDC_ISSUER: `http://mia:${secret}@login.example` }, /OIDC_ISSUER/],
  ['migrate', { RECODERY_OIDC_ISSUER: `https://mia:${secret}@login.example` }, /OIDC_ISSUER/],
  ['migrate', { RECODERY_OIDC_CLIENT_SECRET: secret }, /OIDC_ISSUER/],
  ['migrate', { RECODERY_LINKS: `shop=https://mia:${secret}@example.org` }, /LINKS/],
  ['migrate', { RECODERY_DATABASE_URL: `mysql://mia:${secret}@${deaf}` }, /DATABASE_URL/],
  ['migrate', { RECODERY_DATABASE_URL: database }, /RECODERY_SECRET/],
  ['migrate', { RECODERY_DATABASE_URL: `${database}?x=%zz`, RECODERY_SECRET: secret }, /./],
  ['doctor', { RECODERY_DATABASE_URL: database, RECODERY_SECRET: secret }, /ECONNREFUSED/],
  ['migrate', { RECODERY_SMTP_URL: `imap://mia:${secret}@${deaf}` }, /SMTP_URL/],
  [
    'doctor',
    { RECODERY_SMTP_URL: `smtp://mia:${secret}@${deaf}`, RECODERY_MAIL_FROM: 'a@b.c' },
    /does not accept/,
  ],
  ['migrate', { RECODERY_SECRET: secret.slice(0, 12) }, /RECODERY_SECRET/],
  ['migrate', { RECODERY_STORAGE_URL: `s3://mia:${secret}@bucket` }, /STORAGE_URL/],
  ['migrate', { RECODERY_STORAGE_URL: `https://mia:${secret}@bucket` }, /STORAGE_URL/],
])('%s with %o does not repeat a secret', async (line, settings, shown) => {
  const { code, output } = await recodery(line.split(' '), settings);
  expect(code).not.toBe(0);
  expect(output).toMatch(shown);
  expect(output).not.toContain(secret.slice(0, 12));
});

test.each<[line: string, settings: Record<string, string>, shown: RegExp]>([
  [`client revoke ${guid} ${secret}`, {}, /too many arguments/],
  ['doctor', { RECODERY_DATABASE_URL: database, RECODERY_SECRET: secret }, /ECONNREFUSED/],
])('a process of %s with %o does not repeat a secret', async (line, settings, shown) => {
  const { code, output } = await start(line.split(' '), settings);
  expect(code).not.toBe(0);
  expect(output).toMatch(shown);
  expect(output).not.toContain(secret.slice(0, 12));
});
