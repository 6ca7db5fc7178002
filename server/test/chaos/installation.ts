/** The installations that the chaos test kills: one with everything embedded, and one with each role apart. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../fixtures/free-port.ts';
import { copyPrepared } from '../fixtures/prepared-folder.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { clusterOf } from '../../src/postgres/embedded/cluster-location.ts';
import { openForCommand } from '../../src/postgres/embedded/embedded.ts';
import { type MailServer, startMailServer } from '../email/mail-server.ts';
import { startOwnPostgres } from '../fixtures/database/own-postgres.ts';
import { kill } from './processes.ts';
import { type Incidents, type Supervised, supervise } from './supervisor.ts';
import { until } from './until.ts';

const program = fileURLToPath(import.meta.resolve('../../../recodery.mjs'));

export const layouts = ['embedded', 'roles apart'] as const;
export type Layout = (typeof layouts)[number];

/** A running installation. */
export interface Installation {
  readonly config: Config;
  /** The settings of its processes, for commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its address for browsers and programs. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly mails: MailServer;
  /** Its processes, except the database. */
  readonly processes: readonly Supervised[];
  /** Waits until everything runs. */
  becomesReady(): Promise<void>;
  /** Kills the main process of the database. Where it is not embedded, its supervisor starts it again. */
  killDatabase(): Promise<void>;
  /** Shuts everything down, as an operator does, but keeps the data. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** The settings that both layouts share. */
async function createSettings(mails: MailServer) {
  const dataDir = await mkdtemp(join(tmpdir(), 'recodery-chaos-'));
  // as root, the embedded database would otherwise move to a different folder
  await chmod(dataDir, 0o755);
  const port = await freePort();
  return {
    RECODERY_DATA_DIR: dataDir,
    RECODERY_PORT: String(port),
    RECODERY_PUBLIC_URL: `http://localhost:${port}`,
    RECODERY_DEMO: 'off',
    RECODERY_SMTP_URL: mails.url,
    RECODERY_MAIL_FROM: 'Recodery <portal@recodery.test>',
    RECODERY_PARALLEL_OPERATIONS: '100',
    RECODERY_OPEN_SLOTS: '100000',
  };
}

function start(settings: Readonly<Record<string, string>>) {
  return () =>
    spawn(process.execPath, [program, 'serve'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { PATH: process.env['PATH'], ...settings },
    });
}

async function isPortalReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** What both layouts have in common. */
function open(
  settings: Awaited<ReturnType<typeof createSettings>>,
  mails: MailServer,
  processes: readonly Supervised[],
) {
  const url = `http://127.0.0.1:${settings.RECODERY_PORT}`;
  return {
    config: readConfig(settings),
    environment: settings,
    url,
    mails,
    processes,
    becomesReady: async () => {
      await until('the installation is ready', async () => {
        if (!processes.every((one) => one.isReady())) return null;
        return (await isPortalReady(url)) || null;
      });
    },
  };
}

async function openEmbedded(incidents: Incidents): Promise<Installation> {
  const mails = await startMailServer();
  const settings = await createSettings(mails);
  await copyPrepared('tables', settings.RECODERY_DATA_DIR);
  const serve = supervise('serve', start({ ...settings, RECODERY_ENGINES: '2' }), incidents);
  const common = open(settings, mails, [serve]);
  await common.becomesReady();
  const { config } = common;
  // next to a running portal, a command only asks for the address
  const asked = await openForCommand(config.dataDir);
  await asked.close();
  return {
    ...common,
    databaseUrl: asked.url,
    async killDatabase() {
      const pidFile = join(clusterOf(asked.home.folder), 'postmaster.pid');
      // there is none while the database is being restarted
      await until('the database runs', async () => {
        const text = await readFile(pidFile, 'utf8').catch(() => '');
        return kill(Number.parseInt(text, 10)) || null;
      });
    },
    stop: () => serve.stop(),
    async remove() {
      await mails.stop();
      await rm(config.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function superviseRoles(
  settings: Awaited<ReturnType<typeof createSettings>>,
  incidents: Incidents,
): readonly Supervised[] {
  const roles = [
    ['portal', 'portal'],
    ['first worker', 'worker'],
    ['second worker', 'worker'],
  ] as const;
  return roles.map(([name, role]) =>
    supervise(name, start({ ...settings, RECODERY_ENGINES: '1', RECODERY_ROLES: role }), incidents),
  );
}

async function openApart(incidents: Incidents): Promise<Installation> {
  const mails = await startMailServer();
  const settings = await createSettings(mails);
  const postgres = await startOwnPostgres('tables');
  const own = {
    ...settings,
    RECODERY_DATABASE_URL: postgres.url,
    RECODERY_SECRET: randomBytes(32).toString('hex'),
  };
  const processes = superviseRoles(own, incidents);
  const common = open(own, mails, processes);
  await common.becomesReady();
  return {
    ...common,
    databaseUrl: postgres.url,
    async killDatabase() {
      await postgres.crash();
      await postgres.start();
    },
    async stop() {
      await Promise.all(processes.map((one) => one.stop()));
      await postgres.stop();
    },
    async remove() {
      await mails.stop();
      await postgres.remove();
      const { dataDir } = common.config;
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Starts an installation without any contents. */
export function openInstallation(layout: Layout, incidents: Incidents): Promise<Installation> {
  return layout === 'embedded' ? openEmbedded(incidents) : openApart(incidents);
}
