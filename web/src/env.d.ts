/** The values that `vite.config.ts` puts into the pages. */

interface ImportMetaEnv {
  /** The pattern of the paths that are not pages of the app. */
  readonly OUTSIDE_PATHS: string;
}
