/** Texts of programs and pages that go to the database. */
import * as z from 'zod/mini';

/** Text that PostgreSQL can store. */
export const storable = z.refine<string>((text) => !text.includes('\0'), 'must not contain NUL');

/** Maximum characters of a search. */
const longestSearch = 200;

/** What a user searches in jobs. */
export const jobSearchText = z.string().check(z.maxLength(longestSearch), storable);
