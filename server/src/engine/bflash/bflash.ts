/**
 * The kind `bflash`: bFlash's service for masters. Built from public client programs; nothing was tried against the
 * service. Two independent sources confirm the address, the paths, and that JSON is sent; everything else is in this
 * file because it may prove to be different.
 */
import { tidy } from '@recodery/codec/recoding/information';
import { RequestRefused } from '../../encoding-api-client/errors.ts';
import { memberOf } from '../../encoding-api-client/error-words.ts';
import { unreported } from '../unreported.ts';
import {
  createStatelessKind,
  readHashedData,
  refuseWithout,
  unknownContext,
} from '../stateless/stateless-kind.ts';

const hash = { algorithm: 'sha1', isUpperCase: false } as const;

/** Characters of the longest name that is stored. */
const longestName = 1000;

/** The name of the slave, which an encode sends back unchanged. */
function readName(json: unknown): string {
  const name = memberOf(json, 'name');
  if (typeof name !== 'string' || name === '' || name.length > longestName)
    throw refuseWithout('name');
  return name;
}

export const bflashKind = createStatelessKind({
  headers: ({ secret }) => ({
    authorization: `Bearer ${secret}`,
    // without it, a refused token may be answered with a redirect to a page for signing in
    'x-requested-with': 'XMLHttpRequest',
  }),
  decode: {
    request: (read) => ({
      path: '/api/master/decrypt',
      content: { json: { data: read.toString('base64') } },
    }),
    read(json) {
      // first: without it, the response may be damaged, and is requested again
      const bytes = readHashedData(json, hash);
      const name = readName(json);
      return {
        name: null,
        mode: 'obd',
        images: [{ component: 'obd', bytes }],
        context: { name },
        facts: { information: { ...unreported.information, serialNumber: tidy(name) } },
      };
    },
  },
  encode: {
    request(images, { name }) {
      const [image] = images.values();
      if (image === undefined || typeof name !== 'string') throw new RequestRefused(unknownContext);
      return {
        path: '/api/master/encrypt',
        content: { json: { data: image.toString('base64'), name } },
      };
    },
    read: (json) => readHashedData(json, hash),
  },
});
