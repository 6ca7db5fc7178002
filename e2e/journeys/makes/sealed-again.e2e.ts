/** Files that expire: a page, a tray and a link seal them again before they are downloaded. */
import type { Page } from '@playwright/test';
import { definitionOf } from '@recodery/contract/families/registry';
import { doFilesExpire } from '@recodery/contract/families/sealing';
import { ageSeals } from '../../aged-job.ts';
import { expect, expectAccessible, openSignedIn } from '../../fixtures.ts';
import { bytesOf, choose, decode, download, encode, write } from '../../workflow.ts';
import { sharePathIn } from '../../../server/test/email/mail-server.ts';
import { allMakes } from '../../../server/src/demo/doubles/makes.ts';
import { fill, textsByLocale } from '../../../server/src/texts/texts.ts';
import { slave, testOfMakes as test, newRead } from '../equipped.ts';

for (const make of allMakes.filter(({ family }) => doFilesExpire(family))) {
  const { name } = definitionOf(make.family);

  /** Decodes a read and uploads its modified image. */
  async function prepare(page: Page, file: string): Promise<Buffer> {
    const { read, modified } = newRead(make, file);
    await openSignedIn(page, `/${make.family}`);
    await decode(page, read);
    await choose(page, modified);
    await expect(page.getByText(/bytes? changed in 1 region/)).toBeVisible();
    return modified.buffer;
  }

  // promise e3.makes.sealed
  test(`${name}: a late download shows why the file was not sealed again, and then downloads a fresh one`, {
    tag: '@release',
  }, async ({ page, product, services }) => {
    const image = await prepare(page, 'late');
    await encode(page);
    await ageSeals(product, 30);
    const service = services.get(make);
    service?.sealed.splice(0);
    service?.misbehave({ status: 400, body: '{"message":"The read is too old."}' });
    await page.reload();
    await page.getByRole('button', { name: 'Download encoded file' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('The file was not sealed again');
    await expect(dialog).toContainText('The read is too old.');
    await expectAccessible(page, `${make.family}, sealing failed`);
    const fresh = await download(dialog.getByRole('button', { name: 'Try again' }));
    expect(make.open(await bytesOf(fresh))).toEqual({ slave, image });
    expect(service?.sealed).toHaveLength(1);
    await expect(dialog).toHaveCount(0);
  });

  // promise e3.makes.sealed
  test(`${name}: the recipient of a late link waits on its page while the file is sealed again`, {
    tag: '@release',
  }, async ({ page, product, services, mailServer, openScriptless }) => {
    const image = await prepare(page, 'sent');
    await page.getByRole('button', { name: 'More ways to encode' }).click();
    await page.getByRole('menuitem', { name: 'Encode and send', exact: true }).click();
    const popup = page.getByRole('dialog', { name: 'Encode and send' });
    await write(popup.getByLabel('Recipient email'), 'garage@rossi.test');
    await popup.getByRole('button', { name: 'Encode and send', exact: true }).click();
    const mail = await mailServer.next();
    await expect(page.getByText(/sealed .+; a late download is sealed again/)).toBeVisible();
    await ageSeals(product, 30);
    const service = services.get(make);
    if (service === undefined) throw new Error('the make has no double');
    service.sealed.splice(0);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    service.onRequest = () => released;

    const texts = textsByLocale.get('it-IT');
    if (texts === undefined) throw new Error('there are no Italian texts');
    const button = { name: texts.shareButton };
    const receiver = await openScriptless();
    await receiver.goto(new URL(sharePathIn(mail), product.url).href);
    await expect(receiver.getByText(texts.shareSealDue)).toBeVisible();
    // the service reports no serial number
    await expect(receiver.getByRole('heading', { level: 1 })).toHaveText(
      fill(texts.shareTitle, make.serialOf?.(slave) ?? name),
    );
    expect(service.sealed).toEqual([]);
    await receiver.getByRole('button', button).click();
    await expect(receiver.getByText(texts.shareSealing)).toBeVisible();
    await expect(receiver.getByRole('button')).toHaveCount(0);
    release();
    service.onRequest = null;
    // the page reloads itself
    await expect(receiver.getByText(texts.shareSealing)).toHaveCount(0);
    await expect(receiver.getByText(texts.shareSealDue)).toHaveCount(0);
    const fresh = await download(receiver.getByRole('button', button));
    expect(make.open(await bytesOf(fresh))).toEqual({ slave, image });
    expect(service.sealed).toHaveLength(1);
  });
}
