/** What operators do with the originals library, at the command line and in the browser. */
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Db } from '../../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../../storage/verified-storage.ts';
import { addOriginal, type Admit, type NewOriginal, removeFromLibrary } from './add-original.ts';
import { judgeOriginal } from './original-rules.ts';
import { listLibrary, type OriginalQuestion } from './originals.ts';

/** Opens the use cases for an installation. */
export function openLibrary(deps: {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'put' | 'verify' | 'delete'>;
}) {
  return {
    list: async (db: Db) =>
      (await listLibrary(db)).map((one) => ({
        ...one,
        protocolName: findProtocol(one.protocolId)?.name ?? '',
      })),
    judge: judgeOriginal,
    add: (original: NewOriginal, admit?: Admit) => addOriginal(deps, original, admit),
    remove: (numbers: OriginalQuestion) => removeFromLibrary(deps, numbers),
  };
}
