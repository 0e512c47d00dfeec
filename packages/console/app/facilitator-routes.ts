import { type AnyRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'

/** Creates the routes of a connected facilitator below those of operators. Each page has its own scripts. */
export function createFacilitatorRoutes(getParentRoute: () => AnyRoute): readonly AnyRoute[] {
  const page = (path: string, component: RouteComponent): AnyRoute =>
    createRoute({ getParentRoute, path, component })
  return [
    page(
      'health',
      lazyRouteComponent(() => import('./pages/facilitator/health-page.tsx'), 'FacilitatorHealthPage'),
    ),
    page(
      'accounts',
      lazyRouteComponent(() => import('./pages/facilitator/accounts-page.tsx'), 'AccountsPage'),
    ),
    page(
      'accounts/$accountId',
      lazyRouteComponent(() => import('./pages/facilitator/account-page.tsx'), 'AccountPage'),
    ),
    page(
      'settlements',
      lazyRouteComponent(() => import('./pages/facilitator/settlements-page.tsx'), 'SettlementsPage'),
    ),
    page(
      'settlements/$settlementId',
      lazyRouteComponent(() => import('./pages/facilitator/settlement-page.tsx'), 'SettlementPage'),
    ),
    page(
      'channels',
      lazyRouteComponent(() => import('./pages/facilitator/channels-page.tsx'), 'ChannelsPage'),
    ),
    page(
      'grants',
      lazyRouteComponent(() => import('./pages/facilitator/grants-page.tsx'), 'GrantsPage'),
    ),
    page(
      'reverts',
      lazyRouteComponent(() => import('./pages/facilitator/reverts-page.tsx'), 'RevertsPage'),
    ),
    page(
      'ledger',
      lazyRouteComponent(() => import('./pages/facilitator/ledger-page.tsx'), 'LedgerPage'),
    ),
  ]
}
