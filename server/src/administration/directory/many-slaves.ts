/** Adds many slave devices at once, as the directory file would. */
import { checkFields } from '@recodery/contract/admin/check-fields';
import { addSlaves, type SlaveLine } from '@recodery/contract/admin/many-slaves';
import { resources } from '@recodery/contract/admin/resources';
import type { BodyOf } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import type { Router } from '../../http/serve.ts';
import {
  applyDirectoryWithin,
  type DirectoryDeps,
  lockDirectory,
  readDirectoryState,
} from '../../organisations/directory/directory.ts';
import {
  deviceKey,
  type DirectoryState,
} from '../../organisations/directory/directory-state-rules.ts';

type SlavesAsk = BodyOf<typeof addSlaves>;

/** The serial number and the owner of each line that is not empty. */
function readLines({ list, owner }: SlavesAsk) {
  return list.flatMap((text, at) => {
    const [serial = '', own = '', ...others] = text.split(/[;\t]/).map((part) => part.trim());
    // a line with other separators, or a heading, would become a serial number that no device has
    const isOne = others.every((part) => part === '') && !/[\s,]/.test(serial);
    return serial === '' && own === ''
      ? []
      : [{ line: at + 1, serial, owner: own || owner || null, isOne }];
  });
}

/** Each slave of the list with the reason why it cannot be added. */
function checkLines(ask: SlavesAsk, state: DirectoryState): readonly SlaveLine[] {
  const { family, masterSerial } = ask;
  const seen = new Set<string>();
  return readLines(ask).map(({ line, serial, owner, isOne }) => {
    const key = deviceKey(family, serial);
    const isTaken = state.slaves.has(key) || seen.has(key);
    seen.add(key);
    const faults = checkFields(
      resources.slaves,
      { family, serial, masterSerial, owner, revoked: false },
      'create',
    );
    const form = isOne ? null : ('INVALID' as const);
    const serialFault = faults['serial'] ?? form ?? (isTaken ? ('TAKEN' as const) : null);
    const isUnknown = owner !== null && !state.organisations.has(owner);
    const error: SlaveLine['error'] =
      serialFault !== null
        ? { field: 'serial', code: serialFault }
        : isUnknown
          ? { field: 'owner', code: 'UNKNOWN' }
          : null;
    return { line, serial, owner, error };
  });
}

/** Adds all slaves of a list, or none. @throws {Refusal} FIELDS_NOT_ACCEPTED if the master does not exist */
async function addAll(
  { db, secrets }: DirectoryDeps,
  ask: SlavesAsk,
): Promise<{ readonly lines: readonly SlaveLine[]; readonly added: number }> {
  return db.transaction().execute(async (trx) => {
    await lockDirectory(trx);
    const state = await readDirectoryState(trx);
    const { family, masterSerial, isTrial } = ask;
    const master = state.masters.get(deviceKey(family, masterSerial));
    if (master === undefined)
      throw new Refusal('FIELDS_NOT_ACCEPTED', { fields: { masterSerial: 'UNKNOWN' } });
    const lines = checkLines(ask, state);
    if (isTrial || lines.some(({ error }) => error !== null)) return { lines, added: 0 };
    const { customerCode, groupCode: code } = master;
    const slaves = lines.map(({ serial, owner }) => ({ serial, owner, revoked: false }));
    const masters = [{ family, serial: masterSerial, slaves }];
    const plan = await applyDirectoryWithin(trx, secrets, {
      organisations: [{ customerCode, groupCodes: [{ code, masters }] }],
    });
    if ('mistakes' in plan) throw new Error(plan.mistakes.map(({ text }) => text).join('\n'));
    return { lines, added: lines.length };
  });
}

/** Registers the route of contract/admin/many-slaves. */
export function serveManySlaves(router: Router, deps: DirectoryDeps): void {
  router.serve(addSlaves, async ({ body, noteAudit }) => {
    const { lines, added } = await addAll(deps, body);
    const { family, masterSerial } = body;
    const slaves = added === 0 ? [] : lines.map(({ serial, owner }) => ({ serial, owner }));
    noteAudit({ family, masterSerial, count: added, added: slaves });
    return { lines: [...lines], added };
  });
}
