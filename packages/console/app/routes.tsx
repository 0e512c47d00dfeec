import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { AreaGuard, ConsoleIndex, ProjectIndex } from './layout/area-guard.tsx'
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

const project = createRoute({ getParentRoute: () => member, path: 'p/$projectId', component: AreaGuard })

const projectIndex = createRoute({ getParentRoute: () => project, path: '/', component: ProjectIndex })

// Each page of a project has its own scripts, which load when it is opened. `area` says which roles may open it.

const keys = createRoute({
  getParentRoute: () => project,
  path: 'keys',
  staticData: { area: 'keys' },
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const projectPages = [projectIndex, keys, ...createSaleRoutes(() => project)]

/** All pages of the console. */
export const routeTree = root.addChildren([
  signIn,
  invitation,
  member.addChildren([index, project.addChildren(projectPages)]),
])
