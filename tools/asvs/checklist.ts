/** Reads the checklist of the OWASP ASVS, `docs/developers/asvs.md`, and lists the numbers that it must contain. */

/** The possible states of a line: met, the operator's task, not met, or not applicable to Recodery. */
export const states = ['met', 'operator', 'not met', 'not applicable'] as const;
export type State = (typeof states)[number];

/** One line of the checklist. */
export interface Requirement {
  /** E.g. `6.2.1`: chapter, section, requirement. */
  readonly number: string;
  readonly level: number;
  readonly state: State;
  /** What proves that it is met, or why it is not met. */
  readonly words: string;
}

/** A file named in a text, and the title that follows it. */
export interface NamedFile {
  readonly path: string;
  readonly title: string | null;
}

/** The numbers of version 5.0.0 by level; level 2 includes both. Each word is a section with its requirements. */
const sections: readonly (readonly [level: number, numbers: string])[] = [
  [
    1,
    `1.2:1-5 1.3:1-2 1.5:1 2.1:1 2.2:1-2 2.3:1 3.2:1-2 3.3:1 3.4:1-2 3.5:1-3 4.1:1 4.4:1 5.2:1-2 5.3:1-2 6.1:1
    6.2:1-8 6.3:1-2 6.4:1-2 7.2:1-4 7.4:1-2 8.1:1 8.2:1-2 8.3:1 9.1:1-3 9.2:1 10.4:1-5 11.3:1-2 11.4:1 12.1:1 12.2:1-2
    13.4:1 14.2:1 14.3:1 15.1:1 15.2:1 15.3:1`,
  ],
  [
    2,
    `1.1:1-2 1.2:6-9 1.3:3-11 1.4:1-3 1.5:2 2.1:2-3 2.2:3 2.3:2-4 2.4:1 3.3:2-4 3.4:3-6 3.5:4-5 3.7:1-2 4.1:2-3 4.2:1
    4.3:1-2 4.4:2-4 5.1:1 5.2:3 5.4:1-3 6.1:2-3 6.2:9-12 6.3:3-4 6.4:3-4 6.5:1-5 6.6:1-3 6.8:1-4 7.1:1-3 7.3:1-2
    7.4:3-5 7.5:1-2 7.6:1-2 8.1:2 8.2:3 8.4:1 9.2:2-4 10.1:1-2 10.2:1-2 10.3:1-4 10.4:6-11 10.5:1-5 10.6:1-2 10.7:1-3
    11.1:1-2 11.2:1-3 11.3:3 11.4:2-4 11.5:1 11.6:1 12.1:2-3 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2 13.4:2-5 14.1:1-2
    14.2:2-4 14.3:2-3 15.1:2-3 15.2:2-3 15.3:2-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2`,
  ],
];

/** The numbers of the standard's requirements with their level, e.g. `6.2.1 level 1`. */
export const expectedNumbers: readonly string[] = sections.flatMap(([level, numbers]) =>
  numbers.split(/\s+/).flatMap((word) => {
    const [section = '', range = ''] = word.split(':');
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from(
      { length: last - first + 1 },
      (_, at) => `${section}.${first + at} level ${level}`,
    );
  }),
);

const isState = (word: string): word is State => (states as readonly string[]).includes(word);

/**
 * The lines of the checklist.
 *
 * @throws Error that quotes a line that begins with a number and does not match the format.
 */
export function readChecklist(text: string): Requirement[] {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [number = '', level = '', subject = '', state = '', words = '', ...rest] = line
        .slice(2, -2)
        .split(' | ');
      if (rest.length > 0 || subject === '' || !isState(state)) {
        throw new Error(`neither five columns nor a known state: ${line}`);
      }
      return { number, level: Number(level), state, words: words.trim() };
    });
}

// a path, a hidden file, or a document of the project folder
const fileForm =
  /`([A-Za-z.][\w.-]*(?:\/[\w.-]+)+|\.[a-z][\w.-]*|[\w.-]+\.(?:md|json|yaml))`(?:, "([^"]+)")?/g;

/** The files of the repository that a text names, each with the title that follows it: `path`, "title". */
export function filesNamedIn(text: string): NamedFile[] {
  return [...text.matchAll(fileForm)].map(([, path = '', title]) => ({
    path,
    title: title?.replaceAll(/\s+/g, ' ') ?? null,
  }));
}
