/** The matrix's rows for the files of slots, their comparison, originals and trays. */
import type { Ask } from './ask.ts';
import { type Own, ownList, type Row, slotKinds } from './rows.ts';

const slots: Readonly<Record<string, Row>> = {
  'slots.downloadFile': {
    ask: (own) => ({ params: { fileGUID: own.encodedFile } }),
    others: ({ slots }) =>
      Object.values(slots)
        .flatMap(({ decodedFile, uploads }) => [decodedFile, ...Object.values(uploads)])
        .map((fileGUID) => ({ params: { fileGUID } })),
    answers: { otherParty: '200' },
    accepts: ['encodedFile'],
  },
  'slots.refreshFileURL': {
    ask: (own) => ({ params: { fileGUID: own.encodedFile } }),
    others: ({ slots: { kessv2 } }) => [{ params: { fileGUID: kessv2.decodedFile } }],
    answers: { otherParty: '200' },
    accepts: ['encodedFile'],
  },
  'slots.getSealing': {
    ask: (own) => ({ params: { fileGUID: own.encodedFile } }),
    answers: { otherParty: '200' },
    accepts: ['encodedFile'],
  },
  'slots.sealFile': {
    ask: (own) => ({ params: { fileGUID: own.encodedFile } }),
    answers: { otherParty: '200' },
    accepts: ['encodedFile'],
  },
  'slots.getEncodeDraft': {
    ask: (own) => ({ params: { slotGUID: own.slots.kessv2.slot } }),
    others: (own) => [{ params: { slotGUID: own.slots.ktag.slot } }],
    accepts: slotKinds,
  },
  'fingerprints.getFingerprints': {
    ask: (own) => ({ params: { slotGUID: own.slots.kessv2.slot } }),
    others: (own) => [{ params: { slotGUID: own.slots.ktag.slot } }],
    accepts: slotKinds,
  },
  'slots.cancelUpload': {
    ask: (own) => ({
      params: { slotGUID: own.slots.kessv2.slot },
      body: { upload: 'upload-1' },
    }),
    others: (own) => [{ params: { slotGUID: own.slots.ktag.slot }, body: { upload: 'upload-1' } }],
    accepts: slotKinds,
  },
  'slots.putEncodeDraft': {
    ask: (own) => ({
      params: { slotGUID: own.slots.kessv2.slot },
      body: {
        files: {
          modified: own.slots.kessv2.uploads.obd,
          original: own.slots.kessv2.uploads.original,
        },
        removed: null,
        willCorrectCVN: false,
        willSkipChecksum: false,
      },
    }),
    misfits: ({ slots: { kessv2, ktag }, encodedFile }) =>
      [kessv2.uploads.original, kessv2.decodedFile, ktag.uploads.flash, encodedFile].map(
        (modified) => ({
          params: { slotGUID: kessv2.slot },
          body: {
            files: { modified },
            removed: null,
            willCorrectCVN: false,
            willSkipChecksum: false,
          },
        }),
      ),
    answers: { 'misplaced malformed': '400 BAD_REQUEST' },
  },
};

/** Files that are not images: they cannot be compared. */
const notComparable = { 'misplaced path.fileGUID encodedFile': '400 OPERATION_NOT_POSSIBLE' };

const comparison: Readonly<Record<string, Row>> = {
  'comparison.compareFiles': {
    ask: ({ slots: { kessv2 } }) => ({
      params: { fileGUID: kessv2.decodedFile, otherFileGUID: kessv2.uploads.obd ?? '' },
    }),
    others: ({ slots: { ktag } }) => [
      { params: { fileGUID: ktag.decodedFile, otherFileGUID: ktag.uploads.flash ?? '' } },
    ],
    answers: {
      ...notComparable,
      'misplaced path.otherFileGUID encodedFile': '400 OPERATION_NOT_POSSIBLE',
    },
  },
  'comparison.listComparable': {
    ask: ({ slots: { kessv2 } }) => ({
      params: { fileGUID: kessv2.decodedFile },
      query: { before: kessv2.decodedFile },
    }),
    answers: { ...notComparable, 'misplaced malformed': '400 BAD_REQUEST' },
  },
  'comparison.readBytes': {
    ask: ({ slots: { kessv2 } }) => ({
      params: { fileGUID: kessv2.decodedFile },
      query: { from: '0', count: '64' },
    }),
    answers: notComparable,
  },
};

const originals: Readonly<Record<string, Row>> = {
  'originals.listOriginals': ownList,
  'originals.findOriginals': {
    ask: ({ slots: { kessv2 } }) => ({ params: { fileGUID: kessv2.decodedFile } }),
    answers: notComparable,
  },
  'originals.keepOriginal': {
    ask: ({ slots: { kessv2 } }) => ({ params: { fileGUID: kessv2.decodedFile } }),
    answers: notComparable,
  },
  'originals.removeOriginal': {
    ask: ({ slots: { kessv2 } }) => ({ params: { fileGUID: kessv2.decodedFile } }),
    // the portal knows no checksums of it, so that it was not kept
    granted: '404 NOT_FOUND',
  },
};

const newTrayFile = { name: 'read.tfc', size: 1, sha256: null, workflow: 'kessv2', error: null };
const ofTray = (own: Own): Ask => ({ params: { trayGUID: own.tray } });
const ofTrayFile = (own: Own): Ask => ({
  params: { trayGUID: own.tray, trayFileGUID: own.trayFiles[0] },
});

const trays: Readonly<Record<string, Row>> = {
  'trays.listTrays': ownList,
  'trays.addTray': {
    ask: () => ({ body: { files: [newTrayFile] } }),
    answers: { 'misplaced malformed': '400 BAD_REQUEST' },
  },
  'trays.getTray': { ask: ofTray, accepts: ['tray'] },
  'trays.addTrayFiles': {
    ask: (own) => ({ ...ofTray(own), body: { files: [newTrayFile] } }),
    accepts: ['tray'],
  },
  'trays.uploadTrayFile': {
    ask: (own) => ({ ...ofTrayFile(own), file: own.slots.kessv2.read }),
    accepts: ['tray', 'trayFile'],
    work: { family: 'kessv2' },
    isLast: true,
  },
  'trays.removeTrayFile': {
    ask: (own) => ({ params: { trayGUID: own.tray, trayFileGUID: own.trayFiles[1] } }),
    isLast: true,
  },
  'trays.nameTray': {
    ask: (own) => ({ ...ofTray(own), body: { name: 'Fleet' } }),
    accepts: ['tray'],
  },
  'trays.createTrayTicket': {
    ask: (own) => ({ ...ofTray(own), body: { fileType: 'Decoded' } }),
    accepts: ['tray'],
  },
  'trays.downloadTray': {
    ask: (own) => ({ ...ofTray(own), query: { fileType: 'Decoded' } }),
    accepts: ['tray'],
  },
};

export const fileRows: Readonly<Record<string, Row>> = {
  ...slots,
  ...comparison,
  ...originals,
  ...trays,
};
