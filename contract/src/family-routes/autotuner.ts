/** AutoTuner's calls, and its numbers in the Encoding API. */
import { imageType, serviceApi, serviceCalls, serviceRoutes } from './service-calls.ts';

export const calls = serviceCalls({ [imageType]: 'obd' });

/** AutoTuner's routes. Pages load only its calls. */
export const autotuner = {
  calls,
  ...serviceRoutes,
  encodingApi: serviceApi('autotuner', [10, 11]),
};
