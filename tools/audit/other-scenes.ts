/** Scenes outside the workflow: menus, popups, notifications, jobs, settings, the log, messages and refusals. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import type { Notification } from '@recodery/contract/features/notifications';
import { open, openRecoding, type Stage, whileAnswered, whileHung } from './scene.ts';
import { narrowScreen } from './screens.ts';

const notifications = '**/api/async-operation-notifications/?*';

async function playHome({ page, t, look }: Stage): Promise<void> {
  await open(page, '/');
  await look(page, 'home');
  const buttons = page.getByRole('banner').locator('button[aria-haspopup]');
  const names = ['customer codes', 'bell', 'languages', 'account'];
  for (const [at, name] of names.entries()) {
    await buttons.nth(at).click();
    await page.locator('[role=menu], [role=dialog]').first().waitFor();
    await look(page, `home, ${name}`);
    await page.keyboard.press('Escape');
    await page.locator('[role=menu], [role=dialog]').first().waitFor({ state: 'hidden' });
  }
  await page.setViewportSize(narrowScreen);
  await page.getByRole('button', { name: t('layout.openMenu'), exact: true }).click();
  await look(page, 'home, menu on a narrow screen');
  await whileAnswered(page, '**/api/operations?*', { json: [] }, async () => {
    await open(page, '/');
    await look(page, 'home, no operations yet');
  });
}

/** Notifications of every kind: long texts, every email status, sent and received. */
function everyKind(): readonly Notification[] {
  const completedOn = new Date(Date.now() - 3_600_000).toISOString();
  const base: Notification = {
    guid: '01890000-0000-7000-8000-000000000000',
    asyncOperationType: 'KESSv2Encode',
    completedOn,
    isSuccessful: true,
    message: 'tuned_by_Officina-Demo_second-attempt_of_a_very_long_name_without_any_space.moc',
    longMessage: 'RS6_4.0TFSI_stage-2_by_Officina-Demo_second-attempt_final.tfc\nKV2-000007',
    targetURL: '/api/files/none',
    targetURLFileName: 'tuned.moc',
    deviceSerialNumber: 'KV2-000007',
    errorCode: null,
    errorDetail: null,
    isSent: true,
    isReceived: false,
    isPrivate: true,
    otherOrganizationName: null,
    senderNotifiedOn: completedOn,
    senderInteractedOn: null,
    receiverNotifiedOn: null,
    receiverInteractedOn: null,
    mail: null,
  };
  const email = 'a.very.long.name.of.somebody@workshop-with-a-long-name.example';
  const mail = { email, failure: null, sentOn: completedOn, firstDownloadOn: null } as const;
  const kinds: readonly Partial<Notification>[] = [
    { mail: { ...mail, status: 'waiting', way: null } },
    { mail: { ...mail, status: 'sent', way: 'mail-server', firstDownloadOn: completedOn } },
    { mail: { ...mail, status: 'sent', way: 'outbox' } },
    { mail: { ...mail, status: 'failed', way: null, failure: 'refused' } },
    { mail: { ...mail, status: 'revoked', way: 'mail-server' }, targetURL: null },
    { isSuccessful: false, errorCode: 'FILE_CORRUPTED', targetURL: null },
    { isSent: false, isReceived: true, isPrivate: false, otherOrganizationName: 'Garage Rossi' },
    { senderInteractedOn: completedOn },
  ];
  return kinds.map((kind, at) => ({ ...base, guid: base.guid.replace(/0$/, String(at)), ...kind }));
}

async function playNotifications({ page, t, look }: Stage): Promise<void> {
  await open(page, '/notifications');
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  await look(page, 'notifications');
  await whileAnswered(page, notifications, { json: everyKind() }, async () => {
    await open(page, '/notifications');
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await look(page, 'notifications of every kind');
    const revoke = page.getByRole('button', { name: t('notifications.revoke'), exact: true });
    await revoke.first().click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'notifications, withdraw the link');
  });
  await whileAnswered(page, notifications, { json: [] }, async () => {
    await open(page, '/notifications');
    await page.getByText(t('notifications.invitation')).waitFor();
    await look(page, 'notifications, empty');
  });
  await whileAnswered(page, notifications, { status: 403, body: 'USER_NO_RIGHTS' }, async () => {
    await open(page, '/notifications');
    await look(page, 'notifications, no right');
  });
}

