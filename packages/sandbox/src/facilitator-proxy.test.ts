import { serveLocally } from '@mintmark/devkit'
import { expect, it } from 'vitest'
import { startFacilitatorProxy } from './facilitator-proxy.ts'
import { Stops } from './stops.ts'

it.each(['//', '//verify', '/verify?a=1'])('forwards the path %s to the facilitator', async (path) => {
  const stops = new Stops()
  try {
    const url = await serveLocally((request, response) => void response.end(request.url), stops)
    const proxy = await startFacilitatorProxy(0, stops)
    proxy.forwardTo(url)
    const response = await fetch(`${proxy.url}${path}`, { signal: AbortSignal.timeout(10_000) })
    expect(await response.text()).toBe(path)
  } finally {
    await stops.stop()
  }
})

it('disconnects a caller whose response the facilitator does not complete', async () => {
  const stops = new Stops()
  try {
    const url = await serveLocally((_, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy())
    }, stops)
    const proxy = await startFacilitatorProxy(0, stops)
    proxy.forwardTo(url)
    const response = await fetch(proxy.url, { signal: AbortSignal.timeout(10_000) })
    await expect(response.text()).rejects.toThrow('terminated')
  } finally {
    await stops.stop()
  }
})
