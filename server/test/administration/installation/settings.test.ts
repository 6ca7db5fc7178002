/** The settings of the installation over HTTP: where each comes from, and what operators change without a restart. */
import { config as configSchema } from '@recodery/contract/features/service-status';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPortal } from '../../../src/portal.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { shareEngines } from '../../fixtures/shared-engines.ts';

const path = '/api/admin/settings';
const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64')}`;
const svg = `data:image/svg+xml;base64,${Buffer.from('\uFEFF<!-- own --><svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal(
    {
      RECODERY_LINKS: 'privacy=https://example.org/privacy',
      RECODERY_SMTP_URL: 'smtp://user:geheim@mail.example.org',
      RECODERY_MAIL_FROM: 'portal@example.org',
    },
    false,
  );
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

interface Setting {
  readonly guid: string;
  readonly revision: string;
  readonly name: string;
  readonly value: string | null;
  readonly image: string | null;
  readonly source: string;
}

async function read(name: string): Promise<Setting> {
  const { json } = await olga.get(`${path}?count=200&search=${name}`);
  const found = (json as { items: readonly Setting[] }).items.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not listed`);
  return found;
}

async function save(name: string, values: object) {
  const { guid, revision } = await read(name);
  const { status, text } = await olga.call('PUT', `${path}/${guid}`, {
    headers: {
      accept: 'application/problem+json, application/json',
      'content-type': 'application/json',
      'if-match': `"${revision}"`,
    },
    body: JSON.stringify(values),
  });
  return { status, json: JSON.parse(text) };
}

async function readConfig(url = portal.url) {
  return configSchema.parse(await (await fetch(`${url}/api/config`)).json());
}

// promise d3.settings.origins
test('lists every setting with its source and variable, and never a secret', async () => {
  const { text, json } = await olga.get(`${path}?count=200`);
  expect(text).not.toContain('geheim');
  const { items } = json as { items: readonly object[] };
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'link.privacy',
        value: 'https://example.org/privacy',
        source: 'environment',
        variable: 'RECODERY_LINKS',
        isEditable: false,
      }),
      expect.objectContaining({ name: 'RECODERY_SMTP_URL', value: '••••••••', type: 'secret' }),
      expect.objectContaining({ name: 'RECODERY_MAX_FILE_MIB', value: '64', source: 'default' }),
      expect.objectContaining({ name: 'productName', source: 'default', isEditable: true }),
    ]),
  );
  expect((await save('link.privacy', { value: 'https://other.test' })).json).toMatchObject({
    details: { fields: { name: 'FIXED' } },
  });
});

// promise d3.settings.browser
test('name, links, company lines and logo apply at once in every portal, until they are removed', async () => {
  const second = await startPortal(portal.platform, 0, shareEngines);
  const both = [portal.url, `http://127.0.0.1:${second.port}`];
  expect((await save('productName', { value: 'Rossi Tuning' })).status).toBe(200);
  expect((await save('companyLines', { lines: ['Rossi', 'Milano'] })).status).toBe(200);
  const support = 'mailto:help@example.org';
  expect((await save('link.support', { value: support })).json.source).toBe('page');
  const logo = await save('logo', { image: svg });
  expect(logo.json.image).toMatch(/^\/api\/logo\/[0-9a-f]{12}$/);
  for (const url of both) {
    const config = await readConfig(url);
    expect(config).toMatchObject({
      productName: 'Rossi Tuning',
      companyLines: ['Rossi', 'Milano'],
      logo: logo.json.image,
      links: { support, privacy: 'https://example.org/privacy' },
    });
    const picture = await fetch(`${url}${config.logo}`);
    expect(picture.headers.get('content-type')).toBe('image/svg+xml');
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect(await (await fetch(`${url}/.well-known/security.txt`)).text()).toContain(support);
  }
  for (const name of ['productName', 'link.support'])
    expect((await save(name, { value: null })).json.source).toBe('default');
  expect((await save('logo', { image: png })).status).toBe(200);
  expect((await save('logo', { image: null })).json.image).toBeNull();
  const { productName, logo: none } = await readConfig();
  expect([productName, none]).toEqual(['Recodery', undefined]);
  await second.stop();
});

// promise d3.settings.refused
test('wrong values are refused at their field', async () => {
  const refused = async (name: string, values: object) =>
    (await save(name, values)).json.details.fields;
  expect(await refused('productName', { value: 'x'.repeat(41) })).toEqual({ value: 'TOO_LONG' });
  expect(await refused('link.support', { value: 'javascript:alert(1)' })).toEqual({
    value: 'INVALID',
  });
  expect(await refused('companyLines', { lines: Array.from('123456789') })).toEqual({
    lines: 'TOO_LONG',
  });
  const text = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`;
  expect(await refused('logo', { image: text })).toEqual({ image: 'INVALID' });
  // each comment could end at every later one
  const comments = `data:image/svg+xml;base64,${Buffer.from('<!---->'.repeat(5000)).toString('base64')}`;
  expect(await refused('logo', { image: comments })).toEqual({ image: 'INVALID' });
  const huge = `data:image/png;base64,${Buffer.alloc(140_000).toString('base64')}`;
  expect(await refused('logo', { image: huge })).toEqual({ image: 'TOO_LONG' });
});
