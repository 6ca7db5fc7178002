/** The values that `vite.config.ts` puts into the pages. */

interface ImportMetaEnv {
  /** The pattern of the paths that are not pages of the app. */
  readonly OUTSIDE_PATHS: string;
  /** The command-line program that the portal offers; null: this build has none. */
  readonly REMOTE_PROGRAM: { readonly version: string; readonly sha256: string } | null;
}
