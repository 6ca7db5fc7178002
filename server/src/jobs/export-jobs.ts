/** Packs all jobs of an organisation into one zip while it is sent: the files of each job, then a manifest of all. */
import { PassThrough, Readable } from 'node:stream';
import { makeFileNameSafe, stripExtension } from '@recodery/contract/file-names';
import type { Family } from '@recodery/contract/families/registry';
import { describeSealing } from '@recodery/contract/families/sealing';
import { exportFormats } from '@recodery/contract/features/jobs/jobs-import';
import { type Kysely, sql } from 'kysely';
import { ZipFile } from 'yazl';
import type { OrganisationId } from '../organisations/caller.ts';
import { sealedFiles } from '../postgres/sealed-files.ts';
import type { Database } from '../postgres/tables/schema.ts';
import { isThere } from '../slots/files/stored-files.ts';
import { type Damage, findDamage, type VerifiedStorage } from '../storage/verified-storage.ts';

export interface ExportDependencies {
  readonly db: Kysely<Database>;
  readonly storage: Pick<VerifiedStorage, 'get' | 'verify'>;
}

/** Which jobs to export. */
export interface ExportQuestion {
  readonly organisationId: OrganisationId;
  readonly customerCode: string;
}

interface ExportedFile {
  readonly guid: string;
  readonly role: string;
  readonly component: string | null;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly createdOn: string;
  readonly replacedOn: string | null;
  readonly replacedBy: string | null;
  readonly isThere: boolean;
  readonly storageKey: string;
  /** When its maker's service has sealed it; null: none has. */
  readonly sealedOn: string | null;
}

interface ExportedJob {
  readonly guid: string;
  readonly createdOn: Date;
  readonly place: string;
  readonly family: Family;
  readonly workflow: string;
  readonly fileName: string;
  readonly slaveSerialNumber: string | null;
  readonly vin: string | null;
  readonly protocolId: number | null;
  readonly mode: string | null;
  readonly information: Readonly<Record<string, string | null>> | null;
  readonly groupCode: string;
  readonly decodedBy: string | null;
  readonly isKept: boolean;
  readonly isDouble: boolean;
  readonly note: string | null;
  readonly customerLabel: string | null;
  readonly plate: string | null;
  readonly vehicleMake: string | null;
  readonly vehicleModel: string | null;
  readonly notedOn: Date | null;
  readonly readChecksums: 'right' | 'wrong' | null;
  readonly files: readonly ExportedFile[];
}

/** Jobs that are read at once. */
const pageSize = 100;

/** The jobs that the organisation had at the start, oldest first. */
async function* readJobs(
  db: Kysely<Database>,
  organisationId: OrganisationId,
  start: Date,
): AsyncGenerator<ExportedJob> {
  for (let from: ExportedJob | undefined; ; ) {
    const after: ReturnType<typeof sql> =
      from === undefined
        ? sql``
        : sql`and (created_on, guid) > (${from.place}::timestamptz, ${from.guid}::uuid)`;
    const { rows }: { rows: ExportedJob[] } = await sql<ExportedJob>`
      with page as materialized (
        select * from slot
        where organisation_guid = ${organisationId} and deleted_on is null and created_on <= ${start} ${after}
        order by created_on, guid limit ${pageSize}),
      sealed as (
        select file_guid, min(sealed_on) as sealed_on from ${sealedFiles} as each
        where slot_guid in (select guid from page) group by file_guid)
      select page.guid, page.created_on as "createdOn", page.created_on::text as place, page.family, page.workflow,
        page.read_file_name as "fileName", page.slave_serial_number as "slaveSerialNumber", page.vin,
        page.protocol_id as "protocolId", page.mode, page.facts -> 'information' as information,
        case page.facts ->> 'isChecksumRight' when 'true' then 'right' when 'false' then 'wrong' end as "readChecksums",
        page.group_code as "groupCode", coalesce(account.display_name, client_application.name) as "decodedBy",
        page.is_kept as "isKept", page.is_double as "isDouble", page.note, page.noted_on as "notedOn",
        page.customer_label as "customerLabel", page.plate, page.vehicle_make as "vehicleMake",
        page.vehicle_model as "vehicleModel",
        coalesce((
          select json_agg(json_build_object('guid', stored_file.guid, 'role', role, 'component', component,
            'name', stored_file.name, 'size', size, 'sha256', sha256, 'createdOn', stored_file.created_on,
            'replacedOn', replaced_on, 'replacedBy', coalesce(replacer.display_name, program.name),
            'isThere', ${isThere}, 'storageKey', storage_key, 'sealedOn', sealed_on)
            order by stored_file.created_on, stored_file.guid)
          from stored_file
            left join account as replacer on replacer.guid = replaced_account_guid
            left join client_application as program on program.guid = replaced_client_guid
            left join sealed on sealed.file_guid = stored_file.guid::text
          where slot_guid = page.guid), '[]') as files
      from page
        left join account on account.guid = page.account_guid
        left join client_application on client_application.guid = page.client_guid
      order by page.created_on, page.guid`.execute(db);
    yield* rows;
    from = rows.at(-1);
    if (from === undefined || rows.length < pageSize) return;
  }
}

