import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { createCardRoutes } from './card-routes.ts'
import { AreaGuard, ConsoleIndex, ProjectIndex } from './layout/area-guard.tsx'
import { MemberLayout } from './layout/member-layout.tsx'
import { NotFound, PageFailure } from './layout/not-found.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFailure })

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation/$token',
  component: lazyRouteComponent(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
})

/** The pages behind the sign-in. */
const member = createRoute({ getParentRoute: () => root, id: 'member', component: MemberLayout })

const index = createRoute({ getParentRoute: () => member, path: '/', component: ConsoleIndex })

const account = createRoute({
  getParentRoute: () => member,
  path: 'account',
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

const project = createRoute({ getParentRoute: () => member, path: 'p/$projectId', component: AreaGuard })

const projectIndex = createRoute({ getParentRoute: () => project, path: '/', component: ProjectIndex })

// Each page of a project has its own scripts, which load when it is opened. `area` says which roles may open it.

const overview = createRoute({
  getParentRoute: () => project,
  path: 'overview',
  staticData: { area: 'overview' },
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const orders = createRoute({
  getParentRoute: () => project,
  path: 'orders',
  staticData: { area: 'orders' },
  component: lazyRouteComponent(() => import('./pages/orders/orders-page.tsx'), 'OrdersPage'),
})

const order = createRoute({
  getParentRoute: () => project,
  path: 'orders/$orderNo',
  staticData: { area: 'orders' },
  component: lazyRouteComponent(() => import('./pages/orders/order-page.tsx'), 'OrderPage'),
})

const keys = createRoute({
  getParentRoute: () => project,
  path: 'keys',
  staticData: { area: 'keys' },
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const people = createRoute({
  getParentRoute: () => project,
  path: 'people',
  staticData: { area: 'people' },
  component: lazyRouteComponent(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
})

const projectPages = [projectIndex, overview, orders, order, ...createCardRoutes(() => project), keys, people]

/** All pages of the console. */
export const routeTree = root.addChildren([
  signIn,
  invitation,
  member.addChildren([index, account, project.addChildren(projectPages)]),
])
