/** The tables as TypeScript types: the hand-written counterpart of `server/migrations`. */
import type { Family, Workflow } from '@recodery/contract/families/registry';
import type { ConnectionKind } from '@recodery/contract/features/engines';
import type { ColumnType, Generated, Kysely } from 'kysely';
import type {
  DefaultTime,
  JsonColumn,
  OptionalJsonColumn,
  OptionalTime,
  Time,
} from './column-types.ts';
import type { SignInTables } from './sign-in-tables.ts';
import type { StorageTables } from './storage-tables.ts';
import type { ReportTables } from './report-tables.ts';
import type { FileTables } from './file-tables.ts';
import type { TrayTables } from './tray-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';

/** The tables. Columns are named as in the database. */
export interface Database
  extends FileTables,
    ReportTables,
    SignInTables,
    StorageTables,
    TrayTables,
    WebhookTables {
  migration: {
    name: string;
    checksum: string;
    applied_on: DefaultTime;
  };
  organisation: {
    guid: string;
    customer_code: string;
    name: string;
    email: string | null;
    culture: Generated<string>;
    logo: Buffer | null;
    logo_media_type: string | null;
    families: Generated<Family[]>;
    may_recod: Generated<boolean>;
    may_utility: Generated<boolean>;
    may_auto_send: Generated<boolean>;
    may_skip_checksum: Generated<boolean>;
    may_debug: Generated<boolean>;
    stored_bytes: Generated<number>;
    retention_days: number | null;
    quota_gib: number | null;
    is_archived: Generated<boolean>;
    created_on: DefaultTime;
  };
  account: {
    guid: string;
    email: string;
    display_name: string;
    culture: string | null;
    password_hash: string | null;
    has_portal_access: Generated<boolean>;
    is_suspended: Generated<boolean>;
    is_demo: Generated<boolean>;
    is_operator: Generated<boolean>;
    time_zone: string | null;
    created_on: DefaultTime;
    email_verified_on: OptionalTime;
  };
  account_subject: {
    issuer: string;
    subject: string;
    account_guid: string;
  };
  membership: {
    account_guid: string;
    organisation_guid: string;
    position: Generated<number>;
    is_manager: Generated<boolean>;
    is_suspended: Generated<boolean>;
  };
  group_code: {
    guid: string;
    organisation_guid: string;
    code: string;
  };
  engine_connection: {
    guid: string;
    name: string;
    kind: ConnectionKind;
    url: string;
    client_guid: string | null;
    created_on: DefaultTime;
    removed_on: OptionalTime;
  };
  master_device: {
    guid: string;
    organisation_guid: string;
    group_code_guid: string;
    family: Family;
    serial_number: string;
    current_key_id: Generated<number>;
    connection_guid: string | null;
    created_on: DefaultTime;
  };
  slave_device: {
    guid: string;
    master_device_guid: string;
    owner_guid: string | null;
    family: Family;
    serial_number: string;
    is_revoked: Generated<boolean>;
    revoked_key_ids: Generated<number[]>;
    key_id: number | null;
    key_renewed_on: OptionalTime;
    last_number: Generated<number>;
    last_encoded_number: Generated<number>;
    created_on: DefaultTime;
  };
  renewed_slave: {
    family: Family;
    serial_number: string;
  };
  slave_key_export: {
    guid: string;
    slave_device_guid: string;
    key_id: number;
    exported_on: DefaultTime;
    exported_by: string;
  };
  wrapped_key: {
    purpose: string;
    key_id: number;
    wrapped: Buffer;
    created_on: DefaultTime;
    retired_on: OptionalTime;
  };
  request_count: {
    sender: Buffer;
    count: number;
    ends_on: Time;
  };
  client_application: {
    guid: string;
    organisation_guid: string;
    name: string;
    secret_hash: Buffer;
    allowed_networks: Generated<string[]>;
    created_on: DefaultTime;
    expires_on: OptionalTime;
    last_used_on: OptionalTime;
    revoked_on: OptionalTime;
  };
  access_token: {
    token_hash: Buffer;
    client_guid: string;
    created_on: DefaultTime;
    expires_on: Time;
  };
  idempotency_key: {
    guid: Generated<string>;
    client_guid: string | null;
    account_guid: string | null;
    key: string;
    claim: string;
    lease_until: Time;
    content_hash: Buffer | null;
    response: string | null;
    created_on: DefaultTime;
  };
  slot: {
    guid: string;
    organisation_guid: string;
    account_guid: string | null;
    client_guid: string | null;
    user_code: string | null;
    opened_by_client_guid: string | null;
    family: Family;
    workflow: Workflow;
    group_code: string;
    read_file_name: string;
    master_device_guid: string | null;
    slave_device_guid: string | null;
    slave_serial_number: string | null;
    slave_owner_guid: string | null;
    key_id: number | null;
    mode: 'obd' | 'bootbench' | null;
    protocol_id: number | null;
    vin: string | null;
    facts: OptionalJsonColumn;
    draft: OptionalJsonColumn;
    connection_guid: string | null;
    /** Before migration 0060, what `engine_context` is since. */
    remote_slot_guid: string | null;
    engine_context: Buffer | null;
    check_limits: OptionalJsonColumn;
    note: string | null;
    note_account_guid: string | null;
    customer_label: string | null;
    past_labels: Generated<string[]>;
    plate: string | null;
    vehicle_make: string | null;
    vehicle_model: string | null;
    noted_on: OptionalTime;
    is_kept: Generated<boolean>;
    is_double: Generated<boolean>;
    retained_since: OptionalTime;
    kept_until: OptionalTime;
    imported_on: OptionalTime;
    imported_from: string | null;
    exported_on: OptionalTime;
    /** A tsvector, which only triggers write. */
    search: Generated<string>;
    created_on: DefaultTime;
    deleted_on: OptionalTime;
  };
  download: {
    guid: string;
    file_guid: string;
    way: 'own' | 'received' | 'link';
    organisation_guid: string | null;
    account_guid: string | null;
    client_guid: string | null;
    notification_guid: string | null;
    downloaded_on: DefaultTime;
  };
  operation: {
    guid: string;
    organisation_guid: string;
    account_guid: string | null;
    client_guid: string | null;
    user_info: string | null;
    callback_url: string | null;
    base_address: string | null;
    family: Family;
    workflow: Workflow;
    type: string;
    slot_guid: string;
    user_flow: Generated<string>;
    context_data: string | null;
    request: JsonColumn;
    status: Generated<'waiting' | 'running' | 'succeeded' | 'failed'>;
    attempt: Generated<number>;
    crashes: Generated<number>;
    lost_workers: Generated<string[]>;
    lease_until: OptionalTime;
    worker_guid: string | null;
    stage: Generated<string>;
    fraction: Generated<number>;
    result: OptionalJsonColumn;
    error_name: string | null;
    error_detail: string | null;
    internal_code: string | null;
    error_sizes: OptionalJsonColumn;
    reserved_bytes: Generated<number>;
    connection_guid: string | null;
    /** Before migration 0060, what `engine_context` is since. */
    remote: OptionalJsonColumn;
    engine_context: Buffer | null;
    is_background: Generated<boolean>;
    is_of_tray: Generated<boolean>;
    created_on: DefaultTime;
    started_on: OptionalTime;
    completed_on: OptionalTime;
  };
  installation: {
    only_row: Generated<boolean>;
    retention_days: number;
  };
  maintenance: {
    only_row: Generated<boolean>;
    is_on: Generated<boolean>;
    changed_on: DefaultTime;
    planned_from: OptionalTime;
    planned_to: OptionalTime;
  };
  update_check: {
    only_row: Generated<boolean>;
    asked_on: Time;
    version: string | null;
    error: string | null;
  };
  notification: {
    guid: string;
    sender_organisation_guid: string;
    sender_account_guid: string | null;
    sender_client_guid: string | null;
    sender_name: string;
    receiver_organisation_guid: string | null;
    receiver_name: string | null;
    operation_type: string;
    family: Family;
    slot_guid: string;
    workflow: Workflow;
    completed_on: Time;
    is_successful: boolean;
    file_name: string;
    slave_serial_number: string | null;
    target: 'file' | 'components' | null;
    target_file_guid: string | null;
    target_file_name: string | null;
    error_name: string | null;
    error_detail: string | null;
    internal_code: string | null;
    is_private: Generated<boolean>;
    note: string | null;
    revoked_on: OptionalTime;
    received_on: OptionalTime;
    sender_notified_on: OptionalTime;
    sender_interacted_on: OptionalTime;
    receiver_notified_on: OptionalTime;
    receiver_interacted_on: OptionalTime;
  };
  mail: {
    guid: string;
    organisation_guid: string;
    email: string;
    culture: string;
    status: Generated<'waiting' | 'sent' | 'failed' | 'revoked'>;
    failure: 'limit' | 'refused' | 'undeliverable' | null;
    attempt: Generated<number>;
    last_error: string | null;
    due_on: DefaultTime;
    created_on: DefaultTime;
    sent_on: OptionalTime;
    way: 'mail-server' | 'outbox' | null;
    retried_on: OptionalTime;
    share_key_id: number;
    token_hash: Buffer;
    expires_on: Time;
    first_download_on: OptionalTime;
  };
  original: {
    guid: string;
    protocol_id: number;
    hardware: string;
    software: string;
    name: string;
    size: number;
    sha256: string;
    storage_key: string;
    added_on: DefaultTime;
  };
  organisation_preferences: {
    organisation_guid: string;
    /** Text by family. */
    name_formats: ColumnType<unknown, string | undefined, string>;
    auto_send_default_action: 'Encode' | 'EncodeAndSend' | null;
    is_private_by_default: boolean | null;
    time_zone: string | null;
    decoded_name_format: string | null;
    changed_on: DefaultTime;
  };
  operator_message: {
    guid: string;
    language: string;
    text: string;
    shown_from: DefaultTime;
    shown_to: OptionalTime;
    created_on: DefaultTime;
  };
  receipt: {
    operation_guid: string;
    organisation_guid: string;
    slot_guid: string;
    file_guid: string;
    code: string;
    encoded_sha256: string;
    receipt: string;
    issued_on: DefaultTime;
  };
  audit_waiting: {
    guid: string;
    entry: string;
    waits_since: Generated<Date>;
    announced_until: OptionalTime;
  };
  audit_entry: {
    position: number;
    entry: string;
    recorded_on: Time;
    hash: Buffer;
  };
}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>;
