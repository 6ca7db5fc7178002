/** How these tests describe a ticket, link, token or secret, and how it is forged. */
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { describe } from './ask.ts';

/** A change after which a valid value must be refused, until it is undone. */
export interface Ending {
  end(): Promise<unknown>;
  undo(): Promise<unknown>;
  /** By default like any other value. */
  readonly answer?: string;
}

/** Something that gives access to a call to everyone who has it. */
export interface Credential {
  readonly title: string;
  /** The value that it is compared with: the purpose of a key, or a column. */
  readonly sources: readonly string[];
  /** The parameters of the contract that carry it. */
  readonly places: readonly string[];
  /** A valid value. */
  readonly value: string;
  /** The call that it opens, with this value. */
  present(value: string): InjectOptions;
  readonly granted: string;
  /** The response to any other value; then those to values that do not even have its form. */
  readonly refused: readonly string[];
  /** Values that are genuine, but for something else, or no longer valid. */
  readonly others: Readonly<Record<string, string>>;
  readonly endings?: Readonly<Record<string, Ending>>;
  /** It works once. */
  readonly isSpent?: true;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A different character at this place, of the same alphabet where possible. */
function flip(value: string, at: number): string {
  const other = letters[(letters.indexOf(value[at] ?? '') + 32) % letters.length] ?? 'A';
  return value.slice(0, at) + other + value.slice(at + 1);
}

/** Forged values: changed, shortened, extended, invented. */
export function forge(value: string): Readonly<Record<string, string>> {
  const middle = Math.floor(value.length / 2);
  return {
    'with another first character': flip(value, 0),
    'with another character in the middle': flip(value, middle),
    'with another last character': flip(value, value.length - 1),
    'without its last character': value.slice(0, -1),
    'without its first character': value.slice(1),
    'without its second half': value.slice(0, middle),
    'with one more character': `${value}A`,
    'with padding': `${value}=`,
    twice: value + value,
    'in another case': value.replace(/[a-z]/gi, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    ),
    'its hash': createHash('sha256').update(value).digest('hex'),
    random: randomBytes(32).toString('base64url'),
    empty: '',
    'a single character': 'x',
    'very long': 'x'.repeat(20_000),
    null: 'null',
    'a quote': "' or true --",
  };
}

/** Values that only paths, queries and bodies can carry: headers refuse them. */
export const unprintable: Readonly<Record<string, (value: string) => string>> = {
  'with NUL at its end': (value) => `${value}\0`,
  'NUL alone': () => '\0',
  'with a line break': (value) => `${value}\n`,
};

/** The response to a value, as written in the matrix, with the target of a redirect. */
export async function answerTo(
  app: FastifyInstance,
  credential: Credential,
  value: string,
): Promise<string> {
  const response = await app.inject(credential.present(value));
  const { answer } = describe(response);
  const { location } = response.headers;
  if (location === undefined) return answer;
  const { pathname, searchParams } = new URL(String(location), 'http://localhost');
  return `${answer} ${pathname} ${searchParams.get('error') ?? ''}`.trim();
}
