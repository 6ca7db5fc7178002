/** The result of every part of the audit, and the header of its report. */

/** The result of one part. */
export interface PartResult {
  readonly hasPassed: boolean;
  /** For the terminal: the findings, and how much was checked. */
  readonly lines: readonly string[];
  /** The report as Markdown; null if the part keeps none, or too little was checked to represent the whole. */
  readonly report: string | null;
}

/** The header of a report: its title, its date, its part, and the tools used. */
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
