/** The page for users who may not open one, loaded when it is first shown. */
import { onDemand } from './on-demand.tsx';

export const ForbiddenScreen = onDemand(
  async () => (await import('./forbidden-page.tsx')).ForbiddenPage,
);
