// Calls both servers of the running sandbox and prints each call with its response. `--json` prints a line
// each.
import { runTour } from './run-tour.ts'

await runTour({ json: process.argv.includes('--json') })
