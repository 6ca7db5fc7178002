/** The states of what all pages of the administration share: its sections, and who sees them. */
import { expect } from '@playwright/test';
import type { Group } from '../states.ts';
import { all, pressKey, showsText, t } from '../steps.ts';

export const sections: Group = {
  'pages/admin/admin-frame.tsx': {
    'no operator': all(showsText(t('admin.forbidden'), t('admin.forbiddenAbout')), async (page) => {
      await expect(page.getByText('Nothing.')).toHaveCount(0);
      await expect(page.getByRole('link', { name: t('menu.admin') })).toHaveCount(0);
    }),
    async 'part of a section'(page) {
      const sections = page.getByRole('navigation', { name: t('admin.sections') });
      const users = t('admin.users.title');
      await expect(sections.getByRole('link', { name: users })).toBeVisible();
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(sections.getByRole('link')).toHaveCount(0);
      const list = sections.getByRole('button');
      await expect(list).toHaveText(t('admin.terms.title'));
      await pressKey(list, 'Enter');
      await page.getByRole('menuitemradio', { name: users, exact: true }).click();
      await expect(list).toHaveText(users);
    },
  },
};
