/** Recognizes that the database cannot be reached, however PostgreSQL, the driver or the system report it. */

/** The database is currently unavailable. The cause is the error of the driver. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** PostgreSQL's `connection_failure`: callers get 503, and operations are retried. */
  readonly code = '08006';
  /** The HTTP status, for the sign-in provider, which handles errors itself. */
  readonly statusCode = 503;

  constructor(cause: unknown) {
    super(`The database is unavailable: ${describeCause(cause)}`, { cause });
  }
}

/**
 * PostgreSQL's codes: connection failures; too many connections; a server that shuts down, has crashed, starts or
 * recovers; a primary that has become a standby; the limits of a session for idle transactions, locks and statements; a
 * plan that the connection no longer has.
 */
const sqlState = /^(08\w{3}|53300|57P0\d|25006|25P03|55P03|57014|26000)$/;
/** The function of PostgreSQL that refuses a kept plan whose columns have changed: its code has other causes too. */
const planCheck = 'RevalidateCachedQuery';
/** Node's names of system errors, such as ECONNRESET, or EAI_AGAIN when no name server responds. */
const systemError = /^(E[A-Z0-9]{2,}|EAI_\w+)$/;
/** The calls of a connection. A file that cannot be read, such as the installation secret, is a different problem. */
const networkCall = /^(connect|getaddrinfo|read|write|shutdown)$/;
/** Messages of the driver, whose own errors have no code. */
const driverMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** The error of a connection attempt to several addresses has a code, but no message. */
function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' ? codeOf(cause) : cause.message;
}

/** The error of a connection attempt to several addresses does not name a call. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error)) return true;
  return networkCall.test(String(error.syscall)) && codeOf(error) !== 'EISDIR';
}

/** Whether the driver reports that the connection is lost, or that there is none. */
function isLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof Error && 'routine' in error && error.routine === planCheck) return true;
  if (code !== '') return sqlState.test(code) || (systemError.test(code) && isOfNetwork(error));
  return error instanceof Error && driverMessage.test(error.message);
}

/** The error to throw for one of the driver: a {@link DatabaseUnavailable} if the connection is lost, else the same. */
export function nameLoss(error: unknown): unknown {
  return isLoss(error) ? new DatabaseUnavailable(error) : error;
}

/** Whether an error, or its cause, means that the database cannot be reached. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause);
}
