/** Reads email addresses from text that people paste; pure. */

/**
 * The addresses in a pasted list, each once: separated by spaces, line ends, commas or semicolons, and as email programs
 * copy them (`Anna Conti <anna@shop.test>`).
 */
export function addressesIn(text: string): readonly string[] {
  const named = text.replaceAll(/[^<>\n,;]*<([^<>\s]+)>/g, ' $1 ');
  const found = named.split(/[\s,;]+/).filter((one) => one !== '');
  return [...new Map(found.map((one) => [one.toLowerCase(), one])).values()];
}
