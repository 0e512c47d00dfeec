import { once } from 'node:events'
import { createServer } from 'node:http'
import { startTestServer, TEST_SERVER_VARIABLE } from '../../packages/sandbox/src/postgres/test-database.ts'

/**
 * One PostgreSQL for the whole test run, started when the first test requests it and stopped at the end of
 * the run. Test processes come and go, so it belongs to the process that starts them.
 */
export async function setup(): Promise<() => Promise<void>> {
  let server: ReturnType<typeof startTestServer> | undefined
  const endpoint = createServer((_, response) => {
    server ??= startTestServer()
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const address = endpoint.address()
  if (address === null || typeof address === 'string') throw new Error('the test run has no port')
  process.env[TEST_SERVER_VARIABLE] = `http://127.0.0.1:${address.port}`

  return async () => {
    endpoint.closeAllConnections()
    endpoint.close()
    await (await server)?.stop()
  }
}
