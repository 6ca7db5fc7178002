/** The command-line program that the portal offers: what it is, its download and its hash. */
import Download from 'lucide-react/icons/download';
import { useTexts } from '../../i18n/texts.ts';
import { CopyCode } from '../../ui/actions/copy-code.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { Panel } from '../../ui/display/panel.tsx';

const name = 'recodery-remote';
const file = `${name}.mjs`;
/** The oldest version of Node for which `web/remote-program.ts` makes it. */
const node = '20';

export interface RemoteProgramProps {
  readonly version: string;
  readonly sha256: string;
}

export function RemoteProgram({ version, sha256 }: RemoteProgramProps) {
  const { t } = useTexts();
  return (
    <Panel
      title={t('clients.remote')}
      actions={
        <LinkButton icon={Download} href={`/downloads/${file}`} download={file}>
          {t('clients.remoteDownload', { version })}
        </LinkButton>
      }
    >
      <p className="max-w-[70ch] text-pretty text-ink-2">
        {t('clients.remoteAbout', { name, node })}
      </p>
      <p className="mt-2 flex flex-wrap items-center text-sm text-ink-3">
        {t('clients.remoteHash')} <CopyCode code={sha256} kind="hash" of={file} />
      </p>
    </Panel>
  );
}
