/** Asks which family a dropped file is from, when the file does not show it and several engines would take it. */
import { definitionOf, workflowOf } from '@recodery/contract/families/registry';
import { iconOf } from '../../features/recoding/families/registry.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import type { ForeignPage } from '../jobs/find-page.ts';

export interface HomeFamilyProps {
  readonly fileName: string;
  readonly pages: readonly ForeignPage[];
  readonly onChoose: (page: ForeignPage) => void;
  readonly onCancel: () => void;
}

export function HomeFamily({ fileName, pages, onChoose, onCancel }: HomeFamilyProps) {
  const { t } = useTexts();
  return (
    <Panel title={t('home.family')}>
      <p className="mb-4 break-words text-ink-2">{t('home.family.about', { file: fileName })}</p>
      <div className="flex flex-wrap gap-2">
        {pages.map((one) => (
          <Button key={one.page} icon={iconOf(one.page)} onPress={() => onChoose(one)}>
            {definitionOf(workflowOf(one.page).family).name}
          </Button>
        ))}
        <Button look="quiet" onPress={onCancel}>
          {t('ui.cancel')}
        </Button>
      </div>
    </Panel>
  );
}
