// `npm run test:night [filter]`: repeats tests with many more seeds, kills and runs than the other suites.
import { runSuites } from './suites.ts'

await runSuites(['night'])
