/** bFlash's calls, and its numbers in the Encoding API. */
import { imageType, serviceApi, serviceCalls, serviceRoutes } from './service-calls.ts';

export const calls = serviceCalls({ [imageType]: 'obd' });

/** bFlash's routes. Pages load only its calls. */
export const bflash = { calls, ...serviceRoutes, encodingApi: serviceApi('bflash', [8, 9]) };
