/** A file that expires is sent with the time until which its slave accepts it. */
import { randomBytes } from 'node:crypto';
import { definitionOf } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textsByLocale } from '../../src/texts/texts.ts';
import { type MailServer, sharePathIn, startMailServer } from '../email/mail-server.ts';
import { startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { allMakes } from '../fixtures/makes/makes.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { started } from '../journeys/kessv2-workflow.ts';

let server: MailServer;
let portal: RunningPortal;
beforeAll(async () => {
  server = await startMailServer();
  portal = await startTestPortal({
    RECODERY_SMTP_URL: server.url,
    RECODERY_MAIL_FROM: 'portal@recodery.test',
  });
});
afterAll(async () => {
  await portal.stop();
  await server.stop();
});

const anyOf = (key: 'shareSealedOn' | 'shareWriteBefore' | 'shareSealHint') =>
  [...textsByLocale.values()].map((texts) => texts[key]);
const contains = (text: string, words: readonly string[]) =>
  words.some((word) => text.includes(word));

test.each(allMakes)('$family: email and public page', async (make) => {
  const { family } = make;
  const service = await startFakeService(make);
  await addMake(portal.platform, service);
  const anna = await portal.signIn('anna@demo.test');
  const read = { field: 'readFile', bytes: make.seal('Golf', randomBytes(64)), name: 'golf' };
  const decoded = await anna.follow(
    started(await anna.upload('POST', `/api/${family}/upload-read-file`, read)),
  );
  const notificationInfo = { email: 'garage@rossi.test', message: null, isPrivate: false };
  const body = { slotGUID: decoded.slotGUID, files: {}, notificationInfo };
  const sent = await anna.follow(started(await anna.post(`/api/${family}/encode-file`, body)));
  const { sealedOn, expiresOn } = sent.result as unknown as Record<string, string | null>;
  const isExpiring = (definitionOf(family).sealing?.hoursValid ?? null) !== null;
  expect([typeof sealedOn, expiresOn !== null]).toEqual(['string', isExpiring]);

  const mail = await server.next();
  const page = await (await fetch(new URL(sharePathIn(mail), portal.url))).text();
  for (const part of [mail.part('text/plain'), mail.part('text/html'), page])
    for (const key of ['shareWriteBefore', 'shareSealHint'] as const)
      expect(contains(part, anyOf(key)), key).toBe(isExpiring);
  if (isExpiring) {
    expect(page).toContain(`datetime="${sealedOn}"`);
    expect(page).toContain(`datetime="${expiresOn}"`);
  }
  await service.stop();
});
