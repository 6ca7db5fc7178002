/** What journeys of trays do: open a tray, find its rows, and add modified files. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { readZip } from '../../../server/test/fixtures/read-zip.ts';
import { expect } from '../../fixtures.ts';
import type { Product } from '../../product.ts';
import { bytesOf, choose, download } from '../../workflow.ts';

export const reads = {
  kessv2: 'samples/kessv2/read-9000.tfc',
  ktag: 'samples/ktag/backup-9000.tfc',
  kess3: 'samples/kess3/read-bootbench-9000.tfc',
  broken: 'samples/mistakes/damaged.tfc',
} as const;

/** The names of the decoded images that the journeys modify, one for each read. */
export const isFlash = /^KESSv2_.*\.bin$|^K-TAG_.*\.fls$|^KESS3_.*\.fls$/;

/** The rows of the tray. */
export function allRows(page: Page): Locator {
  return page.getByRole('list', { name: 'Files in this tray' }).locator('> li');
}

/** The row of a file. */
export function rowOf(page: Page, name: string): Locator {
  return allRows(page).filter({ has: page.getByText(name, { exact: true }) });
}

/** Opens the tray of files that are dropped on the home page. */
export async function openTray(page: Page, paths: readonly string[]): Promise<void> {
  await page.goto('/');
  await choose(page, paths);
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
}

/** The files in the zip that a button downloads. */
export async function zipOf(page: Page, button: string): Promise<ReadonlyMap<string, Buffer>> {
  const downloaded = await download(page.getByRole('button', { name: button, exact: true }));
  const files = readZip(await bytesOf(downloaded));
  return new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

/** More reads than can be decoded at the same time. */
export const many = [
  reads.kessv2,
  'samples/kessv2/read-1001.tfc',
  reads.kess3,
  reads.ktag,
  'samples/ktag/backup-2001.tfc',
];

/** Opens a tray of more reads than can be decoded at the same time, while no engine is running. */
export async function openBusyTray(page: Page, product: Product): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('group', { name: 'Drop any file from a slave' })).toBeVisible();
  await product.signalEngines('SIGSTOP');
  await choose(page, many.map(product.demoFile));
  await page.waitForURL((url) => url.pathname.startsWith('/trays/'));
  // one of the three operations that may run at the same time is left for the pages
  await expect(allRows(page).filter({ hasText: 'Decoding' })).toHaveCount(2);
  for (const name of ['backup-9000.tfc', 'backup-2001.tfc'])
    await expect(rowOf(page, name)).toContainText('Waiting');
}

/** Small changes to the decoded images of a tray, and one image that is mostly overwritten; the paths of the files. */
export async function modify(page: Page): Promise<readonly string[]> {
  const decoded = await zipOf(page, 'Download decoded files');
  const images = [...decoded].filter(([name]) => isFlash.test(name));
  expect(images).toHaveLength(3);
  const folder = await mkdtemp(join(tmpdir(), 'recodery-tray-'));
  return Promise.all(
    images.map(async ([name, bytes]) => {
      if (name.startsWith('KESS3_')) bytes.fill(0xa5, 0x40, bytes.length >> 1);
      else bytes.writeUInt16LE(0xbeef, 0x40);
      const path = join(folder, name.replace(/(\.\w+)$/, '_stage1$1'));
      await writeFile(path, bytes);
      return path;
    }),
  );
}
