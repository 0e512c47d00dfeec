#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpApplication } from './application.ts'
import { serveHttp } from './http/serve-http.ts'
import { HELP, readSettings } from './settings.ts'
import { SettingsError } from './settings-error.ts'
import { version } from './version.ts'

/** Starts the server. Over stdio, standard output has messages of the protocol only. */
async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return console.log(HELP)
  if (args.includes('--version')) return console.log(version)
  const settings = readSettings(args, process.env)
  const onError = (error: unknown) => console.error(error)
  const application = await createMcpApplication({ ...settings.application, onError })
  if (settings.http !== undefined) {
    const { url, close } = await serveHttp(application, settings.http)
    console.error(`mintmark-mcp: serving ${url}`)
    let isClosing = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        // Ctrl-C in `mintmark mcp` sends both: one by the terminal, one by the command line.
        if (isClosing) return
        isClosing = true
        close().then(() => application.close())
      })
    }
    return
  }
  const server = application.createServer()
  server.onclose = () => application.close()
  // A client ends a session by closing standard input.
  process.stdin.once('end', () => server.close())
  await server.connect(new StdioServerTransport())
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  console.error(`mintmark-mcp: ${error.message}`)
  process.exitCode = 2
}
