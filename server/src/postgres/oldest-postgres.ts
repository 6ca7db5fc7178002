/** The versions of PostgreSQL that Recodery supports. */

/** The oldest one, as the server's version number. */
export const oldestPostgres = 150_000;
