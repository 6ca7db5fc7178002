/** What the rows, buttons and results of the encode step must do in each of their states. */
import { expect, type Page } from '@playwright/test';
import { type Promises } from '../states.ts';
import {
  all,
  button,
  damaged,
  dialogOf,
  dropFiles,
  expectFocusTrapped,
  expectReports,
  hasFault,
  lineBroken,
  offers,
  pressEscape,
  pressKey,
  refuses,
  showsText,
  t,
} from '../steps.ts';

/** A button of a row: its accessible name also contains the component. */
export const rowButton = (page: Page, key: string) =>
  button(page, 'ui.labelled', { label: t(key), value: t('recoding.part.flash') });
const row = (page: Page) => page.getByRole('listitem').first();
export const removal = (page: Page) =>
  page.getByRole('switch', {
    name: t('ui.labelled', {
      label: t('recoding.state.removed'),
      value: t('recoding.part.flash'),
    }),
  });

/** A row shows its state, and its switch removes the component. */
export const isRow =
  (state: string, ...more: readonly Promises[]): Promises =>
  async (page) => {
    await expect(
      row(page)
        .getByText(t(`recoding.state.${state}`))
        .first(),
    ).toBeVisible();
    await all(...more)(page);
  };

export const isRemovable: Promises = async (page) => {
  await pressKey(removal(page), 'Space');
  await expectReports(page, 'remove');
};

export const takesFile: Promises = async (page) => {
  await dropFiles(page.getByRole('group').first(), 'stage1.fls', 'second.fls');
  await expectReports(page, 'Flash stage1.fls');
};

export const hasStrip: Promises = async (page) => {
  await expect(page.getByRole('img').first()).toHaveAccessibleName(/424.*26/);
};

export const isRestored: Promises = async (page) => {
  const name = t('ui.labelled', { label: t('recoding.restore'), value: t('recoding.part.flash') });
  await page.getByRole('button', { name, exact: true }).click();
  await expectReports(page, 'restore');
};

/** The earlier file is named and comes back. */
export const isUndone =
  (words: string): Promises =>
  async (page) => {
    const value = 'stage1_flash_v2.fls';
    await showsText(t(`recoding.part.${words}`, { file: value }))(page);
    await button(page, 'ui.labelled', { label: t('recoding.part.undo'), value }).click();
    await expectReports(page, 'undo');
  };

export const anotherOf = (page: Page) =>
  button(page, 'ui.labelled', {
    label: t('recoding.chooseAnother'),
    value: t('recoding.part.flash'),
  });

/** A refused file is asked about before the encode: the title names its part. */
export const asksBefore =
  (title: string, part: string): Promises =>
  async (page) => {
    const send = button(page, 'recoding.encodeAndSend');
    await pressKey(send, 'Enter');
    await expect(dialogOf(page)).toHaveAccessibleName(t(title, { parts: t(part) }));
    await pressEscape(page);
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(send).toBeFocused();
    await pressKey(send, 'Enter');
    await button(page, 'recoding.refused.confirm').click();
    // confirmed once: the next question is who to send it to
    await expect(dialogOf(page)).toHaveAccessibleName(t('recoding.send.title'));
    await button(page, 'ui.cancel').click();
    await expect(dialogOf(page)).toHaveCount(0);
    await expectReports(page);
  };

/** Presses the first item of the menu; until it has the focus, the key would be lost. */
export async function chooseFromMenu(page: Page): Promise<void> {
  await pressKey(button(page, 'recoding.encodeMore'), 'ArrowDown');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Enter');
}

/** The main action opens the popup; the other one in the menu encodes immediately. */
export const encodes: Promises = async (page) => {
  await pressKey(button(page, 'recoding.encodeAndSend'), 'Enter');
  await expectFocusTrapped(dialogOf(page));
  await pressEscape(page);
  await expect(dialogOf(page)).toHaveCount(0);
  await chooseFromMenu(page);
  await expectReports(page, 'encode parts');
  await expect(page.getByRole('button', { name: t('recoding.encoding') })).toBeDisabled();
};

