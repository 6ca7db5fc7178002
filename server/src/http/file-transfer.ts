/**
 * Receives uploads: streamed to storage and hashed while they arrive, never kept in memory, and deleted when they are
 * refused.
 */
import { createHash } from 'node:crypto';
import type { Route } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import { tabHeader, uploadHeader } from '@recodery/contract/headers';
import { makeFileNameSafe } from '@recodery/contract/file-names';
import type { FastifyRequest } from 'fastify';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { newGuid } from '../config/guids.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type FormOptions,
  type MultipartForm,
  type Pace,
  readForm,
} from './requests/multipart-form.ts';
import { readFields } from './requests/read-input.ts';
import { createSemaphore, type Places } from '../config/semaphore.ts';
import { askForBody } from './requests/unread-bodies.ts';

/** A file that was received completely and is in storage. */
export interface Received<F> {
  /** The file name sent by the client, made safe. */
  readonly name: string;
  /** Bytes; 0 for an empty file, which is accepted here. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly storageKey: string;
  /** Its first bytes: all, or a few thousand; absent: they were not kept. */
  readonly start?: Uint8Array;
  /** The text fields of the form, before or after the file. */
  readonly fields: F;
}

/** Stores the bytes of an upload. */
type Store<T> = FormOptions<T>['store'];

/** Bytes that an organisation uses, which a handler has just read; absent: they are read for the check. */
export interface KnownUsage {
  readonly usedBytes: number;
  /** The organisation's own quota; null: the one of the settings. */
  readonly ownQuota: number | null;
}

/** An upload whose body the handler has not requested yet. */
export interface Upload<F> {
  /**
   * Reads the body; call it once, after the handler's own checks. If the handler then refuses the request, the file
   * is deleted again. The organisation's quota is checked again when the file is recorded, because other uploads may
   * have finished in the meantime.
   * @throws {Refusal} FILE_MISSING, FILE_TOO_LARGE, STORAGE_QUOTA_REACHED, TOO_MANY_UPLOADS, UPLOAD_INTERRUPTED,
   *   SERVICE_UNAVAILABLE (the disk is nearly full), BAD_REQUEST (wrong text fields)
   */
  receive(known?: KnownUsage): Promise<Received<F>>;
  /**
   * Reads a body of at most `maxBytes`, instead of `receive`: passes its file to `store`, which must read all of it, and
   * cleans up if it rejects. @throws as `receive` does, and what `store` throws
   */
  receiveInto<T>(maxBytes: number, store: Store<T>): Promise<T>;
  /** The name under which a page may cancel it; null: it has none. */
  readonly name: string | null;
  /** The tab of the browser that sends it; null: unknown. */
  readonly tab: string | null;
}

/** The properties that identify the content of an upload. */
export type UploadContent = Pick<Received<unknown>, 'fields' | 'sha256'>;

/** An upload as the route dispatcher sees it. */
export interface ExpectedUpload extends Upload<unknown> {
  /** Reads the body without storing it, instead of `receive`. @throws as `receive` does */
  digest(): Promise<UploadContent>;
  /** Deletes the received file, if any: the handler has refused it. */
  discard(): Promise<void>;
}

/** The upload receiver. */
export interface UploadReceiver {
  /** Prepares for a request's upload; nothing is read yet. */
  expect(route: Route, request: FastifyRequest, caller: Caller): ExpectedUpload;
}

export interface UploadReceiverOptions {
  readonly storage: Pick<Storage, 'put' | 'delete'>;
  /** Maximum bytes of a file. */
  readonly maxFileBytes: number;
  /** Whether so many bytes more fit into what an organisation's files may use. */
  readonly fitsQuota: (
    organisationId: OrganisationId,
    bytes: number,
    use: KnownUsage | undefined,
  ) => Promise<boolean>;
  /** Whether the disk has room for uploads at all. */
  readonly hasDiskRoom: () => Promise<boolean>;
  readonly pace?: Pace;
  /** Concurrent uploads of one organisation, and how many milliseconds the next one waits for a place. */
  readonly places?: Places;
}

