// `node tools/setup.mjs test:all`: both suites with one count, as continuous integration runs them.
import { runSuites } from './suites.ts'

await runSuites(['unit', 'release'])