export const refusesEncode = refuses('recoding.encodeAndSend', 'recoding.encodeMore');
export const isEncoding: Promises = async (page) => {
  const busy = page.getByRole('button', { name: t('recoding.encoding') });
  await expect(busy).toContainText(t('ui.working'));
  await refuses('recoding.encodeMore')(page);
};
export const startsOver: Promises = async (page) => {
  await pressKey(button(page, 'recoding.startOver'), 'Enter');
  await expectReports(page, 'reset');
};
export const sentTo = showsText(
  t('recoding.sentTo', { email: 'garage@rossi.test' }),
  t('recoding.sentDetail'),
);
export const isResult: Promises = async (page) => {
  await showsText('20261121-095833.moc', t('recoding.checksumsRight_other', { count: '3' }))(page);
  // the strip above the steps announces it; a second live region would speak at the same time
  await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveCount(0);
};
/** Another file can be encoded: the initial buttons are back. */
const encodesAnother: Promises = async (page) => {
  await pressKey(button(page, 'recoding.another'), 'Enter');
  await expect(button(page, 'recoding.encodeAndSend')).toBeVisible();
  await expect(button(page, 'recoding.another')).toHaveCount(0);
};

/** The link leads to the receipt, in a new tab: the work on the page stays. */
export const linksToReceipt: Promises = async (page) => {
  const link = page.getByRole('link', { name: t('recoding.receipt') });
  await expect(link).toHaveAttribute('href', '/receipts/7K3M-9QXD-02HF-VT5B?language=en-US');
  await expect(link).toHaveAttribute('target', '_blank');
};

/** The button that returns to the old code comes first: without it, another attempt fails in the same way. */
export const hasCodeChanged: Promises = async (page) => {
  const controls = page.getByRole('alert').locator('button, a');
  const back = t('recoding.backToOldCode', { code: 'CC-1001' });
  await expect(controls).toContainText([back, t('ui.tryAgain'), t('ui.contactSupport')]);
};

/** The step for one kind of read: whether encoding can start without an upload, and with the modified file alone. */
interface StepPromises {
  readonly bare: Promises;
  readonly laidOut: Promises;
  readonly refused: Promises;
  /** A file was refused, and the one before it is there. */
  readonly earlier: Promises;
}

export function stepStates(kind: string, { bare, laidOut, refused, earlier }: StepPromises) {
  return {
    [`${kind}, nothing prepared`]: bare,
    [`${kind}, prepared`]: all(showsText('stage1_flash_v3.fls'), laidOut),
    [`${kind}, encoding`]: all(isEncoding, startsOver),
    [`${kind}, encoded`]: all(isResult, offers('recoding.downloadEncoded'), encodesAnother),
    [`${kind}, sent`]: all(sentTo, encodesAnother),
    [`${kind}, failed`]: all(hasFault(damaged, 'ui.tryAgain'), refusesEncode),
    [`${kind}, failed, can be retried`]: all(
      hasFault(lineBroken, 'ui.tryAgain', 'recoding.backToFiles'),
      async (page) => {
        await button(page, 'recoding.backToFiles').click();
        await expect(page.getByRole('alert')).toHaveCount(0);
      },
    ),
    [`${kind}, failed, connection lost`]: hasFault(
      t('recoding.lost.title'),
      'recoding.followAgain',
      'ui.tryAgain',
    ),
    [`${kind}, failed, code changed`]: hasCodeChanged,
    [`${kind}, a file was refused`]: all(hasFault(damaged, 'ui.tryAgain'), refused),
    [`${kind}, a file was not uploaded`]: all(hasFault(lineBroken, 'ui.tryAgain'), refused),
    [`${kind}, another file was refused`]: all(hasFault(damaged, 'ui.tryAgain'), earlier),
  };
}

export const reencodes: Promises = async (page) => {
  await pressKey(button(page, 'recoding.reencode'), 'Enter');
  await expectReports(page, 'encode decoded');
};
