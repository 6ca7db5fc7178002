/** Flex's calls, and its numbers in the Encoding API. */
import { flexMemories } from '../families/flex.ts';
import {
  componentPlaces,
  imageType,
  serviceApi,
  serviceCalls,
  serviceRoutes,
} from './service-calls.ts';

export const calls = serviceCalls({ [imageType]: 'obd', ...componentPlaces(flexMemories) });

/** Flex's routes. Pages load only its calls. */
export const flex = {
  calls,
  ...serviceRoutes,
  encodingApi: serviceApi('flex', [12, 13, 14], flexMemories),
};
