/** When the files that operations have stored were sealed, for queries of several features. */
import { sql } from 'kysely';

/**
 * The encoded files that a maker's service has sealed, as a view would list them: `organisation_guid`, `slot_guid`, and as
 * text `file_guid` and `sealed_on`.
 */
export const sealedFiles = sql`
  (select organisation_guid, slot_guid, result ->> 'fileGuid' as file_guid, result ->> 'sealedOn' as sealed_on
    from operation where result ->> 'sealedOn' is not null)`;
