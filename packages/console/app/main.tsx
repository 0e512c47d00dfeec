import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { formatSearch, parseSearch } from './navigation/search-params.ts'
import { hasNoSession } from './pages.ts'
import { routeTree } from './routes.tsx'
import { sessionQuery } from './session/session.ts'
import './styles/index.css'

const queryClient = createQueryClient()
// The session is read while the scripts of the page load.
if (!hasNoSession(location.pathname)) void queryClient.prefetchQuery(sessionQuery)

const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch: formatSearch,
  scrollRestoration: true,
  // The scripts of a page load when a person points at a link to it.
  defaultPreload: 'intent',
  // A page of another record or project is mounted again, also when the history leads to it. Otherwise it
  // would keep the dialogs and results of the previous one.
  defaultRemountDeps: ({ params }) => params,
})

const element = document.getElementById('root')
if (element === null) throw new Error('The page has no element with the id root')

createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
