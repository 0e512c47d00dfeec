import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { MediaStorage } from './media-storage.ts'

/** What a file is called until all of it is on the disk. */
const PART = '.part'

/** Stores objects as files of a folder, which is created when the first one is written. */
export function createFolderStorage(folder: string): MediaStorage {
  return {
    async write(name, bytes) {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await withFile(`${path}${PART}`, 'w', async (file) => {
        await file.writeFile(bytes)
        await file.sync()
      })
      await rename(`${path}${PART}`, path)
      await withFile(dirname(path), 'r', (directory) => directory.sync())
    },
    async read(name, { start, end }) {
      const file = await open(join(folder, name)).catch(ignoreMissing)
      const stream = file?.createReadStream({ start, end })
      // The types of Node's web streams differ from those of the platform.
      return stream && (Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>)
    },
    async remove(name) {
      for (const suffix of ['', PART]) await rm(join(folder, `${name}${suffix}`), { force: true })
    },
  }
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>) {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
