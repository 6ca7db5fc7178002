/** What the pages of a resource need besides its declaration: icon, where its pages are, related lists. */
import { zeroGuid } from '@recodery/contract/api';
import { resources } from '@recodery/contract/admin/resources';
import Archive from 'lucide-react/icons/archive';
import Building from 'lucide-react/icons/building-complex';
import Construction from 'lucide-react/icons/construction';
import Cpu from 'lucide-react/icons/cpu';
import Database from 'lucide-react/icons/database';
import HardDrive from 'lucide-react/icons/hard-drive';
import Mail from 'lucide-react/icons/mail';
import FileDigit from 'lucide-react/icons/file-digit';
import FileCheck from 'lucide-react/icons/file-check';
import KeyRound from 'lucide-react/icons/key-round';
import LogIn from 'lucide-react/icons/log-in';
import Megaphone from 'lucide-react/icons/megaphone';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import Sliders from 'lucide-react/icons/sliders-horizontal';
import Usb from 'lucide-react/icons/usb';
import UserCheck from 'lucide-react/icons/user-check';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import Users from 'lucide-react/icons/users';
import type { TextKey } from '../../i18n/texts.ts';
import type { IconPart } from '../../ui/display/icon.tsx';
import type { Values } from './records/record-draft.ts';
import type { AnyResource } from './records/records.ts';

/** The resources that operators administer, in the order of the sections. */
export const operatorResources = [
  'organisations',
  'users',
  'masters',
  'slaves',
  'engines',
  'originals',
  'messages',
  'maintenance',
  'emails',
  'storage',
  'terms',
  'acceptances',
  'signIn',
  'signInFailures',
  'settings',
  'keys',
  'backups',
  'backupSchedule',
  'audit',
] as const;
export type OperatorResource = (typeof operatorResources)[number];

export interface ResourcePages {
  readonly icon: IconPart;
  readonly title: TextKey;
  readonly about: TextKey;
  readonly empty: TextKey;
  readonly invitation: TextKey;
  /** The label of the button that adds a record, and the title of its page; null: only the command line adds them. */
  readonly add: TextKey | null;
  /** With what the form for a new record begins. */
  readonly defaults: Values;
  /** The lists that a record leads to; they are searched for its title. */
  readonly related: readonly OperatorResource[];
  /** The section that it is a part of: it has none of its own. */
  readonly section?: OperatorResource;
  /** There is exactly one record, with this GUID: its page takes the place of the list. */
  readonly single?: string;
  /** Only the pages of that resource lead to it. */
  readonly within?: OperatorResource;
}

