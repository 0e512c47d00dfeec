import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DiscardQuestion } from './form/discard-question.tsx'
import {
  AreaGuard,
  ConsoleIndex,
  FacilitatorGuard,
  OperatorGuard,
  ProjectIndex,
} from './layout/area-guard.tsx'
import { MemberLayout } from './layout/member-layout.tsx'
import { NotFound, PageFailure } from './layout/not-found.tsx'
import { facilitatorPages, type LoadPage, operatorPages, ownPages, projectPages } from './pages.ts'

/** Each page has its own scripts, which load when it is opened. */
const lazily = (load: LoadPage) => lazyRouteComponent(async () => ({ default: await load() }))

function Root(): ReactNode {
  return (
    <>
      <Outlet />
      <DiscardQuestion />
    </>
  )
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageFailure })

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  component: lazily(ownPages['sign-in']),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation/$token',
  component: lazily(ownPages['invitation/$token']),
})

const newPassword = (['new-password', 'new-password/$token'] as const).map((path) =>
  createRoute({ getParentRoute: () => root, path, component: lazily(ownPages[path]) }),
)

const facilitatorAccount = createRoute({
  getParentRoute: () => root,
  path: 'facilitator-account',
  component: lazily(ownPages['facilitator-account']),
})

/** The pages behind the sign-in. */
const member = createRoute({ getParentRoute: () => root, id: 'member', component: MemberLayout })

const index = createRoute({ getParentRoute: () => member, path: '/', component: ConsoleIndex })

const account = createRoute({
  getParentRoute: () => member,
  path: 'account',
  component: lazily(ownPages.account),
})

const project = createRoute({ getParentRoute: () => member, path: 'p/$projectId', component: AreaGuard })

const projectRoutes = [
  createRoute({ getParentRoute: () => project, path: '/', component: ProjectIndex }),
  ...Object.entries(projectPages).map(([path, { area, load }]) =>
    createRoute({ getParentRoute: () => project, path, staticData: { area }, component: lazily(load) }),
  ),
]

const operator = createRoute({ getParentRoute: () => member, path: 'operator', component: OperatorGuard })

const facilitator = createRoute({
  getParentRoute: () => operator,
  path: 'facilitator',
  component: FacilitatorGuard,
})

const facilitatorRoutes = Object.entries(facilitatorPages).map(([path, load]) =>
  createRoute({ getParentRoute: () => facilitator, path, component: lazily(load) }),
)

const operatorRoutes = [
  ...Object.entries(operatorPages).map(([path, load]) =>
    createRoute({ getParentRoute: () => operator, path, component: lazily(load) }),
  ),
  facilitator.addChildren(facilitatorRoutes),
]

/** All pages of the console. */
export const routeTree = root.addChildren([
  signIn,
  invitation,
  ...newPassword,
  facilitatorAccount,
  member.addChildren([
    index,
    account,
    project.addChildren(projectRoutes),
    operator.addChildren(operatorRoutes),
  ]),
])
