/**
 * Settings in a real browser: saved only if changed, applied to the next encoded file, and each can be reset to its
 * default.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Preferences } from '@recodery/contract/features/preferences';
import type { Page } from '@playwright/test';
import { call, read } from '../calls.ts';
import { expect, expectAccessible, openSignedIn, startSession, test } from '../fixtures.ts';
import type { Product } from '../product.ts';
import { choose, decode, download, visit, write } from '../workflow.ts';

const defaults = {
  encodedKESSv2FileNameFormat: null,
  encodedKTAGFileNameFormat: null,
  autoSendDefaultAction: null,
  autoSendNotificationIsPrivateByDefault: null,
};

async function savedBy(page: Page) {
  return (await read<Preferences>(page, '/api/preferences')).organisationPreferences;
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
}

// promise 2.routes.settings, 2.send.dropdown, 2.settings.save, 2.settings.reset, 4.send.dropdown
// promise 5.settings.save-button
test('a saved setting applies to the next encoded file and its button, and each field can be reset to its default', async ({
  page,
  product,
}) => {
  await startSession(page);
  await call(page, 'PUT', '/api/preferences/', { organisationPreferences: defaults });
  await page.goto('/settings');
  const saveButton = page.getByRole('button', { name: 'Save', exact: true });
  const kessv2Names = page.getByLabel('Encoded KESSv2 files', { exact: true });
  await expect(saveButton).toBeDisabled();
  await expectAccessible(page, 'settings');

  await write(kessv2Names, 'tuned %q');
  await expect(page.getByText('Only a letter from the list above can follow %.')).toBeVisible();
  await expect(saveButton).toBeDisabled();
  await expectAccessible(page, 'settings, impossible name');
  await write(kessv2Names, 'tuned %r');
  await expect(page.getByText('tuned read_0416.moc')).toBeVisible();
  await page.getByRole('button', { name: /^Encode button action/ }).click();
  await page.getByRole('menuitemradio', { name: 'Encode and send' }).click();
  await page.getByText('Send privately', { exact: true }).click();
  await save(page);
  expect(await savedBy(page)).toMatchObject({
    ...defaults,
    encodedKESSv2FileNameFormat: 'tuned %r',
    autoSendDefaultAction: 'EncodeAndSend',
    autoSendNotificationIsPrivateByDefault: false,
  });

  await visit(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  await choose(page, product.demoFile('samples/kessv2/read-9000-modified.bin'));
  await page.getByRole('button', { name: 'Encode and send', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Encode and send' });
  await expect(popup.getByRole('switch', { name: 'Private' })).not.toBeChecked();
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'More ways to encode' }).click();
  const downloaded = await download(page.getByRole('menuitem', { name: 'Encode', exact: true }));
  expect(downloaded.suggestedFilename()).toBe('tuned read-9000.moc');

  await visit(page, '/settings');
  for (const name of ['Encoded KESSv2 files', 'Encode button action', 'Send privately'])
    await page.getByRole('button', { name: `Reset to default: ${name}` }).click();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await save(page);
  expect(await savedBy(page)).toMatchObject(defaults);
});

test('two tabs that change different fields do not overwrite each other', {
  tag: '@release',
}, async ({ page, openTab }) => {
  await startSession(page);
  await call(page, 'PUT', '/api/preferences/', { organisationPreferences: defaults });
  const other = await openTab();
  await page.goto('/settings');
  await other.goto('/settings');
  await write(page.getByLabel('Encoded KESSv2 files', { exact: true }), 'one %d');
  await write(other.getByLabel('Encoded K-TAG files', { exact: true }), 'two %r');
  await save(page);
  await save(other);
  expect(await savedBy(page)).toMatchObject({
    encodedKESSv2FileNameFormat: 'one %d',
    encodedKTAGFileNameFormat: 'two %r',
  });
  await call(page, 'PUT', '/api/preferences/', { organisationPreferences: defaults });
});

test('changes saved in one tab appear in another, which keeps its unsaved change', {
  tag: '@release',
}, async ({ page, openTab }) => {
  await startSession(page);
  await call(page, 'PUT', '/api/preferences/', { organisationPreferences: defaults });
  const other = await openTab();
  await page.goto('/settings');
  await other.goto('/settings');
  const ktagNames = other.getByLabel('Encoded K-TAG files', { exact: true });
  await write(ktagNames, 'mine %r');
  await write(page.getByLabel('Encoded KESSv2 files', { exact: true }), 'theirs %d');
  await save(page);
  await expect(other.getByLabel('Encoded KESSv2 files', { exact: true })).toHaveValue('theirs %d');
  await expect(ktagNames).toHaveValue('mine %r');
  await expect(other.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await call(page, 'PUT', '/api/preferences/', { organisationPreferences: defaults });
});

test('a retention, client application and webhook saved in one tab appear in another', {
  tag: '@release',
}, async ({ page, openTab }) => {
  await startSession(page);
  const other = await openTab();
  const dialog = page.getByRole('dialog');
  const openBoth = async (path: string) => {
    await page.goto(path);
    await other.goto(path);
  };

  await openBoth('/settings/storage');
  const days = other.getByLabel('Days until a job is deleted');
  await expect(days).toHaveValue('365');
  await write(page.getByLabel('Days until a job is deleted'), '400');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(days).toHaveValue('400');
  await call(page, 'PUT', '/api/storage-settings', { retentionDays: null });

  await openBoth('/settings/clients');
  await expect(other.getByRole('button', { name: 'Add client application' })).toBeVisible();
  await page.getByRole('button', { name: 'Add client application' }).click();
  await write(dialog.getByLabel('Name', { exact: true }), 'Two tabs');
  await dialog.getByRole('button', { name: 'Add client application' }).click();
  await expect(other.getByText('Two tabs')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke: Two tabs' }).click();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(other.getByText(/^Revoked \d/)).toBeVisible();

  await openBoth('/settings/webhooks');
  await expect(other.getByRole('button', { name: 'Add webhook' })).toBeVisible();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await write(dialog.getByLabel('URL'), 'https://example.com/hooks');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(other.getByText('https://example.com/hooks')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Remove: https://example.com/hooks' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(other.getByText('https://example.com/hooks')).toHaveCount(0);
});

async function applyOtto(
  product: Product,
  customerCode: string,
  organisations: readonly object[] = [],
): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-rights-')), 'directory.yaml');
  const users = [{ email: 'otto@demo.test', name: 'Otto Brandt', customerCodes: [customerCode] }];
  // JSON is YAML as well
  await writeFile(file, JSON.stringify({ organisations, users }));
  await product.recodery('directory', 'apply', file);
}

const ownSlave = (serial: string) => ({ serial, owner: 'CC-6006' });

// promise 5.settings.encoding-only
test('a user who has no slaves sees no settings for encoded files', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/settings', 'otto@demo.test');
  const main = page.getByRole('main');
  await expect(main).toContainText('No settings available');
  await expect(main.getByRole('textbox')).toHaveCount(0);
  await expect(main.getByRole('switch')).toHaveCount(0);
  await expect(main.getByRole('button')).toHaveCount(0);
  await expectAccessible(page, 'settings of a user who has no slaves');
});

// promise 5.settings.send-fields-hidden-page
test('a user without the right to send sees no send settings', async ({ page, product }) => {
  await applyOtto(product, 'CC-6006', [
    {
      customerCode: 'CC-6006',
      name: 'Encodes here',
      email: 'encodes@demo.test',
      rights: ['kessv2', 'ktag', 'recod'],
      groupCodes: [
        {
          code: 'G-60',
          masters: [
            { family: 'kessv2', serial: 'KV2-M-6006', slaves: [ownSlave('KV2-006006')] },
            { family: 'ktag', serial: 'KTG-M-6006', slaves: [ownSlave('KTG-006006')] },
          ],
        },
      ],
    },
  ]);
  await openSignedIn(page, '/settings', 'otto@demo.test');
  await expect(page.getByLabel('Encoded KESSv2 files', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Encoded K-TAG files', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sending' })).toHaveCount(0);
  await expect(page.getByRole('switch')).toHaveCount(0);
  await expectAccessible(page, 'settings without sending');
  // the journeys of a worker share one product, and others require that Otto has no slaves
  await applyOtto(product, 'CC-4004');
});

// promise e2.remote.download
test('the command-line program of the portal can be downloaded, has the hash that is shown, and runs', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/settings/clients');
  const arrival = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download version 0.9.0', exact: true }).click();
  const arrived = await arrival;
  expect(arrived.suggestedFilename()).toBe('recodery-remote.mjs');
  const file = join(await mkdtemp(join(tmpdir(), 'recodery-program-')), 'recodery-remote.mjs');
  await arrived.saveAs(file);
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  await expect(page.getByText(hash, { exact: true })).toBeVisible();
  await expectAccessible(page, 'settings, command-line program');
  const run = execFileSync(process.execPath, [file, '--version'], { env: {}, encoding: 'utf8' });
  expect(run).toBe('0.9.0\n');

  const folder = `${product.url}/downloads`;
  const sums = await fetch(`${folder}/SHA256SUMS`);
  expect(await sums.text()).toBe(`${hash}  recodery-remote.mjs\n`);
  const program = await fetch(`${folder}/recodery-remote.mjs`);
  expect(program.headers.get('cache-control')).toBe('no-cache');
  expect(program.headers.get('content-disposition')).toBe('attachment');
});
