/** Details that the specification defines: several files, a removed component, error codes, devices, waiting. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notification } from '@recodery/contract/features/notifications';
import { expect, expectAccessible, openSignedIn, signIn, startSession, test } from '../fixtures.ts';
import { projectFolder } from '../product.ts';
import { choose, decode, hold, modify, rowOf, visit, write } from '../workflow.ts';

// promise 5.several-files.first
test('takes the first of several files', { tag: '@release' }, async ({ page, product }) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, [
    product.demoFile('samples/kessv2/read-9000.tfc'),
    product.demoFile('samples/mistakes/damaged.tfc'),
  ]);
  await expect(page.getByRole('main').getByText('read-9000.tfc').first()).toBeVisible();
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
});

// promise 8.display.bench-first-word, 8.display.support
test('an error shows its code; for a component, the first word of the code', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kess3');
  await page.route('**/upload-modified-file/*/Flash', (route) =>
    route.fulfill({ status: 400, contentType: 'text/plain', body: 'SIZE_UNKNOWN flash 4096' }),
  );
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(rowOf(page, 'Flash').locator('input[type=file]')).toHaveCount(1);
  await modify(
    page,
    'Flash',
    product.demoFile('samples/kess3/read-bootbench-9000-flash-modified.bin'),
  );
  const refused = rowOf(page, 'Flash').getByRole('alert');
  await expect(refused).toContainText('SIZE_UNKNOWN');
  await expect(refused).not.toContainText('4096');
  await expect(refused).toContainText('An error occurred');
  await expectAccessible(page, 'kess3, a component refused');

  await visit(page, '/kessv2');
  await choose(page, product.demoFile('samples/mistakes/damaged.tfc'));
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('An error occurred');
  await expect(alert).toContainText('FILE_CORRUPTED');
});

// promise 2.devices.page
test('offers a choice of device if several groups have one, and remembers it', async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  await expect(page.getByRole('button', { name: /Choose the master device/ })).toHaveCount(0);
  await page.goto('/kess3');
  const chooser = page.getByRole('button', { name: /Choose the master device/ });
  await chooser.click();
  await page.getByRole('menuitemradio', { name: /G-11/ }).click();
  await expect(chooser).toContainText('G-11');
  await decode(page, product.demoFile('samples/kess3/read-of-group-G-11.tfc'));
  await page.goto('/kess3');
  await expect(chooser).toContainText('G-11');
});

// promise 4.resume.leaving
test('asks before another device discards a customer that was entered and not saved', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await decode(page, product.demoFile('samples/kess3/read-obd-1001.tfc'));
  const opener = page.getByRole('button', { name: 'Customer and vehicle' });
  await opener.click();
  await write(page.getByLabel('Customer label'), 'Rossi');
  const chooser = page.getByRole('button', { name: /Choose the master device/ });
  const chooseAnother = async (answer: string) => {
    await chooser.click();
    await page.getByRole('menuitemradio', { name: /G-11/ }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: answer }).click();
  };
  await chooseAnother('Keep editing');
  await expect(page.getByLabel('Customer label')).toHaveValue('Rossi');
  await expect(chooser).toContainText('Automatic');
  await chooseAnother('Discard changes');
  await expect(chooser).toContainText('G-11');
  await expect(page.getByLabel('Customer label')).toHaveCount(0);
});

// promise 2.devices.automatic
test('lets each read decide under which device it is decoded, until the user chooses one', {
  tag: '@release',
}, async ({ page, product }) => {
  const reads = ['read-of-group-G-11.tfc', 'read-obd-1001.tfc'];
  const groupOf = page.getByRole('definition').filter({ hasText: /^G-1\d$/ });
  await openSignedIn(page, '/kess3');
  const chooser = page.getByRole('button', { name: /Choose the master device/ });
  await expect(chooser).toContainText('Automatic');
  for (const [index, read] of reads.entries()) {
    await decode(page, product.demoFile(`samples/kess3/${read}`));
    await expect(groupOf).toHaveText(index === 0 ? 'G-11' : 'G-10');
    await page.getByRole('button', { name: 'Decode new file' }).click();
  }
  // a choice is kept until the user lets the files decide again
  await chooser.click();
  await page.getByRole('menuitemradio', { name: /G-10/ }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles(product.demoFile('samples/kess3/read-of-group-G-11.tfc'));
  await page.getByRole('button', { name: 'Decode with KS3-M-0002 of G-11' }).click();
  await expect(groupOf).toHaveText('G-11');
  await expect(chooser).toContainText('Automatic');
});

// promise 4.entry.loading, 4.session.loading
test('shows a loader, then the layout of the page, while the server is responding', async ({
  page,
}) => {
  await startSession(page);
  const releaseEntry = await hold(page, '**/api/kessv2?*');
  const releaseSession = await hold(page, '**/api/auth/session/*');
  await page.goto('/kessv2');
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
  releaseSession();
  await expect(page.getByRole('heading', { level: 1, name: 'KESSv2' })).toBeVisible();
  await expect(page.getByText('Waiting for the file')).toBeVisible();
  await expect(page.locator('input[type=file]')).toHaveCount(0);
  releaseEntry();
  await expect(page.locator('input[type=file]')).toHaveCount(1);
});

