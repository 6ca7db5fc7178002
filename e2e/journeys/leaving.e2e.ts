/** Leaving while something is unfinished: the page asks once or prevents it, and no message hides the question. */
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openSignedIn, signIn, startSession, test } from '../fixtures.ts';
import type { Product } from '../product.ts';
import {
  choose,
  decode,
  encode,
  hold,
  holdReading,
  modify,
  rowOf,
  toastOf,
  write,
} from '../workflow.ts';

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

// promise 4.resume.leaving
test('signing out during an upload or with changed settings asks once, for every tab', async ({
  page,
  openTab,
  product,
}) => {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const release = await hold(page, /upload-modified/);
  await modify(page, 'Modified file', product.demoFile('samples/kessv2/read-1001-modified.bin'));
  await expect(page.getByRole('progressbar')).toBeVisible();
  const tab = await openTab();
  await tab.goto('/');
  for (const where of [page, tab]) {
    await signOut(where);
    const question = where.getByRole('dialog', { name: 'Sign out now?' });
    await expect(question).toContainText('A file is still uploading.');
    await expectAccessible(where, 'asked before signing out');
    await where.getByRole('button', { name: 'Stay signed in' }).click();
    await expect(question).toBeHidden();
  }
  release();
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');

  await tab.goto('/settings');
  await write(tab.getByRole('textbox').first(), 'tuned_%r');
  const asked: string[] = [];
  for (const where of [page, tab])
    where.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
  const questionIn = (where: Page) => where.getByRole('dialog', { name: 'Sign out now?' });
  await signOut(page);
  await expect(questionIn(page)).toContainText('You have unsaved changes.');
  await questionIn(page).getByRole('button', { name: 'Stay signed in' }).click();
  // confirmed in the tab that has the changes
  await signOut(tab);
  await expect(questionIn(tab)).toContainText('You have unsaved changes.');
  await questionIn(tab).getByRole('button', { name: 'Sign out' }).click();
  await expect(tab.locator('form input[type=password]')).toBeVisible();
  await expect(page).toHaveURL(/\/login\?signedOut=1/);
  expect(asked, 'the browser does not ask again').toEqual([]);
});

// promise 4.resume.leaving
test('signing out in one tab leaves a tab with changed settings without another question', {
  tag: '@release',
}, async ({ page, openTab }) => {
  await signIn(page);
  const tab = await openTab();
  await tab.goto('/settings');
  await write(tab.getByRole('textbox').first(), 'tuned_%r');
  const asked: string[] = [];
  tab.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await signOut(page);
  const question = page.getByRole('dialog', { name: 'Sign out now?' });
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.locator('form input[type=password]')).toBeVisible();
  await expect(tab).toHaveURL(/\/login\?signedOut=1/);
  expect(asked).toEqual([]);
});

/** Encodes a modified file, and starts another encode of the same read; returns the path of a newer version. */
async function encodeFirstVersion(page: Page, product: Product): Promise<string> {
  await openSignedIn(page, '/kessv2');
  await decode(page, product.demoFile('samples/kessv2/read-1001.tfc'));
  const modified = product.demoFile('samples/kessv2/read-1001-modified.bin');
  await modify(page, 'Modified file', modified);
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
  await encode(page);
  const newer = join(await mkdtemp(join(tmpdir(), 'recodery-newer-')), 'newer.bin');
  await copyFile(modified, newer);
  await page.getByRole('button', { name: 'Encode another file' }).click();
  return newer;
}

