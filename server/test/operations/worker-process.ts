/** A worker as a process of its own, for the tests that kill it: the program itself, set by its environment. */
import { main } from '../../src/main.ts';

await main(['serve']);
