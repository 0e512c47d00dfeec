// Runs before the other scripts have loaded: requests who is signed in, the scripts of the requested page,
// and what it reads.
import type { Session } from '@mintmark/admin'
import { requestFirst } from './api/first-reads.ts'
import { mayOpen } from './navigation/areas.ts'
import { findPage, hasNoSession } from './pages.ts'

const response = hasNoSession(location.pathname) ? undefined : requestFirst('/admin/v1/session')
const page = findPage(location.pathname)
// The router loads them too. If that fails, it shows why.
page?.load().catch(() => {})
// The page requests what this does not, and shows why a request fails.
requestReads().catch(() => {})
// The first use takes a phone tens of milliseconds. The processor has nothing else to do while scripts load.
new Intl.NumberFormat(document.documentElement.lang)

/** Requests what the page reads, if the person may open it. */
async function requestReads(): Promise<void> {
  const { area, firstReads = [], projectId } = page ?? {}
  if (response === undefined || area === undefined || location.search !== '') return
  const { data }: { readonly data?: Session } = await (await response).clone().json()
  const project = data?.projects?.find((each) => String(each.projectId) === projectId)
  if (!mayOpen(project?.role, area)) return
  for (const path of firstReads) requestFirst(path, projectId)
}
