/** An engine that ends soon after it is ready, as if a system that is out of memory had killed it. */
import { say } from '../../../../src/engine/built-in/engine-pipes.ts';

say({ kind: 'ready' });
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12 * Math.random());
process.exit(137);
