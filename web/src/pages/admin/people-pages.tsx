/** The people of the organisation, whom its managers administer: the list, one person, and invitations. */
import { people } from '@recodery/contract/admin/people';
import UserPlus from 'lucide-react/icons/user-plus';
import Users from 'lucide-react/icons/users';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { RecordList } from '../../features/admin/list/record-list.tsx';
import { RecordPage } from '../../features/admin/record-page.tsx';
import { useSession } from '../../features/session/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ForbiddenScreen } from '../../ui/loading/forbidden-screen.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { SettingsSections } from '../settings/settings-sections.tsx';

const InviteDialog = onDemand(
  async () => (await import('../../features/admin/people/invite-dialog.tsx')).InviteDialog,
);

const base = '/admin/people';

function PeopleList() {
  const { t } = useTexts();
  const [parameters, setParameters] = useSearchParams();
  const [isInviting, setIsInviting] = useState(false);
  const query = {
    search: parameters.get('search') ?? '',
    sort: parameters.get('sort') ?? people.sort,
  };
  return (
    <div className="flex flex-col gap-5">
      <SettingsSections
        path={base}
        about="people.about"
        aside={
          <Button
            look="primary"
            icon={UserPlus}
            className="max-sm:w-full"
            onPress={() => setIsInviting(true)}
          >
            {t('people.invite')}
          </Button>
        }
      />
      <RecordList
        resource={people}
        label={t('settings.people')}
        query={query}
        onQuery={({ search, sort }) =>
          setParameters(
            {
              ...(search === '' ? {} : { search }),
              ...(sort === people.sort ? {} : { sort }),
            },
            // typing one search adds one step to the browser history
            { replace: query.search !== '' && search !== '', preventScrollReset: true },
          )
        }
        base={base}
        empty={{ icon: Users, title: t('admin.users.empty'), about: t('people.emailsHint') }}
      />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </div>
  );
}

/** `guid`: of one person; empty for the list. */
export function PeoplePages({ guid }: { readonly guid: string }) {
  const { t } = useTexts();
  const { isManager } = useSession();
  if (!isManager) {
    return (
      <ForbiddenScreen
        pageTitle={t('settings.people')}
        headline={t('people.forbidden')}
        advice={t('settings.managersOnly')}
        code="USER_NO_RIGHTS"
      />
    );
  }
  if (guid === '') return <PeopleList />;
  return (
    <RecordPage
      key={guid}
      resource={people}
      guid={guid}
      list={{ href: base, text: t('settings.people') }}
      add=""
      defaults={{}}
      related={[]}
    />
  );
}
