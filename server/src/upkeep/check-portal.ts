/** What `recodery doctor` checks of running portals and workers: the port, the proxy in front, and their engines. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import {
  describeIsolation,
  describeMissingIsolation,
  describeWeakness,
  detectIsolation,
} from '../engine/built-in/isolation.ts';
import { portalHeader } from '../http/health.ts';
import { isGuid } from '../config/guids.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { aliveSeconds, findReportAge, listUntrustedProxies } from '../service-status/portals.ts';
import { listRunningIsolations } from '../service-status/workers.ts';
import type { Judgment } from './finding.ts';

/** Milliseconds within which the portal must respond. */
const portalPatience = 5000;

/** The address for reaching a portal that listens on this host from this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** What responds at the configured port. Without a database (null), it is unknown whether it is this installation. */
export async function checkPortal(db: Db | null, { host, port }: Config): Promise<Judgment> {
  const address = `http://${reachable(host)}:${port}`;
  const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(portalPatience) })
    .then(async (response) => ({
      text: await response.text(),
      portalGuid: response.headers.get(portalHeader) ?? '',
    }))
    .catch(() => null);
  if (answer === null) {
    return [
      'warning',
      `No portal responds at ${address}. If one is running, set RECODERY_HOST and RECODERY_PORT to the values that it uses.`,
    ];
  }
  if (answer.text !== 'ok') {
    return [
      'wrong',
      `Another program responds at ${address}. Stop it, or set RECODERY_PORT to another port.`,
    ];
  }
  if (db === null) {
    return [
      'warning',
      `A portal responds at ${address}. Without the database, doctor cannot check whether it belongs to this installation.`,
    ];
  }
  const age = isGuid(answer.portalGuid) ? await findReportAge(db, answer.portalGuid) : null;
  if (age === null) {
    return [
      'wrong',
      `The portal that responds at ${address} belongs to another installation, or is an older version that still runs. Stop it, or set RECODERY_PORT to another port.`,
    ];
  }
  // as in a copy of the database
  return age > aliveSeconds
    ? [
        'warning',
        `The portal that responds at ${address} has not reported to this database for ${Math.round(age)} seconds. Check that it uses the same database.`,
      ]
    : ['ok', `The portal responds at ${address}.`];
}

/** Proxies whose X-Forwarded-For header is ignored, as far as requests or settings show any; null: none. */
export async function checkProxies(db: Db, config: Config): Promise<Judgment | null> {
  const consequence = 'All its users count as one caller, so wrong passwords of one lock out all.';
  const found = await listUntrustedProxies(db);
  if (found.length > 0) {
    return [
      'warning',
      `Requests with X-Forwarded-For come from ${found.join(', ')}, not trusted. If this is your proxy: ${consequence} Add its address or network to RECODERY_TRUSTED_PROXIES, and restart the portal.`,
    ];
  }
  return config.publicUrl.startsWith('https:') && config.trustedProxies.length === 0
    ? [
        'warning',
        `RECODERY_PUBLIC_URL is https, so a proxy is in front, but no proxy is trusted. ${consequence} Set RECODERY_TRUSTED_PROXIES to its address.`,
      ]
    : null;
}

/** How running portals and workers isolate their engines, or, if none runs, how this account could. */
export async function checkIsolation(db: Db | null, config: Config): Promise<Judgment> {
  const running = db === null ? [] : await listRunningIsolations(db);
  if (running.length === 0) return checkOwnIsolation(config);
  const hasNamespaces = running.every((one) => one.hasNamespaces);
  if (config.needsNamespaces && !hasNamespaces) {
    return [
      'wrong',
      `RECODERY_ENGINE_ISOLATION requires namespaces, but engine processes of a running portal or worker are only limited by: ${running[0]?.text}. Restart it.`,
    ];
  }
  const levels = running.map(({ text }) => text).join('; others by: ');
  const isSealed = running.every((one) => one.isSealed);
  const weakness = describeWeakness({ hasNamespaces, isSealed });
  return judgeIsolation(`Engine processes are limited by: ${levels}.`, weakness);
}

async function checkOwnIsolation(config: Config): Promise<Judgment> {
  const trial = await mkdtemp(join(config.dataDir, '.doctor-')).catch(() =>
    mkdtemp(join(tmpdir(), 'recodery-doctor-')),
  );
  // Accounts of engines must be able to enter the folder of this trial, as with the folder of their pool.
  await chmod(trial, 0o711);
  const isolation = await detectIsolation(trial).finally(() => rm(trial, { recursive: true }));
  const missing = describeMissingIsolation(isolation, config);
  if (missing !== null) return ['wrong', missing];
  const { namespaces, isSealed, obstacles } = isolation;
  return judgeIsolation(
    `No portal or worker is running. If this account starts one, engine processes are limited by: ${describeIsolation(isolation)}.`,
    describeWeakness({ hasNamespaces: namespaces !== null, isSealed }, obstacles),
  );
}

function judgeIsolation(text: string, weakness: string | null): Judgment {
  return weakness === null ? ['ok', text] : ['warning', `${text} ${weakness}`];
}
