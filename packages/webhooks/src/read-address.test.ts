import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemResolver } from './destination.ts'
import { type ReadAddressOptions, readAddress } from './read-address.ts'

const options: ReadAddressOptions = {
  allowPrivate: true,
  resolve: systemResolver,
  timeoutMs: 30_000,
  maxBytes: 1000,
  userAgent: 'test',
  accept: 'image/*',
}

describe('readAddress', () => {
  let server: Server
  let base = ''
  let respond: RequestListener = () => {}
  let requests: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '')
      respond(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function read(path: string, handler: RequestListener, changes: Partial<ReadAddressOptions> = {}) {
    respond = handler
    requests = []
    return await readAddress(`${base}${path}`, { ...options, ...changes })
  }

  it('readAddress returns the body with its media type', async () => {
    const { type, body } = await read('/a', (_, response) => {
      response.writeHead(200, { 'content-type': 'Image/PNG; charset=x' }).end('picture')
    })
    expect([type, Buffer.concat(body).toString()]).toEqual(['image/png', 'picture'])
  })

  it('readAddress follows three redirects, and no fourth', async () => {
    const redirect: RequestListener = ({ url }, response) => {
      const left = Number(url?.slice(1))
      if (left === 0) response.end('end')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    }
    expect(Buffer.concat((await read('/3', redirect)).body).toString()).toBe('end')
    await expect(read('/4', redirect)).rejects.toThrow('redirects more than 3 times')
    expect(requests).toEqual(['/4', '/3', '/2', '/1'])
  })

  it('readAddress refuses a private address, also as the destination of a redirect', async () => {
    await expect(readAddress(base, { ...options, allowPrivate: false })).rejects.toThrow('must use https')
    await expect(readAddress('https://127.0.0.1/', { ...options, allowPrivate: false })).rejects.toThrow(
      'not public',
    )
    const resolve = async () => ['10.0.0.7']
    await expect(
      readAddress('https://pictures.example/', { ...options, allowPrivate: false, resolve }),
    ).rejects.toThrow('not public')
    const metadata = read('/a', (_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    })
    await expect(metadata).rejects.toThrow('not public')
  })

  it('readAddress refuses a body that is too large, whatever length it claims', async () => {
    const large = read('/a', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      for (let part = 0; part < 20; part += 1) response.write('x'.repeat(100))
      response.end()
    })
    await expect(large).rejects.toThrow('more than 1000 bytes')
  })

  it('readAddress ends a response that never ends', async () => {
    const endless = read('/a', (_, response) => void response.write('x'), { timeoutMs: 50 })
    await expect(endless).rejects.toThrow('did not respond in time')
  })

  it('readAddress returns blocks of 64 KiB, however the body arrives', async () => {
    const sent = Buffer.from(Array.from({ length: 150_000 }, (_, index) => index % 251))
    const { body } = await read(
      '/a',
      (_, response) => {
        for (let start = 0; start < sent.length; start += 777)
          response.write(sent.subarray(start, start + 777))
        response.end()
      },
      { maxBytes: sent.length },
    )
    expect(body.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928])
    expect(Buffer.concat(body).equals(sent)).toBe(true)
    expect((await read('/a', (_, response) => void response.end())).body).toEqual([])
  })

  it('readAddress ends the request when its caller no longer needs it', async () => {
    const controller = new AbortController()
    let ended: Promise<unknown> = Promise.resolve()
    const endless = read(
      '/a',
      (_, response) => {
        ended = once(response, 'close')
        controller.abort()
      },
      { signal: controller.signal },
    )
    await expect(endless).rejects.toThrow('did not respond in time')
    await ended
  })

  it.each([404, 500, 304])('readAddress fails for the status %i', async (status) => {
    await expect(read('/a', (_, response) => void response.writeHead(status).end())).rejects.toThrow(
      `${status}`,
    )
  })

  it('readAddress names neither host nor port of a failure', async () => {
    await expect(readAddress('http://127.0.0.1:9/a', options)).rejects.toThrow(/^The address cannot be read$/)
  })
})
