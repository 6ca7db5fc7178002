/** The directory file in the browser: its download, and a file that is applied as it was previewed. */
import * as z from 'zod/mini';
import { file, json, queryFlag, route } from '../api.ts';

/** Maximum bytes of a directory file. */
export const mostDirectoryBytes = 16 * 2 ** 20;

const change = z.object({
  kind: z.enum(['organisation', 'group', 'master', 'slave', 'user']),
  /** What names the record, such as `kess3 KS3-1`. */
  key: z.string(),
  action: z.enum(['add', 'change', 'remove']),
  /** The fields that change; null: empty. Of a logo, only its size is shown. */
  fields: z.array(
    z.object({ name: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
  ),
  /** How a device changes its owner. */
  moves: z.array(z.string()),
});
export type PreviewedChange = z.infer<typeof change>;

const preview = z.object({
  /** Names exactly these changes, with their old values. */
  plan: z.string(),
  changes: z.array(change),
  /** Why the file cannot be applied, in English, as the command line prints it; empty: it can be. */
  mistakes: z.array(z.object({ line: z.nullable(z.number()), text: z.string() })),
});
export type DirectoryPreview = z.infer<typeof preview>;

const refusals = [
  'API_ERROR_UNAUTHORIZED',
  'FILE_MISSING',
  'FILE_TOO_LARGE',
  'UPLOAD_INTERRUPTED',
  'TOO_MANY_UPLOADS',
  'STORAGE_QUOTA_REACHED',
  'SERVICE_UNAVAILABLE',
] as const;

export const downloadDirectory = route('GET', '/api/admin/directory', {
  summary:
    'Returns the directory file: all organisations, users and devices as YAML, without passwords and keys.',
  access: 'person',
  role: 'operator',
  answer: file('application/yaml; charset=utf-8'),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const previewDirectory = route('POST', '/api/admin/directory/preview', {
  summary:
    'Returns what a directory file would change, or why it cannot be applied. Changes nothing.',
  access: 'person',
  role: 'operator',
  file: { field: 'directory' },
  audit: 'never',
  answer: json(preview),
  refusals,
});

export const applyDirectoryFile = route('POST', '/api/admin/directory/apply', {
  summary:
    'Applies a directory file in one transaction, if it still changes exactly what its preview showed. `move` confirms that devices change their owner.',
  access: 'person',
  role: 'operator',
  query: z.object({ plan: z.string().check(z.maxLength(64)), move: queryFlag }),
  file: { field: 'directory' },
  answer: json(preview),
  refusals: [...refusals, 'RECORD_CHANGED', 'FIELDS_NOT_ACCEPTED'],
});
