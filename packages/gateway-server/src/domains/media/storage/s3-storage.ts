import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { MediaStorage } from './media-storage.ts'

export interface S3Settings {
  /** The address of the bucket, and of a folder in it. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** For a whole exchange, the client's reading included. */
const TIMEOUT_MS = 30_000
const RETRIES = 2

/** Stores objects in a bucket of an S3-compatible service. */
export function createS3Storage({ url, ...credentials }: S3Settings): MediaStorage {
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES })
  const base = url.replace(/\/$/, '')
  async function send(method: string, name: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await client.fetch(`${base}/${name}`, { ...init, method, signal, redirect: 'error' })
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new Error(`The storage of pictures responded to ${method} with ${response.status}`)
  }
  return {
    async write(name, bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const headers = { 'content-type': 'image/webp', 'x-amz-content-sha256': hash }
      const response = await send('PUT', name, { body: bytes, headers })
      await response.body?.cancel()
      if (!response.ok) throw new Error('The bucket for pictures does not exist')
    },
    async read(name, { start, end }) {
      const response = await send('GET', name, { headers: { range: `bytes=${start}-${end}` } })
      if (response.ok) return response.body ?? undefined
      await response.body?.cancel()
      return undefined
    },
    async remove(name) {
      const response = await send('DELETE', name)
      await response.body?.cancel()
    },
  }
}
