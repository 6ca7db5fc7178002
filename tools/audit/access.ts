/** The audit's part `access`: which callers each route serves, and what each ticket, link and token gives access to. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStep } from '../steps.ts';
import { headOf, type PartResult, tableOf } from './audit-part.ts';

/** What the tests write: a row for each route, and the responses to each group of callers. */
interface Matrix {
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly {
    readonly name: string;
    readonly route: string;
    readonly answers: Readonly<Record<string, readonly string[]>>;
  }[];
}

interface Credential {
  readonly title: string;
  readonly refused: string;
  /** How many forged values were tested, and how many values of other kinds. */
  readonly forged: number;
  readonly elsewhere: number;
  readonly others: readonly string[];
  readonly endings: readonly (readonly [name: string, answer: string])[];
}

/** The code that a status usually has; the tables leave it out. */
const usual = /^(401) API_ERROR_UNAUTHORIZED$|^(403) USER_NO_RIGHTS$|^(404) NOT_FOUND$/;
const shorten = (answer: string): string => answer.replace(usual, '$1$2$3');

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function drawMatrix({ columns, rows }: Matrix): string {
  const drawn = rows.map(({ name, route, answers }) => [
    name,
    route === '' ? '' : `\`${route}\``,
    ...Object.keys(columns).map((column) => (answers[column] ?? ['–']).map(shorten).join(', ')),
  ]);
  return tableOf(['row', 'route', ...Object.values(columns)], drawn);
}

function drawCredentials(credentials: readonly Credential[]): string {
  const drawn = credentials.map(({ title, refused, forged, elsewhere, others, endings }) => [
    title,
    shorten(refused),
    forged,
    elsewhere,
    others.join('; '),
    endings.map(([name, answer]) => `${name}: ${shorten(answer)}`).join('; '),
  ]);
  return tableOf(
    ['what', 'refusal', 'forged', 'of other kinds', 'genuine', 'no longer valid'],
    drawn,
  );
}

function draw(matrix: Matrix, credentials: readonly Credential[]): string {
  return `${headOf('Access', 'access', ['the tests in `server/test/access/`'])}
## Routes and callers

Each cell shows every response to a group of callers: the status, and the error code unless it is the usual one
(401 API_ERROR_UNAUTHORIZED, 403 USER_NO_RIGHTS, 404 NOT_FOUND). Callers of other organisations send the owner's request,
and their own request with each of the owner's values in turn: in the path, in the query and in the body. No response to
them contained data of the owner. No refused request changed the storage, or anything in the database except the audit trail and
records of sign-ins. "–": the caller may do this, or the column does not apply. Where a status in a column of other organisations
begins with 2, they receive only their own data, or a file that was sent to them.

${drawMatrix(matrix)}
## Tickets, links, tokens and secrets

Each was presented where it is expected: forged, in place of another kind, for another file, organisation or user, and after it
had expired or had been revoked. "refusal" is the response to all of them, except where the last column shows another one.

${drawCredentials(credentials)}`;
}

/** Runs the access tests and renders their results. */
export async function auditAccess(): Promise<PartResult> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-access-'));
  const step = {
    name: 'tests of access',
    script: 'node_modules/vitest/vitest.mjs',
    words: ['run', 'server/test/access'],
    environment: { RECODERY_TEST_REPORTS: folder, RECODERY_LONG_TESTS: 'on' },
  };
  const { hasPassed } = await runStep(step, false);
  const matrix = readJson(join(folder, 'matrix.json')) as Matrix | null;
  const credentials = readJson(join(folder, 'credentials.json')) as readonly Credential[] | null;
  await rm(folder, { recursive: true, force: true });
  const isComplete = hasPassed && matrix !== null && credentials !== null;
  return {
    hasPassed: isComplete,
    lines: isComplete
      ? [`${matrix.rows.length} routes, ${credentials.length} kinds of tickets, links and tokens`]
      : ['the tests of access failed'],
    report: isComplete ? draw(matrix, credentials) : null,
  };
}
