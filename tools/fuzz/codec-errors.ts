/** The only error that the codec may throw for an invalid file. */
import { CodecError, internalCodes } from '@recodery/codec/errors';
import { must } from './target.ts';

/** The result, or null if the codec refuses the file with one of its codes. Any other error is a finding. */
export function orRefused<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    must(internalCodes.includes(error.internalCode), `unknown code ${error.internalCode}`);
    return null;
  }
}
