/** Sealing an encoded file again: the files of some makers expire, so a late download is sealed from the stored image. */
import * as z from 'zod/mini';
import { guid, json, route, time } from '../../api.ts';

/**
 * Whether a file can be written now. `fresh`: yes. `due`: its maker's service must seal it again first. `sealing`: it is
 * doing so. `failed`: it has not, and `reason` is the cause. `impossible`: the image that it was sealed from is not stored.
 * `lasting`: the files of its family do not expire.
 */
export const sealingState = z.object({
  state: z.enum(['lasting', 'fresh', 'due', 'sealing', 'failed', 'impossible']),
  /** Of `sealing`: whether the service does not respond at the moment, and is asked again. */
  isWaiting: z.boolean(),
  reason: z.nullable(z.enum(['ENGINE_REFUSED', 'ENGINE_UNAVAILABLE', 'FAILED'])),
  /** What the service stated as the cause; null also for an organization that the file is shared with. */
  detail: z.nullable(z.string()),
  /** The newest file that was sealed from the same image: the one to download. */
  fileGUID: guid,
  sealedOn: z.nullable(time),
  expiresOn: z.nullable(time),
});
export type SealingState = z.infer<typeof sealingState>;

const refusals = ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS', 'NOT_FOUND'] as const;

export const getSealing = route('GET', '/api/files/{fileGUID}/sealing', {
  summary: 'Returns whether an encoded file can be written now, and which file to download.',
  access: 'portal',
  params: z.object({ fileGUID: z.string() }),
  answer: json(sealingState),
  refusals,
});

export const sealFile = route('POST', '/api/files/{fileGUID}/sealing', {
  summary:
    "Starts to seal an encoded file again, if its maker's files expire and less than half of its time is left. Poll `GET` of this path until `state` is `fresh`, then download `fileGUID`.",
  access: 'portal',
  params: z.object({ fileGUID: z.string() }),
  answer: json(sealingState),
  refusals: [...refusals, 'API_ERROR_THROTTLING', 'SERVICE_UNAVAILABLE', 'STORAGE_QUOTA_REACHED'],
});