// promise 4.entry.throttled-empty
test('keeps the page open while others use up the quota, and refuses only the upload', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  const busy = {
    status: 429,
    contentType: 'application/json',
    body: JSON.stringify({ errorCode: 'API_ERROR_THROTTLING', details: [] }),
  };
  await page.route('**/api/ktag?*', (route) => route.fulfill(busy));
  await page.route('**/api/ktag/upload-read-backup*', (route) => route.fulfill(busy));
  await page.goto('/ktag');
  const notice = page.getByText('Your organization is using all of its parallel operations.');
  // it is also announced
  await expect(notice.last()).toBeVisible();
  await page
    .locator('input[type=file]')
    .setInputFiles(product.demoFile('samples/ktag/backup-2002.tfc'));
  await expect(page.getByRole('alert')).toContainText('Too many operations at once');
  await page.unroute('**/api/ktag/upload-read-backup*');
  await page.unroute('**/api/ktag?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Download ID' })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

// promise 2.routes.loggedin-error
test('a refused sign-in shows the reason in the language of the browser and no text from its link, and its retry leads home', async ({
  page,
}) => {
  await page.goto('/loggedin?error=Call%20%2B1%20555%200100%20to%20unlock%20your%20account');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Something went wrong on our side.');
  await expect(page.locator('body')).not.toContainText('555');
  await page.evaluate(() => localStorage.setItem('LNG', 'it-IT'));
  await page.goto('/loggedin?error=SIGN_IN_UNAVAILABLE');
  await expect(alert).toContainText('Il server di accesso non è raggiungibile');
  await page.evaluate(() => localStorage.removeItem('LNG'));
  await page.goto('/loggedin?error=SIGN_IN_ACCOUNT_UNKNOWN');
  await expect(alert).toContainText('Your account is not registered with this portal.');
  expect(new URL(page.url()).search).toBe('');
  await expectAccessible(page, 'sign-in refused');
  const retry = alert.getByRole('link', { name: 'Try again' });
  await expect(retry).toHaveAttribute('href', '/');
  await retry.click();
  await page.waitForURL(/\/idp\//);
});

// promise 2.routes.kess3-utility
test('users with the right to the utility find it on the KESS3 page', { tag: '@release' }, async ({
  page,
}) => {
  await openSignedIn(page, '/kess3');
  await page.getByRole('main').getByRole('link', { name: 'KESS3 utility' }).click();
  await page.waitForURL((url) => url.pathname === '/kess3-utility');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('KESS3 utility');
});

/** A number of notifications as the server would list them, announced and seen, newest first. */
function listed(count: number): Notification[] {
  return Array.from({ length: count }, (_, at) => {
    const completedOn = new Date(Date.UTC(2026, 0, 1) - at * 60_000).toISOString();
    return {
      guid: `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`,
      asyncOperationType: 'KESSv2Decode',
      completedOn,
      isSuccessful: true,
      message: 'File decoded',
      longMessage: `${at}.tfc`,
      targetURL: null,
      targetURLFileName: null,
      deviceSerialNumber: null,
      errorCode: null,
      errorDetail: null,
      isSent: true,
      isReceived: false,
      isPrivate: true,
      otherOrganizationName: null,
      senderNotifiedOn: completedOn,
      senderInteractedOn: completedOn,
      receiverNotifiedOn: null,
      receiverInteractedOn: null,
      mail: null,
    };
  });
}

// promise 9.see-more.twenty
test('offers more notifications only while the last page was full', { tag: '@release' }, async ({
  page,
}) => {
  await signIn(page);
  let all = listed(39);
  await page.route('**/api/async-operation-notifications/?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const guid = query.get('to')?.split('~')[1];
    const from = guid === undefined ? 0 : all.findIndex((one) => one.guid === guid) + 1;
    return route.fulfill({ json: all.slice(from, from + Number(query.get('count'))) });
  });
  const rows = page.getByRole('main').getByRole('listitem');
  const more = page.getByRole('button', { name: 'See more' });
  await page.goto('/notifications');
  await expect(rows).toHaveCount(20);
  await more.click();
  await expect(rows).toHaveCount(39);
  await expect(more).toHaveCount(0);
  await expect(rows.first()).toContainText('No action available');
  all = listed(19);
  await page.reload();
  await expect(rows).toHaveCount(19);
  await expect(more).toHaveCount(0);
});

