/** Sets up what every page needs: queries and the router. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './query-client.ts';
import type { startRouter } from './router.tsx';

export function App({ router }: { readonly router: ReturnType<typeof startRouter> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
