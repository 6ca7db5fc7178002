/**
 * The kind `flex`: MagicMotorsport's service for masters of Flex. Built from public client programs; nothing was tried
 * against the service. It needs the serial number of the slave, which the read does not show.
 */
import { namedMemories } from '@recodery/contract/families/memories';
import { RequestRefused } from '../../encoding-api-client/errors.ts';
import { createMemoriesKind } from '../stateless/memories-kind.ts';

const service = '/master/api/v1/slave_manager';

export const flexKind = createMemoriesKind({
  headers: ({ secret }) => ({ 'x-api-key': secret }),
  paths: { decode: `${service}/decrypt`, encode: `${service}/encrypt` },
  readSlave(_, given) {
    if (given === null)
      throw new RequestRefused('the serial number of the slave is missing: choose the slave');
    return given;
  },
  memories: namedMemories,
  unnamed: 'int_flash',
});
