/** What to do next, on the home page of the operator who has just set up the installation. */
import { type TextKey, useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';

const later: readonly (readonly [text: TextKey, path: string])[] = [
  ['setup.next.people', '/admin/users'],
  ['setup.next.overview', '/admin'],
];

export interface NextStepsPanelProps {
  /** Whether the setup has added a slave. */
  readonly hasDevices: boolean;
  readonly onClose: () => void;
}

export function NextStepsPanel({ hasDevices, onClose }: NextStepsPanelProps) {
  const { t } = useTexts();
  return (
    <Panel
      title={t('setup.next.title')}
      actions={<Button onPress={onClose}>{t('ui.close')}</Button>}
    >
      <p className="text-pretty">
        {t(hasDevices ? 'setup.next.file' : 'setup.next.noDevices')}{' '}
        {!hasDevices && <TextLink href="/admin/masters">{t('admin.masters.add')}</TextLink>}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-5 gap-y-2 text-md">
        {later.map(([text, path]) => (
          <TextLink key={path} href={path}>
            {t(text)}
          </TextLink>
        ))}
      </p>
    </Panel>
  );
}
