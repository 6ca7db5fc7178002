/** The people of an organisation, whom its managers administer. */
import { resource } from './resource.ts';

/** Whether someone has accepted the invitation, and can work for the organisation. */
export const personStates = ['active', 'invited', 'suspended'] as const;
/** What became of the email with an invitation. */
export const invitationMails = ['waiting', 'sent', 'failed'] as const;

export const people = resource({
  name: 'people',
  path: '/api/organisation/people',
  role: 'manager',
  title: 'email',
  fields: {
    email: { kind: 'email', edit: 'never', required: true },
    name: { kind: 'text', edit: 'never', required: true },
    state: { kind: 'choice', edit: 'never', required: true, options: personStates },
    /** Of the organisation. */
    manager: { kind: 'switch', edit: 'always' },
    /** Cannot work for the organisation any more; the account and other organisations stay as they are. */
    suspended: { kind: 'switch', edit: 'always' },
    /** Null: there is no email. */
    mail: { kind: 'choice', edit: 'never', options: invitationMails },
    /** Whether the user has followed a link that was emailed to the address. */
    emailVerified: { kind: 'switch', edit: 'never' },
    /** Sessions under the organisation's customer code. */
    sessions: { kind: 'number', edit: 'never', required: true },
  },
  columns: ['name', 'email', 'state', 'manager', 'mail'],
  search: ['email', 'name'],
  sort: 'name',
  can: { update: true, remove: true },
  /**
   * `resend` emails the invitation again, or returns a link if there is no mail server; `invite` always returns a link.
   * `signOut` ends the sessions under the organisation's customer code.
   */
  actions: ['resend', 'invite', 'suspend', 'restore', 'signOut'],
});