export const resourcePages: Readonly<Record<OperatorResource, ResourcePages>> = {
  organisations: {
    icon: Building,
    title: 'admin.organisations.title',
    about: 'admin.organisations.about',
    empty: 'admin.organisations.empty',
    invitation: 'admin.organisations.invitation',
    add: 'admin.organisations.add',
    defaults: {},
    related: ['users', 'masters', 'slaves'],
  },
  users: {
    icon: Users,
    title: 'admin.users.title',
    about: 'admin.users.about',
    empty: 'admin.users.empty',
    invitation: 'admin.users.invitation',
    add: 'admin.users.add',
    defaults: { portalAccess: true },
    related: [],
  },
  masters: {
    icon: HardDrive,
    title: 'admin.masters.title',
    about: 'admin.masters.about',
    empty: 'admin.masters.empty',
    invitation: 'admin.masters.invitation',
    add: 'admin.masters.add',
    defaults: { engine: 'built-in' },
    related: ['slaves'],
  },
  slaves: {
    icon: Usb,
    title: 'admin.slaves.title',
    about: 'admin.slaves.about',
    empty: 'admin.slaves.empty',
    invitation: 'admin.slaves.invitation',
    add: 'admin.slaves.add',
    defaults: {},
    related: [],
  },
  engines: {
    icon: Cpu,
    title: 'admin.engines.title',
    about: 'admin.engines.about',
    empty: 'admin.engines.empty',
    invitation: 'admin.engines.invitation',
    add: 'admin.engines.add',
    defaults: {},
    related: ['masters'],
  },
  originals: {
    icon: FileDigit,
    title: 'admin.originals.title',
    about: 'admin.originals.about',
    empty: 'admin.originals.empty',
    invitation: 'admin.originals.invitation',
    add: 'admin.originals.add',
    defaults: {},
    related: [],
  },
  messages: {
    icon: Megaphone,
    title: 'admin.messages.title',
    about: 'admin.messages.about',
    empty: 'admin.messages.empty',
    invitation: 'admin.messages.invitation',
    add: 'admin.messages.add',
    defaults: { language: 'en' },
    related: [],
  },
  maintenance: {
    icon: Construction,
    title: 'admin.maintenance.title',
    about: 'admin.maintenance.about',
    empty: 'admin.maintenance.title',
    invitation: 'admin.maintenance.about',
    add: null,
    defaults: {},
    related: ['messages'],
    single: zeroGuid,
  },
  emails: {
    icon: Mail,
    title: 'admin.emails.title',
    about: 'admin.emails.about',
    empty: 'admin.emails.empty',
    invitation: 'admin.emails.invitation',
    add: null,
    defaults: {},
    related: [],
  },
  storage: {
    icon: Database,
    title: 'admin.storage.title',
    about: 'admin.storage.about',
    empty: 'admin.organisations.empty',
    invitation: 'admin.organisations.invitation',
    add: null,
    defaults: {},
    related: ['organisations'],
  },
  terms: {
    icon: FileCheck,
    title: 'admin.terms.title',
    about: 'admin.terms.about',
    empty: 'admin.terms.title',
    invitation: 'admin.terms.about',
    add: 'admin.terms.add',
    defaults: { asksAgain: true },
    related: ['acceptances'],
  },
  acceptances: {
    icon: UserCheck,
    title: 'admin.acceptances.title',
    about: 'admin.acceptances.about',
    empty: 'admin.acceptances.empty',
    invitation: 'admin.acceptances.about',
    add: null,
    defaults: {},
    related: ['terms'],
    section: 'terms',
  },
  signIn: {
    icon: LogIn,
    title: 'admin.signIn.title',
    about: 'admin.signIn.about',
    empty: 'admin.signIn.title',
    invitation: 'admin.signIn.about',
    add: null,
    defaults: {},
    related: ['users'],
    single: zeroGuid,
  },
  signInFailures: {
    icon: ShieldAlert,
    title: 'admin.signInFailures.title',
    about: 'admin.signInFailures.about',
    empty: 'admin.signInFailures.empty',
    invitation: 'admin.signInFailures.invitation',
    add: null,
    defaults: {},
    related: ['signIn'],
    section: 'signIn',
  },
  settings: {
    icon: Sliders,
    title: 'admin.settings.title',
    about: 'admin.settings.about',
    empty: 'admin.settings.title',
    invitation: 'admin.settings.about',
    add: null,
    defaults: {},
    related: [],
  },
  keys: {
    icon: KeyRound,
    title: 'admin.keys.title',
    about: 'admin.keys.about',
    empty: 'admin.keys.title',
    invitation: 'admin.keys.about',
    add: null,
    defaults: {},
    related: [],
  },
  backups: {
    icon: Archive,
    title: 'admin.backups.title',
    about: 'admin.backups.about',
    empty: 'admin.backups.empty',
    invitation: 'admin.backups.invitation',
    add: null,
    defaults: {},
    related: ['backupSchedule'],
  },
  backupSchedule: {
    icon: CalendarClock,
    title: 'admin.backupSchedule.title',
    about: 'admin.backupSchedule.about',
    empty: 'admin.backupSchedule.title',
    invitation: 'admin.backupSchedule.about',
    add: null,
    defaults: {},
    related: [],
    single: zeroGuid,
    section: 'backups',
    within: 'backups',
  },
  audit: {
    icon: ScrollText,
    title: 'admin.audit.title',
    about: 'admin.audit.about',
    empty: 'admin.audit.empty',
    invitation: 'admin.audit.invitation',
    add: null,
    defaults: {},
    related: [],
  },
};

/** Those that have a section of their own. */
export const sections = operatorResources.filter(
  (name) => resourcePages[name].section === undefined,
);

/** Whether a name of an address is a resource of the operators. */
export function isOperatorResource(name: string | undefined): name is OperatorResource {
  return operatorResources.some((known) => known === name);
}

/** The declaration of a resource. */
export function declaredResource(name: OperatorResource): AnyResource {
  return resources[name];
}
