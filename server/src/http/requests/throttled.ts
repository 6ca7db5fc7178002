/** A refusal with the time after which the caller can try again. */
import type { RefusalCode } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';

/** The caller has reached a limit. `retryAfterSeconds`: when a request is served again. */
export class Throttled extends Refusal {
  readonly retryAfterSeconds: number;
  constructor(code: RefusalCode, retryAfterSeconds: number) {
    super(code);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}
