/** Scenes without a session: sign-in, invitation, the public page of a sent file, the guide. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { decode, open, openRecoding, type Stage, tune } from './scene.ts';

async function playSending(stage: Stage): Promise<void> {
  const { page, signedOutPage, t, look } = stage;
  await openRecoding(page, '/kessv2');
  await decode(stage, 'kessv2/read-9000.tfc');
  await tune(stage, t('recoding.part.modified'), 'kessv2/read-9000-modified.bin');
  await page.getByRole('button', { name: t('recoding.encodeMore'), exact: true }).click();
  await page.getByRole('menu').waitFor();
  await look(page, 'KESSv2, encode menu');
  await page.getByRole('menuitem').first().click();
  const popup = page.getByRole('dialog');
  const email = popup.getByRole('textbox').first();
  await email.waitFor();
  await look(page, 'send popup');
  const confirm = popup.getByRole('button').last();
  await email.fill('garage@rossi');
  await confirm.click();
  await popup.getByText(t('recoding.send.emailWrong')).waitFor();
  await look(page, 'send popup, invalid address');
  await email.fill(`${stage.language}@rossi.test`);
  await confirm.click();
  await page.getByRole('button', { name: t('recoding.another'), exact: true }).waitFor();
  await look(page, 'KESSv2, sent');
  const link = await linkTo(stage, `${stage.language.toLowerCase()}@rossi.test`);
  await open(signedOutPage, link);
  await look(signedOutPage, 'public page');
  await open(page, '/notifications');
  const row = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `${stage.language}@` });
  await row.getByRole('button', { name: t('notifications.revoke'), exact: true }).click();
  await page.getByRole('dialog').getByRole('button').last().click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await open(signedOutPage, link);
  await look(signedOutPage, 'public page, link withdrawn');
  await open(signedOutPage, link.slice(0, -1));
  await look(signedOutPage, 'public page, broken link');
}

/** The link in the email to this recipient; emails of other languages may arrive in between. */
async function linkTo({ mailServer }: Stage, recipient: string): Promise<string> {
  for (let tries = 0; tries < 300; tries += 1) {
    const mail = mailServer.emails.find(({ to }) =>
      to.some((one) => one.toLowerCase() === recipient),
    );
    if (mail) return /https?:\/\/\S+\/r\/\S+/.exec(mail.part('text/plain'))?.[0] ?? '';
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no email was sent to ${recipient}`);
}

/** A tab in the background delays the sign-in. */
async function inspectWaiting(page: Page, look: Stage['look']): Promise<void> {
  const tab = await page.context().newPage();
  await tab.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  });
  await tab.goto('/login?from=%2F');
  await tab.getByRole('status').waitFor();
  await look(tab, 'redirecting to the sign-in');
  await tab.close();
}

async function playSignIn({ signedOutPage: page, language, look }: Stage): Promise<void> {
  await page.goto('/');
  await page.locator('form input[type=password]').waitFor();
  await look(page, 'sign-in');
  await page.locator('form input:not([type=hidden])').first().fill(`${language}@demo.test`);
  await page.locator('form input[type=password]').fill('wrong');
  await page.locator('form button').click();
  await page.getByRole('alert').waitFor();
  await look(page, 'sign-in, wrong password');
  await page.goto('/loggedin?error=SIGN_IN_ACCOUNT_UNKNOWN');
  await page.getByRole('alert').waitFor();
  await look(page, 'sign-in refused');
  await page.goto('/login?signedOut');
  await page.getByRole('alert').waitFor();
  await look(page, 'signed out in another tab');
  await inspectWaiting(page, look);
  await open(page, '/idp/session/end');
  await look(page, 'sign out');
  await open(page, '/idp/auth?client_id=nobody');
  await look(page, 'sign-in, invalid request');
}

async function playInvitation(stage: Stage): Promise<void> {
  const { signedOutPage: page, product, language, look } = stage;
  const email = `new.${language}@demo.test`.toLowerCase();
  const file = join(product.dataFolder, `${language}.yaml`);
  const user = `  - email: ${email}\n    name: Zoe Neri\n    customerCodes: [CC-1001]\n`;
  await writeFile(file, `users:\n${user}`);
  await product.recodery('directory', 'apply', file);
  const link = (await product.recodery('user', 'invite', email)).trim();
  await open(page, link);
  await look(page, 'set a password');
  await page.locator('input[type=password]').evaluate((field: HTMLInputElement) => {
    field.removeAttribute('minlength');
  });
  await page.locator('input[type=password]').fill('short');
  await page.locator('form button').click();
  await page.getByRole('alert').waitFor();
  await look(page, 'set a password, too short');
  await page.locator('input[type=password]').fill('a long enough password');
  await page.locator('form button').click();
  await page.locator('input[type=password]').waitFor({ state: 'hidden' });
  await look(page, 'password set');
  await open(page, link);
  await look(page, 'invitation already used');
}

async function playGuide({ signedOutPage: page, language, look }: Stage): Promise<void> {
  await open(page, `/guide/${language.slice(0, 2)}`);
  await look(page, 'user guide');
  if (language !== 'en-US') return;
  await open(page, '/api/docs');
  await look(page, 'API page');
}

/** The scenes in their order. */
export const signedOutScenes: readonly ((stage: Stage) => Promise<void>)[] = [
  playSending,
  playSignIn,
  playInvitation,
  playGuide,
];
