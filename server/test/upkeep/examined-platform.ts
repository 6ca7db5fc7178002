/** An installation that doctor examines: the shared steps of its tests. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach } from 'vitest';
import { operatorActor, recordAudit } from '../../src/audit/audit.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { describeWeakness, detectIsolation } from '../../src/engine/built-in/isolation.ts';
import { examine } from '../../src/upkeep/doctor.ts';
import type { DoctorFinding } from '../../src/upkeep/finding.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { reportWorker } from '../../src/service-status/workers.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';

export type Settings = Readonly<Record<string, string>>;

export const statesOf = (findings: readonly DoctorFinding[]) =>
  Object.fromEntries(findings.map(({ what, state }) => [what, state]));

export const textOf = (findings: readonly DoctorFinding[], what: string) =>
  findings.find((finding) => finding.what === what)?.text;

export async function examinePlatform() {
  const portal = await startTestPortal({}, false);
  afterAll(() => portal.stop());
  const platform = portal.platform;
  const store = await openStorage(platform.config);
  await recordAudit(platform.db, { actor: operatorActor(), action: 'backup', outcome: 'done' });
  const workerGuid = newGuid();
  beforeEach(async () => {
    await reportWorker(platform.db, workerGuid, 1, isolation);
    // a test can take longer than a report counts
    const reported_on = sql<Date>`now() + interval '1 hour'`;
    await platform.db.updateTable('worker_report').set({ reported_on }).execute();
  });
  function configOf(settings: Settings = {}) {
    const { dataDir } = platform.config;
    return readConfig({
      RECODERY_DATA_DIR: dataDir,
      RECODERY_DATABASE_URL: platform.databaseUrl,
      RECODERY_SECRET_FILE: join(dataDir, 'secret'),
      RECODERY_PORT: new URL(portal.url).port,
      ...settings,
    });
  }
  async function findAll(
    config: Config,
    isDeep = false,
    db?: Db,
  ): Promise<readonly DoctorFinding[]> {
    const findings: DoctorFinding[] = [];
    const asked = { config, log: silentLog, isDeep, ...(db === undefined ? {} : { db }) };
    for await (const finding of examine(asked)) findings.push(finding);
    return findings;
  }
  async function find(settings?: Settings): Promise<readonly DoctorFinding[]> {
    return findAll(configOf(settings));
  }
  async function* pieces(text: string): AsyncIterable<Uint8Array> {
    yield Buffer.from(text);
  }
  /** The isolation that this machine offers engines. */
  const trial = await mkdtemp(join(tmpdir(), 'recodery-doctor-'));
  afterAll(() => rm(trial, { recursive: true }));
  // as root: the accounts of the engines need access
  await chmod(trial, 0o711);
  const isolation = await detectIsolation(join(trial, 'scratch'));
  const hasNamespaces = isolation.namespaces !== null;
  const weakness = describeWeakness({ hasNamespaces, isSealed: isolation.isSealed });
  const isolationState = weakness === null ? 'ok' : 'warning';
  const allWell = {
    configuration: 'ok',
    portal: 'ok',
    'data folder': 'ok',
    disk: 'ok',
    'secret files': 'ok',
    isolation: isolationState,
    database: 'ok',
    secret: 'ok',
    worker: 'ok',
    clock: 'ok',
    storage: 'ok',
    backup: 'ok',
    mail: 'ok',
  };
  return {
    allWell,
    platform,
    store,
    portal,
    workerGuid,
    configOf,
    findAll,
    find,
    pieces,
    trial,
    isolation,
    hasNamespaces,
    weakness,
    isolationState,
  };
}
