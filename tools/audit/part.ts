/** What every part of the audit gives back, and what its report begins with. */

/** The outcome of one part. */
export interface PartResult {
  readonly hasPassed: boolean;
  /** For the terminal: what was found, or that nothing was. */
  readonly lines: readonly string[];
  /** The report as Markdown, or null when too little was looked at to stand for the whole. */
  readonly report: string | null;
}

/** The head of a report: its title, when it was made, by which part, and with what. */
export function headOf(title: string, part: string, tools: readonly string[]): string {
  const day = new Date().toISOString().slice(0, 10);
  return `# ${title}

Written by \`npm run audit -- ${part}\` on ${day}, with ${tools.join(', ')}.
`;
}

/** A table as Markdown. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