test('the bell counts new notifications that are older than the latest that it requests', {
  tag: '@release',
}, async ({ page }) => {
  await signIn(page);
  const all = listed(120).map((one, at) =>
    at < 99 || at > 103 ? one : { ...one, senderInteractedOn: null },
  );
  await page.route('**/api/async-operation-notifications/?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const guid = query.get('to')?.split('~')[1];
    const from = guid === undefined ? 0 : all.findIndex((one) => one.guid === guid) + 1;
    const wanted = all
      .slice(from)
      .filter((one) => query.get('new') === null || one.senderInteractedOn === null);
    return route.fulfill({ json: wanted.slice(0, Number(query.get('count'))) });
  });
  await page.goto('/settings');
  await expect(
    page.getByRole('banner').getByRole('button', { name: 'Notifications, 5 new', exact: true }),
  ).toBeVisible();
});

test('adds the next page even if the list is reloaded at the same time', {
  tag: '@release',
}, async ({ page }) => {
  await signIn(page);
  const all = listed(39).map((one, at) => (at === 0 ? { ...one, senderInteractedOn: null } : one));
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/async-operation-notifications/?count=20*', async (route) => {
    const isNext = new URL(route.request().url()).searchParams.has('to');
    if (isNext) {
      asked.resolve();
      await held.promise;
    }
    await route.fulfill({ json: isNext ? all.slice(20) : all.slice(0, 20) });
  });
  await page.route('**/mark-as-interacted/sender', (route) => route.fulfill({ status: 200 }));
  const rows = page.getByRole('main').getByRole('listitem');
  await page.goto('/notifications');
  await page.getByRole('button', { name: 'See more' }).click();
  await asked.promise;
  const again = page.waitForResponse((answer) => answer.url().endsWith('/?count=20'));
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await again;
  held.resolve();
  await expect(rows).toHaveCount(39);
});

test('the build does not contain the development gallery', { tag: '@release' }, async ({
  page,
}) => {
  const manifest = await readFile(join(projectFolder, 'web/dist/.vite/manifest.json'), 'utf8');
  expect(manifest).toContain('src/pages/home/home-page.tsx');
  expect(manifest).not.toContain('gallery');
  expect((await page.request.get('/gallery.html')).status()).toBe(404);
});
