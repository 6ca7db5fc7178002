/** The keys of the installation as a resource of the administration: their age, renewal and replacement. */
import { createHash } from 'node:crypto';
import { resources } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { type KeptStore, readKept } from '../records/kept-records.ts';
import { requireConfirmed } from '../records/require-confirmed.ts';
import type { ActionOutcome, TaskResult } from '../records/records.ts';

/** The keys of a kind. */
interface ListedKeys {
  readonly kind: string;
  readonly createdOn: Date;
  readonly valid: number;
  readonly retired: number;
}

/** What operators can do with the keys: the functions of `recodery secret`. */
export interface KeyDeps {
  readonly keys: {
    readonly list: (db: Db) => Promise<readonly ListedKeys[]>;
    readonly renewable: readonly string[];
    readonly replaceable: readonly string[];
    readonly renew: (purposes?: readonly string[]) => Promise<void>;
    readonly replace: (purposes?: readonly string[]) => Promise<void>;
    /** How many keys were wrapped again, or why none was. */
    readonly rotate: () => Promise<number | 'from-environment' | 'from-file' | 'same' | 'busy'>;
  };
}

/** Days after which a key that can be renewed should be. */
const renewalDays = 365;

/** A kind has no GUID: one that is made from its name takes the place of one. */
function guidOf(kind: string): string {
  const hex = createHash('sha256').update(`key ${kind}`).digest('hex');
  return [8, 12, 16, 20, 32].map((end, at, ends) => hex.slice(ends[at - 1] ?? 0, end)).join('-');
}

export function openKeys({ keys }: KeyDeps): KeptStore {
  const canDo = (kind: string): string => {
    if (keys.renewable.includes(kind)) return 'renew';
    return keys.replaceable.includes(kind) ? 'replace' : 'stay';
  };
  return {
    declared: resources.keys,
    read: async (db) =>
      new Map(
        (await keys.list(db)).map(({ kind, createdOn, ...numbers }) => {
          const care = canDo(kind);
          const renewOn = new Date(createdOn.getTime() + renewalDays * 86_400_000).toISOString();
          return [
            guidOf(kind),
            {
              purpose: kind,
              createdOn: createdOn.toISOString(),
              renewOn: care === 'renew' ? renewOn : null,
              ...numbers,
              care,
            },
          ] as const;
        }),
      ),
  };
}

/** Every process keeps the keys that it has read for a moment, and those of its sign-in provider until it ends. */
const afterReplacing = {
  state: 'warning',
  text: 'The key is replaced. Restart every portal and worker now: until then, they can still accept the old key.',
} as const;

/** Renews or replaces the keys of a kind. @throws {Refusal} CONFIRM_ACCOUNT, NOT_FOUND */
export async function actOnKeys(
  deps: KeyDeps & { readonly db: Db },
  caller: Caller,
  action: string,
  guid: string,
): Promise<ActionOutcome> {
  const { db, keys } = deps;
  const store = openKeys(deps);
  const before = await readKept(db, store, guid);
  const kind = String(before['purpose']);
  const { [action]: allowed = [] }: Readonly<Record<string, readonly string[]>> = {
    renew: keys.renewable,
    replace: keys.replaceable,
  };
  if (!allowed.includes(kind)) throw new Refusal('NOT_FOUND');
  await requireConfirmed(db, caller);
  await (action === 'renew' ? keys.renew([kind]) : keys.replace([kind]));
  const item = await readKept(db, store, guid);
  const changes = { purpose: kind, createdOn: [before['createdOn'], item['createdOn']] };
  return {
    item,
    link: null,
    changes,
    ...(action === 'replace' ? { finding: afterReplacing } : {}),
  };
}

const explained = {
  'from-environment': [
    'wrong',
    'RECODERY_SECRET sets the secret, so nothing was changed. Pass the new one to "recodery secret rotate --to FILE", then set RECODERY_SECRET to it and restart every portal and worker.',
  ],
  'from-file': [
    'wrong',
    'RECODERY_SECRET_FILE names the file of the secret, so nothing was changed. Rotate it with "recodery secret rotate". If other machines have copies of the file, first copy the new secret to each of them, with the same name plus ".next", and rotate with "--to FILE".',
  ],
  busy: ['wrong', 'Another rotation has not finished, so nothing was changed.'],
  same: ['wrong', 'The new secret is the same as the current one. Nothing was changed.'],
} as const;

/** Renews all keys that can be. @throws {Refusal} CONFIRM_ACCOUNT */
export async function renewAll(
  { keys, db }: KeyDeps & { db: Db },
  caller: Caller,
): Promise<TaskResult> {
  await requireConfirmed(db, caller);
  await keys.renew();
  const text = `Renewed the keys of ${keys.renewable.length} kinds. What they signed before stays valid until it expires, but no later than the next renewal; links and receipts stay valid.`;
  return { finding: { state: 'ok', text } };
}

/** Rotates the secret of the installation. @throws {Refusal} CONFIRM_ACCOUNT */
export async function rotate(
  { keys, db }: KeyDeps & { db: Db },
  caller: Caller,
): Promise<TaskResult> {
  await requireConfirmed(db, caller);
  const result = await keys.rotate();
  if (typeof result === 'string') {
    const [state, text] = explained[result];
    return { finding: { state, text } };
  }
  const text = `Rotated the secret, and wrapped ${result} keys again. If other machines have their own copy of the secret file, copy the new one to them. Make a new backup: older ones need the secret that they were made with.`;
  return { finding: { state: 'ok', text } };
}
