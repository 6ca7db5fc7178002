/** The kind `encoding-api`: services that speak the Encoding API, with a client application each. */
import { engineOf } from '@recodery/contract/features/engines';
import { createEncodingApiClient, type ServiceAddress } from '../../encoding-api-client/client.ts';
import type { ServiceAccess, ServiceEngineKind } from '../kind.ts';
import { checkConnection } from './check-connection.ts';
import { closeUnusedSlots } from './close-unused-slots.ts';
import { createEncodingApiEngine } from './encoding-api-engine.ts';
import { slotOf } from './remote-work.ts';

function addressOf({ url, client, secret }: ServiceAccess): ServiceAddress {
  return { url, clientGuid: client ?? '', secretKey: secret };
}

export const encodingApi: ServiceEngineKind = {
  open(access, tools) {
    const client = createEncodingApiClient(addressOf(access), {
      waitMs: tools.times.answer,
      stop: tools.stop,
      findAddress: async () => addressOf(await tools.findAccess()),
      onTokenRefused: (reason) => tools.reportRefusal(reason),
    });
    /** Whether an operation, besides one, needs this slot to be open. */
    const isNeeded = async (slotGuid: string, except: string | null): Promise<boolean> => {
      const contexts = await tools.listContextsInUse(except);
      return contexts.some((one) => slotOf(one)?.toLowerCase() === slotGuid.toLowerCase());
    };
    return {
      ...createEncodingApiEngine({ ...tools, client, isNeeded }),
      sweep: (signal) =>
        closeUnusedSlots({
          client,
          families: engineOf('encoding-api').families,
          signal,
          isNeeded: (slotGuid) => isNeeded(slotGuid, null),
        }),
    };
  },
  test: (access, now) => checkConnection(addressOf(access), now),
};