/** Bytes that a form may add to its file: boundaries, headers and text fields. */
const formBytes = 64 * 1024;
/** 10 kB a second, averaged over half a minute. */
const slowestPace: Pace = { bytes: 300_000, ms: 30_000 };
// Waits briefly before it refuses: dropping eight files at once is normal use.
const uploadPlaces = { atOnce: 4, waitMs: 5_000 };

/** The storage prefix of uploads; each organisation has its own folder below it. */
export const uploadPrefix = 'uploads';

/** Refuses an upload before any of its body is read. */
async function refuseEarly(
  options: UploadReceiverOptions,
  request: FastifyRequest,
  organisationId: OrganisationId,
  { maxFileBytes, use }: { readonly maxFileBytes: number; readonly use?: KnownUsage | undefined },
): Promise<void> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxFileBytes + formBytes) throw new Refusal('FILE_TOO_LARGE');
  if (!(await options.fitsQuota(organisationId, declared, use))) {
    throw new Refusal('STORAGE_QUOTA_REACHED');
  }
  if (!(await options.hasDiskRoom())) throw new Refusal('SERVICE_UNAVAILABLE');
}

/** The value of a header; null if it is absent. */
export function readRequestHeader({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

async function hashStream(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of stream) hash.update(piece);
  return hash.digest('hex');
}

/** How to recognize the field that contains the route's file. */
function fileFieldOf({ parts }: Route): (name: string) => boolean {
  const field = parts.file?.field ?? '';
  return parts.dialect === 'encoding-api'
    ? (name) => name.toLowerCase() === field.toLowerCase()
    : (name) => name === field;
}

/** Creates the upload receiver. Places are counted in this process, so each portal has its own. */
export function createUploadReceiver(options: UploadReceiverOptions): UploadReceiver {
  const { storage, maxFileBytes } = options;
  const semaphore = createSemaphore(options.places ?? uploadPlaces);

  const readInto = <T>(
    route: Route,
    request: FastifyRequest,
    store: Store<T>,
    mostBytes = maxFileBytes,
  ): Promise<MultipartForm<T>> =>
    readForm(request.raw, {
      isFileField: fileFieldOf(route),
      maxFileBytes: mostBytes,
      maxBodyBytes: mostBytes + formBytes,
      pace: options.pace ?? slowestPace,
      store,
    });

  return {
    expect(route, request, caller) {
      const { organisationId } = caller;
      const storageKey = `${uploadPrefix}/${organisationId}/${newGuid()}`;
      let isAsked = false;
      let isStored = false;

      const read = async <T>(store: Store<T>, maxBytes?: number) => {
        if (isAsked) throw new Error('an upload was received twice');
        const leave = await semaphore.enter(organisationId);
        if (leave === null) throw new Refusal('TOO_MANY_UPLOADS');
        isAsked = true;
        askForBody(request.raw);
        const form = readInto(route, request, store, maxBytes);
        const { file, fields } = await form.finally(leave);
        if (file === null) throw new Refusal('FILE_MISSING');
        return { ...file, fields: readFields(route, fields) };
      };

      return {
        name: readRequestHeader(request, uploadHeader),
        tab: readRequestHeader(request, tabHeader),
        async receive(known) {
          await refuseEarly(options, request, organisationId, { maxFileBytes, use: known });
          const { name, start, stored, fields } = await read((stream) => {
            request.log.debug({ storageKey }, 'receiving file');
            isStored = true;
            return storage.put(storageKey, stream);
          });
          return { name: makeFileNameSafe(name), ...stored, storageKey, start, fields };
        },
        async receiveInto(maxBytes, store) {
          await refuseEarly(options, request, organisationId, { maxFileBytes: maxBytes });
          return (await read(store, maxBytes)).stored;
        },
        async digest() {
          const { stored, fields } = await read(hashStream);
          return { sha256: stored, fields };
        },
        async discard() {
          if (isStored) await storage.delete(storageKey);
        },
      };
    },
  };
}
