import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** Creates the routes of the scanner and of the cards below a project. */
export function createCardRoutes(getParentRoute: () => AnyRoute) {
  const cards = { getParentRoute, staticData: { area: 'cards' } } as const
  return [
    createRoute({
      getParentRoute,
      path: 'scanner',
      staticData: { area: 'scanner' },
      component: lazyRouteComponent(() => import('./pages/scanner/scanner-page.tsx'), 'ScannerPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards',
      component: lazyRouteComponent(() => import('./pages/cards/cards-index-page.tsx'), 'CardsIndexPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards/$program',
      component: lazyRouteComponent(() => import('./pages/cards/cards-page.tsx'), 'CardsPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards/$program/new',
      component: lazyRouteComponent(() => import('./pages/cards/card-editor-page.tsx'), 'NewCardPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards/$program/import',
      component: lazyRouteComponent(() => import('./pages/cards/import/import-page.tsx'), 'ImportPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards/$program/print',
      component: lazyRouteComponent(() => import('./pages/cards/print-page.tsx'), 'PrintPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards/$program/$id',
      component: lazyRouteComponent(() => import('./pages/cards/card-page.tsx'), 'CardPage'),
    }),
    createRoute({
      ...cards,
      path: 'cards/$program/$id/edit',
      component: lazyRouteComponent(() => import('./pages/cards/card-editor-page.tsx'), 'EditCardPage'),
    }),
  ]
}
