// Runs before the other scripts have loaded: requests what the page reads first, and the scripts of the requested page.
import { requestFirst } from './api/first-reads.ts'
import { findPage } from './pages.ts'

requestFirst('/admin/v1/session')
const page = findPage(location.pathname)
if (page?.firstRead !== undefined && location.search === '') requestFirst(page.firstRead, page.projectId)
// The router loads them too. If that fails, it shows why.
page?.load().catch(() => {})
// Its first use takes a phone tens of milliseconds, which waits for scripts at present.
new Intl.NumberFormat('en-US')
