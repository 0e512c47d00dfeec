import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isRoot } from './embedded-account.ts'
import { checkRootFolder } from './embedded-home.ts'

const folder = await mkdtemp(join(tmpdir(), 'mintmark-home-'))
afterAll(() => rm(folder, { recursive: true }))

describe.runIf(isRoot())('the shared folder of embedded databases', () => {
  it('is accepted if it is a folder that only root can write', async () => {
    const own = join(folder, 'own')
    await mkdir(own, { mode: 0o755 })
    await expect(checkRootFolder(own)).resolves.toBeUndefined()
  })

  it('is refused if it is a symlink, even to a folder of root', async () => {
    const link = join(folder, 'link')
    await symlink('/usr', link)
    await expect(checkRootFolder(link)).rejects.toThrow('is not a folder')
  })

  it('is refused if it is a file', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(checkRootFolder(file)).rejects.toThrow('is not a folder')
  })

  it('is refused if others can write it', async () => {
    const open = join(folder, 'open')
    await mkdir(open)
    await chmod(open, 0o777)
    await expect(checkRootFolder(open)).rejects.toThrow('is writable for others than root')
  })
})