/** The folder of a job in the zip. */
function folderOf({ guid, createdOn, fileName }: ExportedJob): string {
  const name = makeFileNameSafe(stripExtension(fileName), 'job').slice(0, 80);
  return `jobs/${createdOn.toISOString().slice(0, 10)}_${name}_${guid}`;
}

/** A zip that is being written. It fails when a file cannot be read; a consumer that stops reading must destroy it. */
export function packJobs(deps: ExportDependencies, question: ExportQuestion): Readable {
  const zip = new ZipFile();
  const stream = new PassThrough();
  const fail = (error: Error): void => void stream.destroy(error);
  zip.once('error', fail);
  zip.outputStream.pipe(stream);
  const writer = { zip, stream, storage: deps.storage };
  writeJobs(deps, question, writer).then(() => zip.end(), fail);
  return stream;
}

interface Writer {
  readonly zip: ZipFile;
  readonly stream: PassThrough;
  readonly storage: ExportDependencies['storage'];
}

/** Where each file is in the zip; null if it was deleted before the export, or why its bytes are not in it. */
type Places = Map<string, { readonly path: string | null; readonly damage?: Damage }>;

async function writeJobs(
  { db, storage }: ExportDependencies,
  { organisationId, customerCode }: ExportQuestion,
  writer: Writer,
): Promise<void> {
  const start = new Date();
  const places: Places = new Map();
  for await (const job of readJobs(db, organisationId, start))
    for (const [index, file] of job.files.entries()) {
      if (writer.stream.destroyed) return;
      places.set(file.guid, { path: null });
      if (!file.isThere) continue;
      // a damaged file must not abort the export, and would once it is part of the zip
      const damage = await findDamage(storage, file);
      if (damage !== null) {
        places.set(file.guid, { path: null, damage });
        continue;
      }
      const number = String(index + 1).padStart(2, '0');
      const path = `${folderOf(job)}/${number}_${file.role}_${makeFileNameSafe(file.name)}`;
      await addEntry(writer, path, { size: file.size }, () => storage.get(file));
      places.set(file.guid, { path });
    }
  await addEntry(writer, 'manifest.json', {}, async () =>
    Readable.from(
      writeManifest(readJobs(db, organisationId, start), { customerCode, start, places }),
    ),
  );
}

/** Adds an entry; resolves when its bytes were read, so that only one is open at a time. */
async function addEntry(
  { zip, stream }: Writer,
  path: string,
  options: { readonly size?: number },
  open: () => Promise<Readable>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let source: Readable | null = null;
  const stop = (): void => {
    source?.destroy();
    resolve();
  };
  stream.once('close', stop);
  zip.addReadStreamLazy(path, { compress: false, ...options }, (give) => {
    open().then((opened) => {
      source = opened;
      opened.once('error', reject);
      opened.once('end', resolve);
      if (stream.destroyed) opened.destroy();
      else give(null, opened);
    }, reject);
  });
  await promise.finally(() => stream.removeListener('close', stop));
}

const isoOf = (time: string): string => new Date(time).toISOString();

/** The manifest's pieces: JSON with what is known about each job, and the path, size and hash of its files. */
async function* writeManifest(
  jobs: AsyncIterable<ExportedJob>,
  about: {
    readonly customerCode: string;
    readonly start: Date;
    readonly places: Places;
  },
): AsyncGenerator<string> {
  const { customerCode, start, places } = about;
  yield `{"format":"${exportFormats[0]}","customerCode":${JSON.stringify(customerCode)},"exportedOn":${JSON.stringify(start)},"jobs":[`;
  let isFirst = true;
  for await (const { place: _, files, ...job } of jobs) {
    const listed = files.flatMap(({ storageKey: _key, isThere: _there, sealedOn, ...file }) => {
      const place = places.get(file.guid);
      // stored after the files of its job were packed
      if (place === undefined) return [];
      const { createdOn, replacedOn } = file;
      const times = { createdOn: isoOf(createdOn), replacedOn: replacedOn && isoOf(replacedOn) };
      // the zip contains the file as it is stored: nothing is sealed again for it
      const seal = describeSealing(job.family, sealedOn ?? undefined);
      return [{ ...file, ...times, ...place, ...seal }];
    });
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify({ ...job, files: listed })}`;
    isFirst = false;
  }
  yield '\n]}\n';
}
