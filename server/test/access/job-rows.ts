/** The matrix's rows for jobs, storage and the full export. */
import type { Ask } from './ask.ts';
import { foreign, type Own, type Row, same, slotKinds } from './rows.ts';

const ofSlot =
  (body?: unknown) =>
  (own: Own): Ask => ({
    params: { slotGUID: own.slots.kessv2.slot },
    ...(body === undefined ? {} : { body }),
  });

/** A call about the caller's organisation: others get their own. */
const ofOrganisation = (ask: Row['ask'] = () => ({})): Row => ({
  ask,
  answers: same([...foreign, 'otherParty'], '200'),
});

export const jobRows: Readonly<Record<string, Row>> = {
  'jobs.listJobs': {
    ask: (own) => ({ query: { search: 'read', before: own.slots.kess3.slot } }),
    answers: {
      ...same([...foreign, 'otherParty', 'misplaced'], '200'),
      'misplaced malformed': '400 BAD_REQUEST',
    },
  },
  'jobs.countJobs': ofOrganisation(() => ({ query: { search: 'read' } })),
  'jobs.getJobFilters': ofOrganisation(),
  'jobs.findFiles': ofOrganisation(() => ({ params: { sha256: 'a'.repeat(64) } })),
  'jobs.getJob': {
    ask: ofSlot(),
    others: (own) => [{ params: { slotGUID: own.slots.ktag.slot } }],
    accepts: slotKinds,
  },
  'jobs.listEarlierReads': {
    ask: ofSlot(),
    others: (own) => [{ params: { slotGUID: own.slots.ktag.slot } }],
    accepts: slotKinds,
  },
  'jobs.putJobNote': { ask: ofSlot({ note: 'Ask for the key.' }), accepts: slotKinds },
  'jobs.putJobVehicle': {
    ask: ofSlot({
      customerLabel: 'Rossi',
      plate: 'AB 123 CD',
      vehicleMake: 'Alfa Romeo',
      vehicleModel: '159',
    }),
    accepts: slotKinds,
  },
  'jobs.putJobKept': { ask: ofSlot({ isKept: true }), accepts: slotKinds },
  'jobs.getExpiringJobs': ofOrganisation(),
  'jobs.keepJobs': {
    ask: (own) => ({
      body: { slotGUIDs: [own.slots.kessv2.slot], expiringUntil: '2020-01-01T00:00:00.000Z' },
    }),
    accepts: slotKinds,
    answers: { 'misplaced malformed': '400 BAD_REQUEST' },
  },
  'jobs.sendJobFile': {
    // the file of an encode is not among what each caller has: the job is checked first
    ask: (own) => ({
      params: { slotGUID: own.slots.kessv2.slot, fileGUID: own.slots.kessv2.slot },
      body: { notificationInfo: { email: 'garage@rossi.test' } },
    }),
    accepts: ['encodedFile'],
    granted: '404 NOT_FOUND',
  },
  'jobs.prepareRestoreKit': {
    ask: ofSlot(),
    accepts: slotKinds,
    isLate: true,
  },
  'jobs.getStorageSettings': ofOrganisation(),
  'jobs.putStorageSettings': { ask: () => ({ body: { retentionDays: 60 } }) },
  'jobs.mintJobsExport': ofOrganisation(),
  'jobs.downloadJobsExport': ofOrganisation(),
  // a file that describes no job
  'jobs.importJob': {
    ask: () => ({ file: Buffer.from('{}\n') }),
  },
  'jobs.deleteJob': {
    ask: ofSlot(),
    accepts: slotKinds,
    isLast: true,
    // encodes that other rows have started wait for a worker
    granted: '400 OPERATION_NOT_POSSIBLE',
  },
};
