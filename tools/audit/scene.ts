/** The context of an audit scene, and the steps that scenes share. They find everything in every language. */
import type { Page } from '@playwright/test';
import type { Product } from '../../e2e/product.ts';
import { choose, modify, rowOf } from '../../e2e/workflow.ts';
import type { MailServer } from '../../server/test/email/mail-server.ts';
import type { TextOf } from '../../e2e/page-texts.ts';

/** The context of a scene. */
export interface Stage {
  /** Signed in as the language's own user, who has the same rights as the demo's anna. */
  readonly page: Page;
  /** From a different browser, which is not signed in. */
  readonly signedOutPage: Page;
  readonly product: Product;
  readonly mailServer: MailServer;
  /** For example `it-IT`. */
  readonly language: string;
  readonly t: TextOf;
  /** The paths that have been checked in this language. */
  readonly shown: ReadonlySet<string>;
  /** Checks a page in its current state; its width is restored afterward. */
  look(page: Page, state: string): Promise<void>;
}

/** The parts of the context that the steps of a recoding need. */
export type Recoding = Pick<Stage, 'page' | 'product' | 't'>;

/** The beginning of a text with placeholders, by which the filled one is found. */
export const partOf = (text: string): RegExp =>
  new RegExp(
    `^${(text.split(/\{[^}]*\}/)[0] ?? '').replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`,
  );

/** Opens a page and waits for its title. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('h1').first().waitFor();
}

/** Opens an empty recoding page, regardless of what was on it before, and waits for the drop area. */
export async function openRecoding(page: Page, path: string): Promise<void> {
  // a blank tab has no storage
  await page.evaluate(() => sessionStorage.removeItem('recodery.shown-operations')).catch(() => {});
  await page.goto(path);
  await page.locator('main input[type=file]').first().waitFor({ state: 'attached' });
}

/** Chooses a read file and waits until the encode step appears. */
export async function decode({ page, product, t }: Recoding, file: string): Promise<void> {
  await choose(page, product.demoFile(`samples/${file}`));
  await page.getByRole('button', { name: t('recoding.decodeNew'), exact: true }).waitFor();
  await page.getByRole('main').getByRole('listitem').first().waitFor();
}

/** Chooses a file that is refused. */
export async function beRefused({ page, product }: Stage, file: string): Promise<void> {
  await choose(page, product.demoFile(`samples/${file}`));
  await page.getByRole('main').getByRole('alert').first().waitFor();
}

/** Adds a modified file to a row and waits until it has been compared. */
export async function tune({ page, product }: Recoding, part: string, file: string): Promise<void> {
  await modify(page, part, product.demoFile(`samples/${file}`));
  await rowOf(page, part).getByRole('img').waitFor();
}

/** Encodes and waits for the button that downloads the file again. */
export async function encode({ page, t }: Stage): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: t('recoding.encode'), exact: true })
    .click();
  await page.getByRole('button', { name: t('recoding.downloadEncoded'), exact: true }).waitFor();
}

/** Blocks the calls to an address until `done`. */
export async function whileHung(
  page: Page,
  address: string,
  done: () => Promise<void>,
): Promise<void> {
  await page.route(address, () => undefined);
  await done();
  await page.unroute(address);
}

/** Responds to the calls to an address with a mock response until `done`. */
export async function whileAnswered(
  page: Page,
  address: string,
  answer: { readonly status?: number; readonly json?: unknown; readonly body?: string },
  done: () => Promise<void>,
): Promise<void> {
  const { status = 200, json, body } = answer;
  await page.route(address, (route) =>
    json === undefined
      ? route.fulfill({ status, contentType: 'text/plain', body: body ?? '' })
      : route.fulfill({ status, json }),
  );
  await done();
  await page.unroute(address);
}
