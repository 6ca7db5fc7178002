/** The home page of a user who may not open any page yet: what is missing, and whom to contact. */
import { Refusal } from '@recodery/contract/refusal';
import Unplug from 'lucide-react/icons/unplug';
import { isMissingSlave, refusalToExplain } from '../../features/session/entries.ts';
import { useSession } from '../../features/session/session.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { CopyCode } from '../../ui/actions/copy-code.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Panel } from '../../ui/display/panel.tsx';
import { SupportLink } from '../../ui/actions/support-link.tsx';

/** What is missing. Only the missing slave has its own text: its error text is written for a recoding page. */
function missingOf(t: TextOf, code: ReturnType<typeof refusalToExplain>, organization: string) {
  if (!isMissingSlave(code)) return thrownProblem(t, new Refusal(code));
  return { headline: t('home.noSlave.title'), advice: t('home.noSlave', { organization }), code };
}

export function HomeBlocked() {
  const { t } = useTexts();
  const session = useSession();
  const refusal = refusalToExplain(session);
  const { headline, advice, code } = missingOf(t, refusal, session.userOrganizationName);
  return (
    <Panel>
      <EmptyState icon={Unplug} title={headline}>
        <p className="max-w-[70ch]">{advice}</p>
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button look="primary" onPress={() => location.reload()}>
            {t('RefreshPage')}
          </Button>
          <SupportLink />
          <CopyCode code={code} />
        </div>
      </EmptyState>
    </Panel>
  );
}
