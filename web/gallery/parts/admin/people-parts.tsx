/** The people of an organisation, as its managers see them. */
import type { AnyRecord } from '../../../src/features/admin/records/records.ts';
import { LinkDialog } from '../../../src/features/admin/actions/link-dialog.tsx';
import { InviteDialog } from '../../../src/features/admin/people/invite-dialog.tsx';
import { PeoplePages } from '../../../src/pages/admin/people-pages.tsx';
import { list, pagesOf, record } from '../../made/admin-records.ts';
import { guidOf, session } from '../../made/answers.ts';
import { Part, report, State } from '../../state.tsx';

const anna: AnyRecord = {
  guid: guidOf(901),
  revision: 'one',
  email: 'anna@demo.test',
  name: 'Anna Conti',
  state: 'active',
  manager: true,
  suspended: false,
  mail: null,
  emailVerified: true,
  sessions: 2,
};
const people: readonly AnyRecord[] = [
  anna,
  {
    ...anna,
    guid: guidOf(902),
    email: 'mario.rossi@example.org',
    name: 'mario.rossi@example.org',
    state: 'invited',
    manager: false,
    mail: 'failed',
    emailVerified: false,
    sessions: 0,
  },
  {
    ...anna,
    guid: guidOf(903),
    email: 'paolo@demo.test',
    name: 'Paolo Bianchi',
    state: 'suspended',
    manager: false,
    suspended: true,
    sessions: 0,
  },
];
const close = (): void => report('close');

/** The group `people`. */
export function PeopleParts() {
  const frame = { window: 800, isInLayout: true, at: '/admin/people' } as const;
  return (
    <>
      <Part file="features/admin/actions/link-dialog.tsx">
        <State name="of one person" window={420}>
          <LinkDialog
            names="mario.rossi@example.org"
            link="https://portal.example.org/idp/password/k3Jt0x"
            onClose={close}
          />
        </State>
      </Part>
      <Part file="features/admin/people/invite-dialog.tsx">
        <State name="empty; press one for the rest" window={620}>
          <InviteDialog onClose={close} />
        </State>
      </Part>
      <Part file="pages/admin/people-pages.tsx">
        <State {...frame} name="list" given={[list('people', 'name', pagesOf(people))]}>
          <PeoplePages guid="" />
        </State>
        <State {...frame} name="one" given={[record('people', anna.guid, { data: anna })]}>
          <PeoplePages guid={anna.guid} />
        </State>
        <State
          {...frame}
          name="of a user who is no manager"
          given={[{ key: ['session'], data: { ...session, isManager: false } }]}
        >
          <PeoplePages guid="" />
        </State>
      </Part>
    </>
  );
}
