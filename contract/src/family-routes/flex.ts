/** Flex's calls, and its numbers in the Encoding API. */
import { memories } from '../families/memories.ts';
import {
  componentPlaces,
  imageType,
  serviceApi,
  serviceCalls,
  serviceRoutes,
} from './service-calls.ts';

export const calls = serviceCalls({ [imageType]: 'obd', ...componentPlaces(memories) });

/** Flex's routes. Pages load only its calls. */
export const flex = {
  calls,
  ...serviceRoutes,
  encodingApi: serviceApi('flex', [12, 13, 14], memories),
};
