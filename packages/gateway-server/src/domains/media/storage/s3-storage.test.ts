import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { createS3Storage } from './s3-storage.ts'

const SECRET = 'a secret of the bucket'
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Computes the header Authorization as the documentation of S3 describes it. */
function sign({ method, url = '', headers }: IncomingMessage): string {
  const { authorization = '' } = headers
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? ''
  const values = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const payload = headers['x-amz-content-sha256']
  const request = [method, new URL(url, 'http://x').pathname, '', values.join(''), names, payload].join('\n')
  const time = String(headers['x-amz-date'])
  const scope = [time.slice(0, 8), 'eu-test-1', 's3', 'aws4_request']
  const key = scope.reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${SECRET}`)
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n')
  const signature = hmac(key, text).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=id/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`
}

/** A bucket that checks signatures. */
async function startBucket(secretAccessKey = SECRET) {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method, url = '', headers } = request
    const isSigned = headers.authorization === sign(request)
    const isWhole = method !== 'PUT' || headers['x-amz-content-sha256'] === sha256(body)
    if (!isSigned || !isWhole) return response.writeHead(403).end()
    if (method === 'PUT') objects.set(url, body)
    if (method === 'DELETE') objects.delete(url)
    const object = objects.get(url)
    if (method !== 'GET') return response.writeHead(method === 'PUT' ? 200 : 204).end()
    if (object === undefined) return response.writeHead(404).end()
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? []
    response.writeHead(206).end(object.subarray(Number(start), Number(end) + 1))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/folder/`
  return {
    objects,
    storage: createS3Storage({ url, region: 'eu-test-1', accessKeyId: 'id', secretAccessKey }),
  }
}

it('a bucket stores, serves and removes pictures by signed requests', async () => {
  const { objects, storage } = await startBucket()
  await storage.write('7/a.webp', new Uint8Array([1, 2, 3, 4]))
  expect([...objects.keys()]).toEqual(['/bucket/folder/7/a.webp'])
  const part = await storage.read('7/a.webp', { start: 1, end: 2 })
  expect(new Uint8Array(await new Response(part).arrayBuffer())).toEqual(new Uint8Array([2, 3]))
  expect(await storage.read('7/b.webp', { start: 0, end: 0 })).toBeUndefined()
  await storage.remove('7/a.webp')
  await storage.remove('7/a.webp')
  expect(objects.size).toBe(0)
})

it('a bucket that refuses the key stores nothing, and the error contains no secret', async () => {
  const { objects, storage } = await startBucket('another secret')
  const written = storage.write('7/a.webp', new Uint8Array([1]))
  await expect(written).rejects.toThrow(/^The storage of pictures responded to PUT with 403$/)
  expect(objects.size).toBe(0)
})
