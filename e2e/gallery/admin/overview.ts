/** The states of the operators' overview, and of its messages. */
import { expect } from '@playwright/test';
import type { Group } from '../states.ts';
import { all, button, offers, showsText, t } from '../steps.ts';

export const overview: Group = {
  'features/admin/overview/hours-chart.tsx': {
    async 'a day'(page) {
      await expect(page.locator('[aria-hidden=true] > div')).toHaveCount(24);
    },
  },
  'features/admin/overview/installation.tsx': {
    quiet: all(
      showsText(t('admin.overview.running'), 'The last backup is 9 days old.'),
      async (page) => {
        // what failed is the first
        await expect(page.getByRole('listitem').first()).toContainText('engine acme');
      },
    ),
    busy: showsText(t('admin.overview.noMailServer'), '550 5.7.1'),
    async loading(page) {
      await expect(page.locator('.animate-skeleton').first()).toBeVisible();
    },
    'network error': all(showsText(t('NETWORK_ERROR_TITLE')), async (page) => {
      await expect(button(page, 'ui.tryAgain')).toHaveCount(2);
    }),
  },
  'features/admin/overview/updates.tsx': {
    'no newer version': all(
      showsText(t('admin.updates.current')),
      offers('admin.updates.changelog'),
    ),
    failed: all(showsText('getaddrinfo ENOTFOUND'), async (page) => {
      await expect(page.getByText(t('admin.updates.current'))).toHaveCount(0);
    }),
    'not asked yet': showsText(t('admin.updates.never')),
  },
  'features/admin/overview/changelog.tsx': {
    'of two versions': showsText('[0.13.0]'),
  },
  'pages/admin/messages-preview.tsx': {
    'one message': showsText('The portal moves on Sunday from 18:00.'),
    'no message': showsText(t('admin.messages.nothing')),
  },
};
