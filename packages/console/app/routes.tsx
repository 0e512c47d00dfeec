import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { createCardRoutes } from './card-routes.ts'
import { createFacilitatorRoutes } from './facilitator-routes.ts'
import {
  AreaGuard,
  ConsoleIndex,
  FacilitatorGuard,
  OperatorGuard,
  ProjectIndex,
} from './layout/area-guard.tsx'
import { MemberLayout } from './layout/member-layout.tsx'
import { NotFound, PageFailure } from './layout/not-found.tsx'
import { createSaleRoutes } from './pages/sale-routes.ts'

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

const events = createRoute({
  getParentRoute: () => project,
  path: 'events',
  staticData: { area: 'events' },
  component: lazyRouteComponent(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
})

const webhooks = createRoute({
  getParentRoute: () => project,
  path: 'webhooks',
  staticData: { area: 'webhooks' },
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => project,
  path: 'webhooks/$webhookId',
  staticData: { area: 'webhooks' },
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const audit = createRoute({
  getParentRoute: () => project,
  path: 'audit',
  staticData: { area: 'audit' },
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const explorer = createRoute({
  getParentRoute: () => project,
  path: 'explorer',
  staticData: { area: 'explorer' },
  component: lazyRouteComponent(() => import('./pages/explorer/explorer-page.tsx'), 'ExplorerPage'),
})

const projectPages = [
  projectIndex,
  overview,
  orders,
  order,
  keys,
  people,
  events,
  webhooks,
  webhook,
  audit,
  ...createCardRoutes(() => project),
  explorer,
  ...createSaleRoutes(() => project),
]

/** The pages of those who operate the server. They belong to no project. */
const operator = createRoute({ getParentRoute: () => member, path: 'operator', component: OperatorGuard })

const operatorHealth = createRoute({
  getParentRoute: () => operator,
  path: 'health',
  component: lazyRouteComponent(() => import('./pages/operator/health-page.tsx'), 'HealthPage'),
})

const operatorProjects = createRoute({
  getParentRoute: () => operator,
  path: 'projects',
  component: lazyRouteComponent(() => import('./pages/operator/projects-page.tsx'), 'ProjectsPage'),
})

const operatorPeople = createRoute({
  getParentRoute: () => operator,
  path: 'people',
  component: lazyRouteComponent(() => import('./pages/operator/operators-page.tsx'), 'OperatorsPage'),
})

const operatorOrders = createRoute({
  getParentRoute: () => operator,
  path: 'orders',
  component: lazyRouteComponent(() => import('./pages/operator/orders-page.tsx'), 'StuckOrdersPage'),
})

const operatorMints = createRoute({
  getParentRoute: () => operator,
  path: 'mints',
  component: lazyRouteComponent(() => import('./pages/operator/mints-page.tsx'), 'StuckMintsPage'),
})

const operatorAudit = createRoute({
  getParentRoute: () => operator,
  path: 'audit',
  component: lazyRouteComponent(() => import('./pages/operator/server-audit-page.tsx'), 'ServerAuditPage'),
})

const facilitator = createRoute({
  getParentRoute: () => operator,
  path: 'facilitator',
  component: FacilitatorGuard,
})

const operatorPages = [
  operatorHealth,
  operatorProjects,
  operatorPeople,
  operatorOrders,
  operatorMints,
  operatorAudit,
  facilitator.addChildren(createFacilitatorRoutes(() => facilitator)),
]

/** All pages of the console. */
export const routeTree = root.addChildren([
  signIn,
  invitation,
  member.addChildren([
    index,
    account,
    project.addChildren(projectPages),
    operator.addChildren(operatorPages),
  ]),
])
