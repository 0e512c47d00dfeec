// Responds to every call with its argument: a server that takes almost no time.
import { createServer } from 'node:http'

const [, , answer = ''] = process.argv
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }
const server = createServer((_, response) => {
  response.writeHead(200, headers).end(answer)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(address?.port)
})
process.on('disconnect', () => process.exit())
