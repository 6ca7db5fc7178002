/** A refusal that names the time at which the caller can try again. */
import { Refusal, type RefusalCode } from '@recodery/contract/errors';

/** The caller has reached a limit. `retryAfterSeconds`: then a request is served again. */
export class Throttled extends Refusal {
  readonly retryAfterSeconds: number;
  constructor(code: RefusalCode, retryAfterSeconds: number) {
    super(code);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}
