// `npm run test:release [filter]`: tests what takes long, such as the packed packages, the generator and
// killed processes.
import { runSuites } from './suites.ts'

await runSuites(['release'])
