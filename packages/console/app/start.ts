// Runs before the scripts of the page have loaded: begins to load those of the requested page, and to read who is signed in.
import { findPage } from './pages.ts'
import { requestFirstSession } from './session/first-session.ts'

requestFirstSession()
// The router loads them too. If that fails, it shows why.
findPage(location.pathname)?.().catch(() => {})
