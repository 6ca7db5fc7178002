/** The settings for programs in a real browser: a client application, a webhook, and the engines. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { decodeUnwatched } from '../calls.ts';
import { expect, expectAccessible, openSignedIn } from '../fixtures.ts';
import { write } from '../workflow.ts';
import { test as base } from './equipped.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A program that receives webhooks. */
interface Receiver {
  readonly url: string;
  readonly messages: readonly Received[];
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const test = base.extend<{ readonly receiver: Receiver }>({
  receiver: async ({}, use) => {
    const messages: Received[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        messages.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    });
    const port = await listen(server);
    await use({ url: `http://127.0.0.1:${port}/hooks`, messages });
    await new Promise((done) => server.close(done));
  },
});

const secretIn = (dialog: Locator, name: string): Promise<string> =>
  dialog.getByRole('group', { name, exact: true }).locator('code').innerText();

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name });

// promise e2.clients.settings, e3.connections.settings
test('a client application added on the settings page gets a token, until it is revoked; the settings list the engines', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/settings');
  await section(page, 'Client applications').click();
  await expect(page).toHaveURL(/\/settings\/clients$/);
  await expect(page.getByText('No client applications yet')).toBeVisible();
  await expectAccessible(page, 'no client applications');

  const add = page.getByRole('button', { name: 'Add client application' });
  await add.click();
  const dialog = page.getByRole('dialog');
  await write(dialog.getByLabel('Name', { exact: true }), 'Workshop server');
  await write(dialog.getByLabel('Allowed networks'), 'not a network');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Add client application' }).click();
  await expect(dialog.getByText('Enter one IP address or network per line')).toBeVisible();
  await expectAccessible(page, 'a client application with a wrong network');
  await write(dialog.getByLabel('Allowed networks'), '127.0.0.0/8\n::1');
  await dialog.getByRole('button', { name: 'Add client application' }).click();
  await expect(dialog.getByText('It is not shown again')).toBeFocused();
  await expectAccessible(page, 'the secrets of a client application');
  const credentials = {
    clientApplicationGUID: await secretIn(dialog, 'Client application GUID'),
    secretKey: await secretIn(dialog, 'Secret key'),
  };
  expect(await secretIn(dialog, 'Webhook secret')).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(add).toBeFocused();
  await expect(page.getByText('127.0.0.0/8')).toBeVisible();
  await expect(page.getByText(credentials.secretKey)).toHaveCount(0);
  await expect(page.getByText('Never')).toBeVisible();

  const requestToken = () =>
    fetch(`${product.url}/api/access-tokens/request`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    });
  const { accessToken } = (await (await requestToken()).json()) as { accessToken: string };
  const readOperations = () =>
    fetch(`${product.url}/api/operations`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
  expect((await readOperations()).status).toBe(200);

  await page.getByRole('button', { name: 'Revoke: Workshop server' }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText(/^Revoked \d/)).toBeVisible();
  await expectAccessible(page, 'a revoked client application');
  expect((await readOperations()).status).toBe(401);
  expect((await requestToken()).ok).toBe(false);

  await section(page, 'Decoding engines').click();
  await expect(page).toHaveTitle('Decoding engines · Settings · Recodery');
  await expect(page.getByText('Built-in').first()).toBeVisible();
  await expectAccessible(page, 'the engines');
});

// promise e2.webhooks.settings
test('a webhook added on the settings page shows its deliveries and sends one again', async ({
  page,
  product,
  receiver,
}) => {
  await openSignedIn(page, '/settings/webhooks');
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await expectAccessible(page, 'no webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  const add = dialog.getByRole('button', { name: 'Add webhook' });
  await write(dialog.getByLabel('URL'), 'http://10.0.0.1/hooks');
  await add.click();
  await expect(dialog.getByText('Messages cannot be sent to this URL')).toBeVisible();
  await write(dialog.getByLabel('URL'), receiver.url);
  await add.click();
  expect(await secretIn(dialog, 'Secret')).toMatch(/^whsec_/);
  await expectAccessible(page, 'the secret of a webhook');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('No deliveries in the last 10 days')).toBeVisible();

  await decodeUnwatched(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  await expect(page.getByText('Delivered · 204')).toBeVisible();
  await expect(page.getByText('operation.completed')).toBeVisible();
  await expectAccessible(page, 'a webhook with a delivery');
  await page.getByRole('button', { name: /^Send again: Operation finished/ }).click();
  await expect(page.getByText('Delivered · 204')).toHaveCount(2);
  // a message that is answered too late is sent again
  expect([2, 3]).toContain(receiver.messages.length);
  expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

  await page.getByRole('button', { name: `Remove: ${receiver.url}` }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
});