// promise 4.resume.leaving
test('encoding an earlier version again asks before it cancels an upload for its job', {
  tag: '@release',
}, async ({ page, product }) => {
  const newer = await encodeFirstVersion(page, product);
  const release = await hold(page, /upload-modified/);
  const sent = page.waitForRequest(/upload-modified/);
  await modify(page, 'Modified file', newer);
  await sent;
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('link', { name: 'read-1001.tfc' }).first().click();
  const again = page.getByRole('button', { name: 'Encode again read-1001-modified.bin' });
  await again.click();
  const question = page.getByRole('dialog', { name: 'Encode this version again?' });
  await expectAccessible(page, 'asked before encoding an earlier version');
  await question.getByRole('button', { name: 'Keep working' }).click();
  await expect(question).toBeHidden();
  await again.click();
  await question.getByRole('button', { name: 'Encode again' }).click();
  await expect(page).toHaveURL(/\/kessv2\?operation=/);
  await expect(rowOf(page, 'Modified file')).toContainText('read-1001-modified.bin');
  await expect(page.getByRole('progressbar')).toBeHidden();
  release();
  await page.reload();
  await expect(rowOf(page, 'Modified file')).toContainText('read-1001-modified.bin');
});

// promise 4.resume.leaving
test('encoding an earlier version again asks before it replaces a file that has not been encoded yet', {
  tag: '@release',
}, async ({ page, product }) => {
  const newer = await encodeFirstVersion(page, product);
  await modify(page, 'Modified file', newer);
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('link', { name: 'read-1001.tfc' }).first().click();
  const again = page.getByRole('button', { name: 'Encode again read-1001-modified.bin' });
  await again.click();
  const question = page.getByRole('dialog', { name: 'Encode this version again?' });
  await expect(question).toContainText('newer.bin');
  await expectAccessible(page, 'asked before replacing a prepared file');
  await question.getByRole('button', { name: 'Keep working' }).click();
  await expect(question).toBeHidden();
  await again.click();
  await question.getByRole('button', { name: 'Encode again' }).click();
  await expect(page).toHaveURL(/\/kessv2\?operation=/);
  await expect(rowOf(page, 'Modified file')).toContainText('read-1001-modified.bin');
});

// promise 4.resume.leaving
test('another master device cannot be chosen during an upload', { tag: '@release' }, async ({
  page,
  product,
}) => {
  await openSignedIn(page, '/kess3');
  await decode(page, product.demoFile('samples/kess3/read-obd-1001.tfc'));
  const chooser = page.getByRole('button', { name: /KS3-M-0001/ });
  await expect(chooser).toBeEnabled();
  const release = await hold(page, /upload-modified/);
  const modified = product.demoFile('samples/kess3/read-obd-1001-modified.bin');
  await modify(page, 'Modified file', modified);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(chooser).toBeDisabled();
  await expect(chooser).toHaveAccessibleDescription(/upload/);
  await expectAccessible(page, 'kess3, the device cannot be changed');
  release();
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
  await expect(chooser).toBeEnabled();
  await expect(chooser).toHaveAccessibleDescription('');
});

for (const { what, path, fieldOn, text, onSwitch, tag } of [
  {
    what: 'changed settings',
    path: '/settings',
    fieldOn: (page: Page) => page.getByRole('textbox').first(),
    text: 'tuned_%r',
    onSwitch: 'They are kept if you switch back',
    tag: '@each-run',
  },
  {
    what: 'a changed retention',
    path: '/settings/storage',
    fieldOn: (page: Page) => page.getByLabel('Days until a job is deleted'),
    text: '45',
    onSwitch: 'Save them first, or they will be lost',
    tag: '@release',
  },
]) {
  // promise 4.resume.leaving
  test(`leaving the page with ${what} asks for confirmation`, { tag }, async ({ page }) => {
    await openSignedIn(page, path);
    const field = fieldOn(page);
    const before = await field.inputValue();
    await write(field, text);
    await page.getByRole('button', { name: /^Customer code/ }).click();
    await page.getByRole('menuitemradio', { name: /CC-2002/ }).click();
    await expect(page.getByRole('dialog', { name: 'Switch to CC-2002?' })).toContainText(onSwitch);
    await page.getByRole('button', { name: 'Stay with CC-1001' }).click();
    await page.getByRole('link', { name: 'KESSv2' }).first().click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(field).toHaveValue(text);
    await page.getByRole('link', { name: 'KESSv2' }).first().click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page).toHaveURL(/kessv2$/);
    await page.goBack();
    await expect(field).toHaveValue(before);
  });
}

