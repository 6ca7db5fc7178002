/** Uploads the reads of a tray, and one again for the slave that the user chooses. */
import type { Operation } from '@recodery/contract/features/operations';
import { type Tray, uploadTrayFile } from '@recodery/contract/features/trays';
import type { upload } from '../../../api/files/upload.ts';
import { checkReadable } from '../dropped/inspect-files.ts';
import { withDecode } from '../tray-query.ts';
import { readKey, type Row } from '../tray-rows.ts';
import type { QueuedJob, SendOptions } from '../work-queue.ts';

export interface UploadReads {
  /** Uploads the read of a file of the tray. */
  decode(fileGUID: string, file: File): void;
  /** Uploads a read that was refused because its slave is not known; nothing if another tab has the file. */
  chooseSlave(row: Row, slave: string): void;
}

interface UploadParts {
  /** Of the tray. */
  readonly guid: string;
  readonly upload: typeof upload;
  readonly add: (job: QueuedJob) => void;
  readonly change: (next: (tray: Tray) => Tray) => Promise<void>;
}

export function uploadReads({ guid, upload: send, add, change }: UploadParts): UploadReads {
  /** Those that the server has not accepted. */
  const held = new Map<string, File>();
  const start = (fileGUID: string, file: File, slave?: string): void => {
    const params = { trayGUID: guid, trayFileGUID: fileGUID };
    const query = slave === undefined ? {} : { slaveSerialNumber: slave };
    held.set(fileGUID, file);
    const job = async (options: SendOptions): Promise<void> => {
      await checkReadable(file);
      const decode: Operation = await send(uploadTrayFile, { params, query }, file, options);
      held.delete(fileGUID);
      await change((tray) => withDecode(tray, fileGUID, decode));
    };
    add({ key: readKey(fileGUID), lane: 'operation', fileName: file.name, send: job });
  };
  return {
    decode: (fileGUID, file) => start(fileGUID, file),
    chooseSlave(row, slave) {
      const file = held.get(row.file.guid);
      if (file !== undefined) start(row.file.guid, file, slave);
    },
  };
}
