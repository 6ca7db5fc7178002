/** The response to each caller that follows from a route's access, unless its row states a different one. */
import type { Route } from '@recodery/contract/api';
import type { Column, Row } from './rows.ts';

const unauthorized = '401 API_ERROR_UNAUTHORIZED';
const noRights = '403 USER_NO_RIGHTS';
const notFound = '404 NOT_FOUND';

/** Responses that do not depend on what is requested. */
const always: Readonly<Partial<Record<Column, string>>> = {
  none: unauthorized,
  deadSession: unauthorized,
  signInAgain: '422 SIGN_IN_AGAIN',
  deadToken: unauthorized,
  outside: '403 IP_NOT_ALLOWED',
};

const users: ReadonlySet<Column> = new Set<Column>([
  'withoutAccess',
  'plainUser',
  'colleague',
  'otherCode',
  'stranger',
  'otherParty',
]);
const ofOtherOrganisations: ReadonlySet<Column> = new Set<Column>([
  'otherCode',
  'stranger',
  'strangersClient',
  'otherParty',
]);

/** A request: its route and row, its caller, and the place that names something of the owner; null for none. */
export interface Question {
  readonly route: Route;
  readonly row: Row;
  readonly column: Column;
  readonly place: string | null;
}

/** Refuses kinds of callers, regardless of what they request. */
function byKind({ route, row, column, place }: Question): string | null {
  const { access } = route.parts;
  if (access === 'client') return users.has(column) ? unauthorized : null;
  const isForUsers = access === 'person' || access === 'own-session';
  if (isForUsers && ['strangersClient', 'ownClient', 'otherClient'].includes(column))
    return noRights;
  // no session can name another
  if (place === 'path.sessionId' && users.has(column)) return unauthorized;
  if (column !== 'withoutAccess' || access === 'own-session') return null;
  return access === 'session' && row.work === undefined ? null : noRights;
}

/** The expected response; null if the caller may do this, or if the column does not apply to the route. */
export function expectedAnswer(question: Question): string | null {
  const { route, row, column, place } = question;
  const { answers = {}, work } = row;
  if (route.parts.access === 'public') return answers[column] ?? answers.none ?? null;
  const stated = answers[`${column} ${place}`];
  if (stated !== undefined) return stated;
  const general = always[column] ?? byKind(question);
  if (general !== null) return general;
  if (route.parts.role === 'operator' && column !== 'misplaced') return noRights;
  if (column === 'plainUser') return route.parts.role === undefined ? null : noRights;
  if (answers[column] !== undefined) return answers[column];
  if (column === 'withoutRight') return work === undefined ? null : noRights;
  if (column === 'withoutFamily') return work === undefined ? null : '403 FeatureNotAvailable';
  if (place !== null && (ofOtherOrganisations.has(column) || column === 'misplaced'))
    return notFound;
  return null;
}

/** The status of a request that is granted. */
export function grantedAnswer({ parts: { answer } }: Route): string {
  return String(answer.kind === 'json' ? answer.status : answer.kind === 'empty' ? 204 : 200);
}
