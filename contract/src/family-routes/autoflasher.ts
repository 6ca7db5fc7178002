/** AutoFlasher's calls, and its numbers in the Encoding API. */
import { memories } from '../families/memories.ts';
import {
  componentPlaces,
  imageType,
  serviceApi,
  serviceCalls,
  serviceRoutes,
} from './service-calls.ts';

export const calls = serviceCalls({ [imageType]: 'obd', ...componentPlaces(memories) });

/** AutoFlasher's routes. Pages load only its calls. */
export const autoflasher = {
  calls,
  ...serviceRoutes,
  encodingApi: serviceApi('autoflasher', [15, 16, 17], memories),
};
