/**
 * Which file owns which table: only its owner inserts, updates and deletes a table's rows, retention included. Others
 * may read it.
 */

/** The files of `server/src` that may write a table. Two only where one would be longer than a file may be. */
export type TableOwners = Readonly<Record<string, readonly string[]>>;

/** For statements whose table is a variable. */
export const anyTable = '(any)';

export const tableOwners: TableOwners = {
  access_token: ['clients/access-tokens.ts'],
  account: ['organisations/accounts.ts'],
  account_subject: ['organisations/accounts.ts'],
  audit_entry: ['audit/audit.ts'],
  audit_waiting: ['audit/audit.ts'],
  client_application: ['clients/clients.ts'],
  engine_connection: ['organisations/engine-connections.ts'],
  group_code: ['organisations/device-changes.ts'],
  idempotency_key: ['clients/idempotency-keys.ts'],
  mail: ['email/emails.ts'],
  maintenance: ['service-status/maintenance.ts'],
  master_device: ['organisations/device-changes.ts'],
  membership: ['organisations/organisations.ts'],
  migration: ['postgres/migrate.ts'],
  notification: ['notifications/delete-notifications.ts', 'notifications/notifications.ts'],
  operation: ['operations/claim.ts', 'operations/operations.ts', 'operations/slot-operations.ts'],
  operator_message: ['service-status/messages.ts'],
  organisation: ['organisations/organisations.ts'],
  organisation_preferences: ['preferences/preferences.ts'],
  original: ['recoding/originals/originals.ts'],
  provider_record: ['sign-in/provider/records.ts'],
  request_count: ['http/request-counts.ts'],
  receipt: ['receipts/receipts.ts'],
  // a temporary table
  seen: ['operator/compare-storage.ts'],
  session: ['sign-in/sessions.ts'],
  sign_in_attempt: ['sign-in/provider/attempts.ts'],
  slave_device: ['organisations/device-changes.ts'],
  slave_key_export: ['organisations/slave-key-exports.ts'],
  slot: ['slots/job-marks.ts', 'slots/slots.ts'],
  sso_token: ['sign-in/sso-tokens.ts'],
  stored_file: ['slots/file-expiry.ts', 'slots/stored-files.ts'],
  terms_acceptance: ['sign-in/terms.ts'],
  tray: ['trays/trays.ts'],
  tray_file: ['trays/tray-files.ts'],
  webhook_attempt: ['webhooks/attempts.ts'],
  webhook_endpoint: ['webhooks/endpoints.ts'],
  webhook_message: ['webhooks/messages.ts'],
  worker_report: ['service-status/workers.ts'],
  wrapped_key: ['secrets/secrets.ts'],
  // a restore fills all tables
  [anyTable]: ['operator/restore-rows.ts'],
};

/** A table's name in SQL, quoted or not, or a variable instead of it. */
const name = String.raw`(?:only\s+)?(\$\{|"?\w+)`;
const writes = [
  // of the query builder
  /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*(?:['"`](\w+)|[^'"`\s])/g,
  // of SQL
  new RegExp(String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into)\s+${name}`, 'gi'),
  new RegExp(String.raw`\btruncate\s+(?:table\s+)?${name}`, 'gi'),
  new RegExp(String.raw`\bupdate\s+${name}\S*(?:\s+as)?(?:\s+\w+)?\s+set\b`, 'gi'),
];

/** The tables that a source file writes, without those that only its comments name. */
function findWrites(source: string): ReadonlySet<string> {
  const code = source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '');
  const found = writes.flatMap((pattern) => [...code.matchAll(pattern)]);
  return new Set(
    found.map(([, table = '${']) => (table === '${' ? anyTable : table.replace('"', ''))),
  );
}

/**
 * What contradicts the list, one line each: writers that are not the owner, written or defined tables without an owner,
 * and entries for files that do not write the table. `sources` are the files by path, `tables` the database's.
 */
export function findOwnerFaults(
  owners: TableOwners,
  sources: Readonly<Record<string, string>>,
  tables: readonly string[],
): readonly string[] {
  const written = Object.entries(sources).flatMap(([file, source]) =>
    [...findWrites(source)].map((table) => ({ file, table })),
  );
  const isWriter = (file: string, table: string): boolean =>
    written.some((write) => write.file === file && write.table === table);
  return [
    ...written
      .filter(({ file, table }) => owners[table]?.includes(file) !== true)
      .map(
        ({ file, table }) =>
          `${file} writes ${table}, owned by ${owners[table]?.join(' and ') || 'no file'}`,
      ),
    ...tables.filter((table) => owners[table] === undefined).map((table) => `${table}: no owner`),
    ...Object.entries(owners).flatMap(([table, files]) =>
      files
        .filter((file) => !isWriter(file, table))
        .map((file) => `${file} does not write ${table}: remove it from the list`),
    ),
  ];
}
