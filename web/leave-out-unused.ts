/**
 * Leaves out of the router what the pages do not use: forms, fetchers, view transitions, masked addresses, a server's data,
 * and routes that are only known later. The bundler cannot see that no one uses them, because they are properties. A
 * page that begins to use one of them needs a change here.
 */
import type { Plugin } from 'vite';

/** What is replaced. */
type Changes = readonly (readonly [what: string, by: string])[];

/** Leaves out the rest of a function. */
const atStart = (head: string, first: string): Changes[number] => [
  `${head} {\n`,
  `${head} {\n${first}\n`,
];
/** Leaves out a loop over fetchers, of which there are none. */
const skip = (loop: string): Changes[number] => [loop, `false && ${loop}`];

/** By the end of the path of a file; each is there. */
const changes: Readonly<Record<string, Changes>> = {
  '/router/router.js': [
    ['init.hydrationData', 'null'],
    ['init.instrumentations', 'null'],
    ['init.patchRoutesOnNavigation', 'null'],
    ['future.unstable_customRouteDiscovery', 'false'],
    ['future.unstable_routePatternMatching', 'false'],
    ['consumeInstrumentationClientResultMetaReceiver(router)', 'null'],
    ['opts?.instrumentationNavigateMetaReceiver', 'null'],
    ['if (isFogOfWar) {', 'if (false) {'],
    // methods that only the hooks for them call
    ['\t\tfetch,\n\t\trevalidate,\n', ''],
    ['\t\tgetFetcher,\n\t\tresetFetcher,\n\t\tdeleteFetcher: queueFetcherForDeletion,\n', ''],
    ['\t\tpatchRoutes,\n\t\t_internalFetchControllers: fetchControllers,\n', ''],
    ['\t\t_internalSetRoutes,\n', ''],
    ['opts?.mask', 'null'],
    ['opts && opts.submission', 'void 0'],
    ['opts && opts.fetcherSubmission', 'void 0'],
    ['getSubmissionFromNavigation(loadingNavigation)', 'void 0'],
    atStart('function normalizeNavigateOptions(isFetcher, path, opts)', 'return { path };'),
    atStart('function isMutationMethod(method)', 'return false;'),
    atStart('function deleteFetcher(fetchers, key)', 'return;'),
    atStart('function markFetchRedirectsDone(fetchers)', 'return false;'),
    atStart('function abortStaleFetchLoads(landedId, fetchers)', 'return false;'),
    skip('state.fetchers.forEach('),
    skip('fetchLoadMatches.forEach('),
    skip('fetchersQueuedForDeletion.forEach('),
    skip('revalidatingFetchers.forEach('),
    skip('revalidatingFetchers.filter('),
    ['opts && opts.viewTransition', 'void 0'],
    ['(pendingViewTransitionEnabled)', '(false)'],
    [
      'if (isBrowser) {\n\t\t\trestoreAppliedTransitions',
      'if (false) {\n\t\t\trestoreAppliedTransitions',
    ],
    [
      'if (pendingAction === "POP" && !isUninterruptedRevalidation && location !== state.location)',
      'if (false)',
    ],
  ],
  '/lib/components.js': [
    ['!viewTransitionOpts || !isViewTransitionAvailable', 'true'],
    ['renderDfd && pendingState && router.window', 'false'],
    ['!vtContext.isTransitioning && interruption', 'false'],
  ],
  '/dom/lib.js': [['opts?.hydrationData || parseHydrationData()', 'void 0']],
};

/** Names for debugging keep components that no page uses, and warnings are for developers. */
function leaveOutEverywhere(code: string): string {
  return code
    .replaceAll(/^\w+\.displayName = .*$/gm, '')
    .replaceAll(/^\t*warn(?:ing|Once)\(.*\);$/gm, '')
    .replaceAll(/(?<== )(?=React\$1\.(?:forwardRef|memo|createContext)\()/g, '/* @__PURE__ */ ');
}

export function leaveOutUnused(): Plugin {
  return {
    name: 'recodery-leave-out-unused',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\// },
      handler(code, id) {
        let left = leaveOutEverywhere(code);
        const path = Object.keys(changes).find((end) => id.endsWith(end));
        for (const [what, by] of (path && changes[path]) || []) {
          if (!left.includes(what)) this.error(`${id} has no ${what} to leave out`);
          left = left.replaceAll(what, by);
        }
        return left;
      },
    },
  };
}
