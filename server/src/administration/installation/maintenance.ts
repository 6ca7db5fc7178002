/** Maintenance now and planned, as the one record of a resource of the administration. */
import { resources } from '@recodery/contract/admin/resources';
import { zeroGuid } from '@recodery/contract/api';
import { readMaintenance, saveMaintenance } from '../../service-status/maintenance.ts';
import type { KeptStore } from '../records/kept-records.ts';
import { readTime, timeErrors } from './times.ts';

export const maintenanceStore: KeptStore = {
  declared: resources.maintenance,
  async read(db) {
    const { state, isOn, from, to } = await readMaintenance(db);
    const plannedFrom = from?.toISOString() ?? null;
    const plannedTo = to?.toISOString() ?? null;
    return new Map([[zeroGuid, { state, isOn, plannedFrom, plannedTo }]]);
  },
  findErrors(values) {
    const wrong = timeErrors(values, ['plannedFrom', 'plannedTo']);
    if (Object.keys(wrong).length > 0) return wrong;
    const [from, to] = [readTime(values, 'plannedFrom'), readTime(values, 'plannedTo')];
    if (from === null) return to === null ? {} : { plannedFrom: 'REQUIRED' };
    return to === null || to > from ? {} : { plannedTo: 'ENDS_BEFORE' };
  },
  update: (trx, _guid, values) =>
    saveMaintenance(trx, {
      isOn: values['isOn'] === true,
      from: readTime(values, 'plannedFrom'),
      to: readTime(values, 'plannedTo'),
    }),
};
