/**
 * The names of the demo's engines, which are doubles of makers' services. Operators can give no other engine such a name, so
 * that pages can recognize a double by it.
 */

const start = 'demo double of ';

/** The name of the connection to the double of a maker's service. */
export const doubleName = (maker: string): string => `${start}${maker}`;

/** What the names of files that a double has encoded end with, before the extension. */
export const doubleSuffix = '_demo-double';

/** Whether an engine is a double of the demo. */
export const isDouble = (engineName: string): boolean => engineName.startsWith(start);