/** Jobs of every kind: long texts, every state, with and without encoded files and compacted backups. */
function everyJob(): readonly JobSummary[] {
  const base: JobSummary = {
    slotGUID: '01890000-0000-7000-8000-000000000000',
    family: 'kess3',
    workflow: 'kess3',
    fileName: 'RS6_4.0TFSI_stage-2_by_Officina-Demo_second-attempt_of_a_very_long_name.kess3',
    createdOn: '2025-12-28T22:58:00.000Z',
    slaveSerialNumber: 'KS3-000042',
    vin: 'WUAZZZ4F56N900123',
    protocolID: 3001,
    protocolName: 'REF-BENCH-FULL',
    engine: '4.0 TFSI V8 biturbo with a long description of the engine',
    hardware: '4G0907589A',
    software: '4G0906014B',
    userDisplayName: 'Massimiliano Aurelio de Angelis-Conti',
    isKept: true,
    note: 'Customer wants more torque below 2000 rpm. Call before the DPF is touched.',
    customerLabel: 'Officina Massimiliano Aurelio de Angelis-Conti e Figli',
    plate: 'AB 123 CD',
    vehicleMake: 'Audi',
    vehicleModel: 'RS6 Avant performance 4.0 TFSI',
    encodedFiles: 12,
    state: 'decoded',
  };
  const bare = {
    vin: null,
    engine: null,
    protocolID: null,
    protocolName: null,
    note: null,
    customerLabel: null,
    plate: null,
    vehicleMake: null,
    vehicleModel: null,
  };
  const kinds: readonly Partial<JobSummary>[] = [
    {},
    { workflow: 'kess3-utility', encodedFiles: 123 },
    { isKept: false, createdOn: new Date().toISOString(), note: null },
    { ...bare, state: 'failed', isKept: false, encodedFiles: 0 },
    { ...bare, state: 'failed', workflow: 'kess3-utility', encodedFiles: 0 },
    { ...bare, state: 'decoding', isKept: false, encodedFiles: 0 },
  ];
  return kinds.map((kind, at) => ({
    ...base,
    slotGUID: base.slotGUID.replace(/0$/, String(at)),
    ...kind,
  }));
}

async function playJobs({ page, t, look }: Stage): Promise<void> {
  await open(page, '/jobs');
  const jobs = page.getByRole('main').getByRole('list').getByRole('link');
  await jobs.first().waitFor();
  await look(page, 'jobs');
  await jobs.first().click();
  await page.getByRole('heading', { name: t('job.history'), exact: true }).waitFor();
  await look(page, 'job');
  await whileAnswered(page, '**/api/jobs?*', { json: everyJob() }, async () => {
    await open(page, '/jobs?search=tfsi');
    await jobs.nth(5).waitFor();
    await look(page, 'jobs of every kind');
  });
  await whileAnswered(page, '**/api/jobs?*', { json: [] }, async () => {
    await open(page, '/jobs?search=nothing');
    await page.getByText(t('jobs.none'), { exact: true }).waitFor();
    await look(page, 'jobs, none found');
  });
}

async function playSettings({ page, t, look }: Stage): Promise<void> {
  await open(page, '/settings');
  const name = page.getByRole('main').getByRole('textbox').first();
  await name.waitFor();
  await look(page, 'settings');
  await name.fill('stage %r');
  await look(page, 'settings, unsaved changes');
  await name.fill('stage %q');
  await look(page, 'settings, invalid name');
  await name.fill('stage:%r');
  await look(page, 'settings, invalid character');
  await name.fill('');
  await page.getByRole('main').locator('button[aria-haspopup]').first().click();
  await page.getByRole('menu').waitFor();
  await look(page, 'settings, list of encode actions');
  await page.keyboard.press('Escape');
  await name.fill('stage %r');
  await whileAnswered(
    page,
    '**/api/preferences/',
    { status: 400, body: 'BAD_REQUEST' },
    async () => {
      await page.getByRole('button', { name: t('settings.save'), exact: true }).click();
      await page.getByRole('main').getByRole('alert').first().waitFor();
      await look(page, 'settings, not accepted');
    },
  );
}

