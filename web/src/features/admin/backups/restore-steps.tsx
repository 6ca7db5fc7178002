/** How a backup is restored: with a command, while Recodery is stopped. */
import { useTexts } from '../../../i18n/texts.ts';
import { CopyCode } from '../../../ui/actions/copy-code.tsx';
import { Panel } from '../../../ui/display/panel.tsx';

export interface RestoreStepsProps {
  /** The command for an installation without containers. */
  readonly command: string;
}

/** The same command for the container of the compose file. */
const inContainer = (command: string): string =>
  command.replace(/^npx --no-install recodery/, 'docker compose run --rm recodery');

export function RestoreSteps({ command }: RestoreStepsProps) {
  const { t } = useTexts();
  return (
    <Panel>
      <section className="flex flex-col gap-3" aria-label={t('admin.backups.restore')}>
        <h2 className="text-lg">{t('admin.backups.restore')}</h2>
        <ol className="flex list-decimal flex-col gap-3 ps-5 text-md">
          <li>{t('admin.backups.restoreStop')}</li>
          <li>
            {t('admin.backups.restoreRun')}
            <span className="mt-1 block rounded-m bg-sunken px-2 py-1">
              <CopyCode code={command} />
            </span>
            <span className="mt-2 block">{t('admin.backups.restoreContainer')}</span>
            <span className="mt-1 block rounded-m bg-sunken px-2 py-1">
              <CopyCode code={inContainer(command)} />
            </span>
          </li>
          <li>{t('admin.backups.restoreStart')}</li>
        </ol>
      </section>
    </Panel>
  );
}
