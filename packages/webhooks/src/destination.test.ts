import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { accepts, type Receiver, receiver } from '@mintmark/devkit/webhooks/webhook-receiver'
import { afterEach, expect, test } from 'vitest'
import {
  checkDestination,
  DestinationRefusedError,
  networkResolver,
  type Resolve,
  readDestination,
} from './destination.ts'
import { post } from './post.ts'

const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function open(): Promise<Receiver> {
  const opened = await receiver(accepts)
  closers.push(opened.close)
  return opened
}

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1.:8443/',
  'https://①②⑦.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[0:0:0:0:0:ffff:a00:1]/',
  'https://[fe80::1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://0/',
  'https://10.1/',
])('the webhook URL %s names an address that is not public, in whatever notation', (text) => {
  expect(() => readDestination(text, false)).toThrow(DestinationRefusedError)
})

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com@127.0.0.1/',
  'example.com/hook',
  '',
  'https://',
  `https://example.com/${'x'.repeat(2048)}`,
])('the URL %s is no place for a webhook', (text) => {
  expect(() => readDestination(text, false)).toThrow(DestinationRefusedError)
})

test('a webhook URL may name any port, path and query of a public host', () => {
  const url = readDestination('https://hooks.example.com:8443/in/box?key=1', false)
  expect(url.href).toBe('https://hooks.example.com:8443/in/box?key=1')
})

test('a webhook URL may be http or an own address in development, but no metadata service and no credentials', () => {
  expect(readDestination('http://127.0.0.1:3000/hook', true).port).toBe('3000')
  expect(readDestination('http://192.168.0.7/hook', true).hostname).toBe('192.168.0.7')
  expect(() => readDestination('http://169.254.169.254/', true)).toThrow(DestinationRefusedError)
  expect(() => readDestination('http://user@127.0.0.1/', true)).toThrow(DestinationRefusedError)
})

const check = (resolve: Resolve, allowPrivate = false) =>
  checkDestination('https://hooks.example.com/', { allowPrivate, resolve })

test('the host of a webhook is accepted with public addresses', async () => {
  await expect(check(resolvesTo('93.184.215.14', '2606:4700:4700::1111'))).resolves.toBeInstanceOf(URL)
})

test('the host of a webhook is refused for a single address that is not public', async () => {
  await expect(check(resolvesTo('93.184.215.14', '10.0.0.8'))).rejects.toThrow('not public')
  await expect(check(resolvesTo('2606:4700:4700::1111', '::ffff:10.0.0.8'))).rejects.toThrow('not public')
})

test('the host of a webhook is refused where it has no address or is unknown', async () => {
  await expect(check(resolvesTo())).rejects.toThrow(DestinationRefusedError)
  const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
  await expect(check(async () => Promise.reject(unknown))).rejects.toThrow('cannot be found')
})

const options = (resolve: Resolve, allowPrivate: boolean) => ({
  resolve,
  allowPrivate,
  timeoutMs: 2000,
  userAgent: 'test',
})

test('a connection to a webhook is made to no address that was not checked, whatever the name meant before', async () => {
  const to = await open()
  const answers = [['93.184.215.14'], ['127.0.0.1']]
  const rebinding: Resolve = async () => answers.shift() ?? []
  const url = `https://rebinding.example.com:${to.port}/hook`
  await checkDestination(url, { allowPrivate: false, resolve: rebinding })
  expect(await post(url, '{}', {}, options(rebinding, false))).toEqual({
    delivered: false,
    status: 0,
    error: 'The host has an address that is not public',
  })
  expect(answers).toEqual([])
  expect(to.received).toEqual([])
})

test('a connection to a webhook resolves the name once, so that the connection uses the checked address', async () => {
  const to = await open()
  let lookups = 0
  const counting: Resolve = async () => {
    lookups += 1
    return ['127.0.0.1']
  }
  const outcome = await post(`http://named.example.com:${to.port}/hook`, '{}', {}, options(counting, true))
  expect(outcome).toEqual({ delivered: true, status: 204, error: '' })
  expect(lookups).toBe(1)
  expect(to.received[0]?.headers.host).toBe(`named.example.com:${to.port}`)
})

test('a connection to a webhook to a literal IP address is checked, even if it was configured under laxer rules', async () => {
  const to = await open()
  const outcome = await post(`https://127.0.0.1:${to.port}/`, '{}', {}, options(resolvesTo(), false))
  expect(outcome.error).toBe('The host has an address that is not public')
  expect(to.received).toEqual([])
})

test('a connection to a webhook whose name never resolves ends when the attempt times out', async () => {
  const never: Resolve = () => new Promise(() => {})
  const outcome = await post(
    'https://hooks.example.com/',
    '{}',
    {},
    { resolve: never, allowPrivate: false, timeoutMs: 50, userAgent: 'test' },
  )
  expect(outcome).toEqual({ delivered: false, status: 0, error: 'The receiver did not respond in time' })
})

test('a connection to a webhook speaks TLS to an https address, and fails where the receiver does not', async () => {
  const to = await open()
  const outcome = await post(`https://127.0.0.1:${to.port}/hook`, '{}', {}, options(resolvesTo(), true))
  expect(outcome.delivered).toBe(false)
  expect(to.received).toEqual([])
})

test('the resolver of webhook hosts finds the addresses of both kinds, and fails for a name without one', async () => {
  const server = await nameServer({
    'both.test': ['10.1.2.3', 'fd00::5'],
    'six.test': [undefined, '2606:4700::1'],
  })
  closers.push(server.close)
  const resolve = networkResolver([server.address])
  expect(await resolve('both.test')).toEqual(['10.1.2.3', 'fd00::5'])
  expect(await resolve('six.test')).toEqual(['2606:4700::1'])
  await expect(resolve('none.test')).rejects.toThrow('none.test')
  const rules = { allowPrivate: false, resolve }
  await expect(checkDestination('https://both.test/', rules)).rejects.toThrow('not public')
  await expect(checkDestination('https://six.test/', rules)).resolves.toBeInstanceOf(URL)
  await expect(checkDestination('https://none.test/', rules)).rejects.toThrow('cannot be found')
})

/** A name server with a few names. It responds over UDP with a record or with "no such record". */
async function nameServer(
  names: Record<string, readonly [v4: string | undefined, v6: string | undefined] | string[]>,
) {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const type = query.readUInt16BE(at + 1)
    const known = names[labels.join('.')]
    const data =
      type === 1 ? known?.[0]?.split('.').map(Number) : type === 28 ? bytesOf6(known?.[1]) : undefined
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(data === undefined ? 0 : 1, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    const answer =
      data === undefined ? [] : [0xc0, 0x0c, type >> 8, type & 255, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]
    socket.send(
      Buffer.concat([head, query.subarray(12, at + 5), Buffer.from(answer)]),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

function bytesOf6(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const [head = '', tail = ''] = text.split('::')
  const groups = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [first, last] = [groups(head), groups(tail)]
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  return all.flatMap((group) => [group >> 8, group & 255])
}
