/** What has changed in this version and those before it; it is written in English. */
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { Loaded } from '../../../ui/loading/loaded.tsx';
import { useChangelog } from './overview.ts';

export interface ChangelogProps {
  readonly onClose: () => void;
}

export function Changelog({ onClose }: ChangelogProps) {
  const { t } = useTexts();
  return (
    <Dialog
      title={t('admin.updates.changelog')}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('ui.close')}
        </Button>
      }
    >
      <Loaded query={useChangelog()} waiting={<Skeleton lines={8} className="py-2" />}>
        {({ text }) => (
          <div lang="en" className="text-md whitespace-pre-wrap wrap-anywhere">
            {text}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
