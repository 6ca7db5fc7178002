/** What `npm test` leaves to the release check: rare journeys, and the look of what the gallery shows in each run. */

/** `npm test` runs the journeys; every other command runs and checks all. */
export const isEachRun = process.env['RECODERY_EACH_RUN'] === 'on';

/** Matches the tag of journeys that run only before a release: rare events, and variations of what others prove in each run. */
export const ofReleaseCheck = /@release/;
