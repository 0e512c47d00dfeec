// Answers every call with its first argument: a server that takes next to no time, or the milliseconds that its second one says.
import { createServer } from 'node:http'

const [, , answer = '', delay = '0'] = process.argv
const milliseconds = Number(delay)
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }
const server = createServer((_, response) => {
  const send = () => response.writeHead(200, headers).end(answer)
  if (milliseconds === 0) send()
  else setTimeout(send, milliseconds)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(address?.port)
})
process.on('disconnect', () => process.exit())
