/**
 * What the matrix states about a route: how its owner calls it, and which responses differ from those of its access.
 */
import type { ComponentName } from '@recodery/contract/families/family';
import { families, type Family } from '@recodery/contract/families/registry';
import type { rightsColumns } from '../../src/organisations/organisations.ts';
import type { Ask } from './ask.ts';
import type { OwnedItems, OwnedSlot } from './owned-items.ts';

/** The groups of callers, each of them a column of the matrix. */
export const columns = {
  none: 'no session',
  deadSession: 'dead session',
  signInAgain: 'must sign in again',
  deadToken: 'revoked or expired client',
  outside: 'client outside its networks',
  withoutAccess: 'user without access',
  withoutRight: 'missing right',
  withoutFamily: 'missing subscription',
  plainUser: 'colleague without the role',
  colleague: 'colleague',
  otherCode: 'same user, other customer code',
  stranger: 'user of another organisation',
  strangersClient: 'client of another organisation',
  otherParty: 'recipient instead of sender',
  ownClient: 'client application',
  otherClient: 'other client of the organisation',
  misplaced: 'own GUID of another kind',
  owner: 'owner',
} as const;
export type Column = keyof typeof columns;

/** The data of an owner, with the calls of its user. */
export interface Own extends OwnedItems {
  readonly sessionId: string;
}

type RightOf<C> = C extends `organisation.${infer R extends `may_${string}`}` ? R : never;
/** The column of a right in addition to the families. */
export type Right = RightOf<(typeof rightsColumns)[number]>;

/** A switch of a call that needs its own right, and the column of that right. */
export interface Switch {
  readonly right: Right;
  readonly ask: (ask: Ask) => Ask;
}

export interface Row {
  /** The owner's request, which names the owner's objects in every place. */
  readonly ask: (own: Own) => Ask;
  /** Requests for further objects. */
  readonly others?: (own: Own) => readonly Ask[];
  /**
   * Responses that differ from those of the route's access, by column, or by column and place. null: the caller may do
   * this.
   */
  readonly answers?: Readonly<Partial<Record<Column | `${Column} ${string}`, string | null>>>;
  /** The route starts or prepares work, for which the organisation needs the family and these rights. */
  readonly work?: { readonly family: Family; readonly switches?: readonly Switch[] };
  /** Requests for one's own objects in places where they do not fit: they are not found. */
  readonly misfits?: (own: Own) => readonly Ask[];
  /** Kinds of one's own GUIDs that the route also accepts. */
  readonly accepts?: readonly ItemKind[];
  /**
   * The response to the permitted caller, if it differs from the route's because of what other rows have started.
   */
  readonly granted?: string;
  /** The permitted caller: by default the user or the client application that owns everything. */
  readonly by?: 'receiver' | 'operator';
  /** Replaces a file that other rows name: its owner calls it after those. */
  readonly isLate?: true;
  /** Ends something that other rows need: its owner calls it last. */
  readonly isLast?: true;
}

/** The kinds of slots. */
export const slotKinds = families.map((family) => `${family}Slot` as const);

/** GUIDs of an organisation, one of each kind. */
export function kindsOf({ slots, encodedFile, program, webhook, delivery, ...own }: OwnedItems) {
  return {
    ...(Object.fromEntries(
      families.map((family) => [`${family}Slot`, slots[family].slot]),
    ) as Record<(typeof slotKinds)[number], string>),
    decode: slots.ktag.decode,
    organisation: own.organisation,
    encodedFile,
    program: program.guid,
    webhook,
    delivery,
    invitation: own.invitation,
    tray: own.tray,
    trayFile: own.trayFiles[1],
    unknown: '01900000-0000-7000-8000-00000000dead',
    malformed: 'x',
  };
}

export type ItemKind = keyof ReturnType<typeof kindsOf>;

/** Callers of other organisations: users, and client applications. */
export const foreign = ['otherCode', 'stranger', 'strangersClient'] as const;
/** Client applications of the owner's organisation. */
export const programs = ['ownClient', 'otherClient'] as const;

/** The same response for several columns. */
export function same<C extends Column, A extends string | null>(
  which: readonly C[],
  answer: A,
): Record<C, A> {
  return Object.fromEntries(which.map((column) => [column, answer])) as Record<C, A>;
}

/** Bytes that fit a slot's place. */
export function image(slot: OwnedSlot, component: ComponentName): Uint8Array {
  return slot.images.get(component) ?? new Uint8Array();
}

export const nothing = (): Ask => ({});

/** A list of the caller's organisation: others get their own. */
export const ownList: Row = {
  ask: nothing,
  answers: { ...same([...foreign, 'otherParty'], '200') },
};
