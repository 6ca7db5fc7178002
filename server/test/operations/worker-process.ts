/** A worker or a portal as a separate process, for the tests that kill it: the program itself, configured by its environment. */
import { main } from '../../src/main.ts';

await main(['serve']);