async function playLog({ page, t, look }: Stage): Promise<void> {
  await open(page, '/operations-log');
  await look(page, 'operations log');
  await whileHung(page, '**/api/operations-log/*', async () => {
    await page.getByRole('main').getByRole('button').first().click();
    await page.getByRole('button', { name: t('ui.cancel'), exact: true }).waitFor();
    await look(page, 'operations log, downloading');
  });
}

/** Rare states: the responses are mocked. */
async function playRefusals({ page, t, look }: Stage): Promise<void> {
  const busy = JSON.stringify({ errorCode: 'API_ERROR_THROTTLING', details: [] });
  for (const [status, body, state] of [
    [403, 'USER_NOT_AUTHORIZED', 'K-TAG, not authorized'],
    [403, 'UNAUTHORIZED_ROLE', 'K-TAG, no access'],
    [429, busy, 'K-TAG, too many operations'],
    [500, 'GENERIC_ERROR', 'K-TAG, server error'],
  ] as const) {
    await whileAnswered(page, '**/api/ktag?*', { status, body }, async () => {
      await open(page, '/ktag');
      await page
        .locator('main [role=alert], main h1[tabindex], main p[role=status]')
        .first()
        .waitFor();
      await look(page, state);
    });
  }
  await open(page, '/nowhere');
  await look(page, 'page not found');
  await page.route('**/assets/settings-page*', (route) => route.abort());
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1, name: t('routeError.title') }).waitFor();
  await look(page, 'a page that could not be loaded');
  await page.unroute('**/assets/settings-page*');
}

async function playNotices({ page, look }: Stage): Promise<void> {
  const text = `Stocktaking on Friday, no deliveries.\nhttps://example.test/${'long/'.repeat(30)}`;
  const messages = [{ guid: '01890000-0000-7000-8000-000000000001', text }];
  await page.route('**/api/events', (route) => route.abort());
  await page.route('**/api/maestro-checkup/status', (route) =>
    route.fulfill({ json: { statusCode: 503 } }),
  );
  await whileAnswered(
    page,
    '**/api/comunication-messages/message*',
    { json: messages },
    async () => {
      await openRecoding(page, '/kessv2');
      await page.locator('[aria-live] strong').first().waitFor();
      await page.getByText('Stocktaking').waitFor();
      await look(page, 'KESSv2 in maintenance, with a message');
    },
  );
  await page.unroute('**/api/maestro-checkup/status');
  await page.unroute('**/api/events');
  await whileAnswered(page, '**/api/auth/tou/has-accepted', { json: false }, async () => {
    await page.goto('/');
    await page.getByRole('dialog').waitFor();
    await look(page, 'terms of use');
    await page.getByRole('dialog').getByRole('checkbox').first().check();
    await look(page, 'terms of use, one accepted');
  });
  await whileAnswered(page, '**/logout', { status: 500, body: 'GENERIC_ERROR' }, async () => {
    await open(page, '/');
    await page.getByRole('banner').locator('button[aria-haspopup]').last().click();
    await page.getByRole('menuitem').last().click();
    await page.getByRole('alertdialog').waitFor();
    await look(page, 'home, a short message');
  });
}

/** In its own tab: the style that hides the bait stays with the page. */
async function playAdBlocker({ page, look }: Stage): Promise<void> {
  const tab = await page.context().newPage();
  await tab.addInitScript(() => {
    const list = new CSSStyleSheet();
    list.replaceSync('.adsbox { display: none !important }');
    document.addEventListener('DOMContentLoaded', () => {
      document.adoptedStyleSheets = [list];
    });
  });
  await tab.goto('/');
  await tab.getByRole('dialog').waitFor();
  await look(tab, 'home, ad blocker detected');
  await tab.close();
}

/** The scenes in their order. */
export const otherScenes: readonly ((stage: Stage) => Promise<void>)[] = [
  playHome,
  playNotifications,
  playJobs,
  playSettings,
  playLog,
  playRefusals,
  playNotices,
  playAdBlocker,
];