// promise 2.notifications.toast-place
test('a toast does not cover a dialog, and is there again after it', async ({ page, product }) => {
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  const flash = product.demoFile('samples/kess3/read-bootbench-9000-flash-modified.bin');
  await modify(page, 'Flash', flash);
  await expect(rowOf(page, 'Flash')).toContainText('changed in');
  await page.getByRole('button', { name: /KS3-M-0001/ }).click();
  await page.getByRole('menuitemradio', { name: /KS3-M-0002/ }).click();
  // the toast has a button, so it stays
  const toast = toastOf(page, 'Your files are kept');
  await expect(toast).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await write(page.getByRole('textbox').first(), 'tuned_%r');
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('banner').getByRole('link', { name: 'Recodery, home' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expect(question).toBeVisible();
    await expect(page.locator('.toast-list')).toHaveCount(0);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(question).toBeHidden();
    await expect(toast).toBeVisible();
  }
});

test('a page that is still loading opens even if the address of the current page changes', {
  tag: '@release',
}, async ({ page, product }) => {
  const release = await hold(page, /\/assets\/settings-page-/);
  await openSignedIn(page, '/kess3');
  await choose(page, product.demoFile('samples/kess3/read-bootbench-9000.tfc'));
  await expect(rowOf(page, 'Flash')).toBeVisible();
  await expect(page).toHaveURL(/operation=/);
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /KS3-M-0001/ }).click();
  await page.getByRole('menuitemradio', { name: /KS3-M-0002/ }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  release();
  await expect(page).toHaveURL(/settings$/);
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
});

/** The paths to which the page uploads read files. */
function recordUploads(page: Page): readonly string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('upload-read-file')) paths.push(pathname);
  });
  return paths;
}

const jobsLink = (page: Page) => page.getByRole('link', { name: 'Jobs', exact: true });
const kessv2 = 'samples/kessv2/read-1001.tfc';

test('a file dropped on the home page does not open its page after the user has left', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  const release = await holdReading(page, '/');
  const uploads = recordUploads(page);
  await choose(page, product.demoFile(kessv2));
  await jobsLink(page).click();
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
  release();
  // the search is applied after a delay: by then, the file has been recognized
  await write(page.getByLabel('Search', { exact: true }), 'nothing like it');
  await expect(page).toHaveURL(/\/jobs\?search=/);
  await page.getByRole('link', { name: 'KESSv2', exact: true }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  expect(uploads).toHaveLength(1);
});

test('a file dropped on the home page is refused with a message if the user has left', {
  tag: '@release',
}, async ({ page, product }) => {
  await startSession(page);
  const release = await holdReading(page, '/');
  await choose(page, product.demoFile('samples/mistakes/encoded.moc'));
  await jobsLink(page).click();
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
  release();
  await expect(toastOf(page, 'This is an encoded file')).toBeVisible();
});

test('a file for a page that could not be opened is not uploaded when the user opens it later', {
  tag: '@release',
}, async ({ page, product }) => {
  await openSignedIn(page, '/');
  const entrance = /\/api\/kessv2\?/;
  await page.route(entrance, (route) => route.fulfill({ status: 400, body: 'USER_NO_RIGHTS' }));
  const uploads = recordUploads(page);
  await choose(page, product.demoFile(kessv2));
  await expect(page.getByRole('button', { name: 'Refresh page' })).toBeVisible();
  await jobsLink(page).click();
  await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible();
  await page.unroute(entrance);
  await page.getByRole('link', { name: 'KESSv2', exact: true }).click();
  await expect(page.getByText('Drop the read file here')).toBeVisible();
  await decode(page, product.demoFile('samples/kessv2/read-9000.tfc'));
  expect(uploads).toHaveLength(1);
});
