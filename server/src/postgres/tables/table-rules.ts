/** The rules for each table: which files may write it, and whether a backup contains it. */
import type { Database } from './schema.ts';

/** The rules for a table. */
export interface TableRules {
  /**
   * The files of `server/src` that insert, update and delete its rows, retention included; more than one only where one
   * would be longer than a file may be. Others may read it.
   */
  readonly owners: readonly string[];
  /** The function of the database that writes it, which only owners call; absent: they write it themselves. */
  readonly writer?: string;
  /**
   * Sign-ins and active workers are temporary: after a restore all users sign in again, and programs get new tokens. The
   * list of migrations is in the manifest.
   */
  readonly isBackedUp: boolean;
}

export const tables: Readonly<Record<keyof Database, TableRules>> = {
  access_token: { owners: ['clients/access-tokens.ts'], isBackedUp: false },
  account: { owners: ['organisations/accounts.ts'], isBackedUp: true },
  account_mail: { owners: ['email/account-emails.ts'], isBackedUp: true },
  account_subject: { owners: ['organisations/accounts.ts'], isBackedUp: true },
  audit_entry: { owners: ['audit/audit.ts'], isBackedUp: true },
  audit_waiting: { owners: ['audit/audit.ts'], isBackedUp: true },
  authenticator_app: { owners: ['sign-in/factors/authenticator-apps.ts'], isBackedUp: true },
  // about files in the folder of this installation
  backup_run: { owners: ['backup/backup-runs.ts'], isBackedUp: false },
  backup_schedule: { owners: ['backup/backup-runs.ts'], isBackedUp: true },
  client_application: { owners: ['clients/clients.ts'], isBackedUp: true },
  // found again by the next verification
  damaged_file: { owners: ['slots/files/damaged-files.ts'], isBackedUp: false },
  download: {
    owners: ['slots/sending/downloads.ts'],
    writer: 'record_downloads',
    isBackedUp: true,
  },
  engine_connection: { owners: ['engine-connections/engine-connections.ts'], isBackedUp: true },
  factor_failure: { owners: ['sign-in/factors/factor-failures.ts'], isBackedUp: false },
  file_verification: { owners: ['upkeep/verify-files.ts'], isBackedUp: false },
  group_code: { owners: ['organisations/device-changes.ts'], isBackedUp: true },
  idempotency_key: { owners: ['clients/idempotency-keys.ts'], isBackedUp: true },
  // only its migration writes it
  installation: { owners: [], isBackedUp: true },
  invitation: { owners: ['administration/people/invitations.ts'], isBackedUp: true },
  mail: { owners: ['email/emails.ts'], isBackedUp: true },
  maintenance: { owners: ['service-status/maintenance.ts'], isBackedUp: true },
  master_device: { owners: ['organisations/device-changes.ts'], isBackedUp: true },
  membership: { owners: ['organisations/organisations.ts'], isBackedUp: true },
  migration: { owners: ['postgres/migrate.ts'], isBackedUp: false },
  misfit: { owners: ['slots/misfits.ts'], isBackedUp: true },
  notification: {
    owners: ['notifications/delete-notifications.ts', 'notifications/notifications.ts'],
    isBackedUp: true,
  },
  operation: {
    owners: ['operations/claim.ts', 'operations/operations.ts', 'operations/slot-operations.ts'],
    isBackedUp: true,
  },
  operator_message: { owners: ['messages/messages.ts'], isBackedUp: true },
  organisation: { owners: ['organisations/organisations.ts'], isBackedUp: true },
  organisation_preferences: { owners: ['preferences/preferences.ts'], isBackedUp: true },
  original: { owners: ['recoding/originals/originals.ts'], isBackedUp: true },
  own_setting: { owners: ['service-status/own-settings.ts'], isBackedUp: true },
  passkey: { owners: ['sign-in/factors/passkeys.ts'], isBackedUp: true },
  passkey_challenge: { owners: ['sign-in/factors/passkey-challenges.ts'], isBackedUp: false },
  portal_report: { owners: ['service-status/portals.ts'], isBackedUp: false },
  provider_record: { owners: ['sign-in/provider/records.ts'], isBackedUp: false },
  recovery_code: { owners: ['sign-in/factors/recovery-codes.ts'], isBackedUp: true },
  request_count: { owners: ['http/requests/request-counts.ts'], isBackedUp: false },
  receipt: { owners: ['receipts/receipts.ts'], isBackedUp: true },
  renewed_slave: { owners: ['organisations/device-changes.ts'], isBackedUp: true },
  session: {
    owners: ['sign-in/sessions.ts', 'sign-in/confirmed-sessions.ts'],
    isBackedUp: false,
  },
  sign_in_failure: { owners: ['sign-in/failures.ts'], isBackedUp: false },
  sign_in_attempt: { owners: ['sign-in/provider/attempts.ts'], isBackedUp: false },
  setup_link: { owners: ['administration/setup/setup-links.ts'], isBackedUp: false },
  slave_device: { owners: ['organisations/device-changes.ts'], isBackedUp: true },
  slave_key_export: { owners: ['organisations/slave-key-exports.ts'], isBackedUp: true },
  slot: {
    owners: ['slots/job-marks.ts', 'slots/slot-expiry.ts', 'slots/slots.ts'],
    isBackedUp: true,
  },
  sso_token: { owners: ['sign-in/sso-tokens.ts'], isBackedUp: false },
  stored_file: {
    owners: [
      'slots/files/file-expiry.ts',
      'slots/kept-originals.ts',
      'slots/files/replaced-files.ts',
      'slots/files/stored-files.ts',
    ],
    isBackedUp: true,
  },
  terms_acceptance: { owners: ['sign-in/terms.ts'], isBackedUp: true },
  terms_version: { owners: ['sign-in/terms-versions.ts'], isBackedUp: true },
  tray: { owners: ['trays/trays.ts'], isBackedUp: true },
  tray_file: { owners: ['trays/tray-files.ts'], isBackedUp: true },
  update_check: { owners: ['service-status/updates.ts'], isBackedUp: false },
  webhook_attempt: { owners: ['webhooks/attempts.ts'], isBackedUp: true },
  webhook_endpoint: { owners: ['webhooks/endpoints.ts'], isBackedUp: true },
  webhook_message: { owners: ['webhooks/messages.ts'], isBackedUp: true },
  worker_report: { owners: ['service-status/workers.ts'], isBackedUp: false },
  wrapped_key: { owners: ['secrets/secrets.ts'], isBackedUp: true },
};
