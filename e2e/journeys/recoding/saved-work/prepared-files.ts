/** A KESSv2 read that is decoded, with its modified file: what journeys about saved work begin with. */
import type { Page } from '@playwright/test';
import { expect } from '../../../fixtures.ts';
import { decode, modify, rowOf } from '../../../workflow.ts';

export const kessv2Read = 'samples/kessv2/read-1001.tfc';
export const kessv2Modified = 'samples/kessv2/read-1001-modified.bin';

/** Decodes a KESSv2 read and uploads its modified file. */
export async function prepare(page: Page, demoFile: (name: string) => string): Promise<void> {
  await page.goto('/kessv2');
  await decode(page, demoFile(kessv2Read));
  await modify(page, 'Modified file', demoFile(kessv2Modified));
  await expectPrepared(page);
}

export async function expectPrepared(page: Page): Promise<void> {
  await expect(rowOf(page, 'Modified file')).toContainText('read-1001-modified.bin');
  await expect(rowOf(page, 'Modified file')).toContainText('changed in');
}

export const encodeButton = (page: Page) =>
  page.getByRole('button', { name: 'Encode', exact: true });
export const cvn = (page: Page) => page.getByRole('switch', { name: 'Correct CVN' });
