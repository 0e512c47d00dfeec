#!/usr/bin/env node
import { homedir } from 'node:os'
import { OutputClosedError } from './errors.ts'
import { openKeychain } from './keychain/open-keychain.ts'
import { openBrowser } from './open-browser.ts'
import { runCommandLine } from './run.ts'
import { runFile } from './run-file.ts'

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort())
process.once('SIGTERM', () => interruption.abort())

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` has closed its end.
  if (error.code === 'EPIPE') return interruption.abort(new OutputClosedError())
  process.stderr.write(`Error: The output cannot be written: ${error.message}\n`)
  process.exit(1)
})

process.exitCode = await runCommandLine(process.argv.slice(2), {
  variables: process.env,
  currentFolder: process.cwd(),
  homeFolder: homedir(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  signal: interruption.signal,
  openBrowser,
  openKeychain,
  // Package managers start a link to the program. What is installed with it may be next to the link, or next
  // to the program.
  programFiles: [...process.argv.slice(1, 2), import.meta.filename],
  runFile: (file, parameters, variables) => runFile(file, parameters, variables, interruption.signal),
})
