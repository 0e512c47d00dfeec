import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isRoot } from './embedded-account.ts'
import { checkRootFolder, findHome } from './embedded-home.ts'

const folder = await mkdtemp(join(tmpdir(), 'mintmark-home-'))
afterAll(() => rm(folder, { recursive: true }))

describe.runIf(isRoot())('the shared folder of embedded databases', () => {
  it('the shared folder of embedded databases is accepted if it is a folder that only root can write', async () => {
    const own = join(folder, 'own')
    await mkdir(own, { mode: 0o755 })
    await expect(checkRootFolder(own)).resolves.toBeUndefined()
  })

  it('the shared folder of embedded databases is refused if it is a symlink, even to a folder of root', async () => {
    const link = join(folder, 'link')
    await symlink('/usr', link)
    await expect(checkRootFolder(link)).rejects.toThrow('is not a folder')
  })

  it('the shared folder of embedded databases is refused if it is a file', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(checkRootFolder(file)).rejects.toThrow('is not a folder')
  })

  it('the shared folder of embedded databases is refused if others can write it', async () => {
    const open = join(folder, 'open')
    await mkdir(open)
    await chmod(open, 0o777)
    await expect(checkRootFolder(open)).rejects.toThrow('is writable for others than root')
  })
})

describe.runIf(isRoot())('a data folder that root has copied', () => {
  async function copyAsRoot(name: string): Promise<string> {
    const dataDir = join(folder, name)
    await mkdir(join(dataDir, 'postgres/cluster/data'), { recursive: true })
    await chmod(folder, 0o755)
    return dataDir
  }

  it('a data folder that root has copied is not started as root: the message names the owner and the account to give it to', async () => {
    const dataDir = await copyAsRoot('by-root')
    const failing = findHome(dataDir)
    await expect(failing).rejects.toThrow(
      `The database in ${dataDir}/postgres/cluster/data belongs to root, and PostgreSQL does not run as root.`,
    )
    await expect(failing).rejects.toThrow(/chown -R (?:postgres|_postgres|nobody) /)
  })

  it.each([
    ['that can be entered', 0o755],
    ['that is private', 0o700],
  ])(
    'a data folder that root has copied %s is not started as another user: the message names the owner',
    async (name, mode) => {
      const dataDir = await copyAsRoot(name.replaceAll(' ', '-'))
      await chmod(join(dataDir, 'postgres'), mode)
      const module = new URL('embedded-home.ts', import.meta.url).href
      const script = `import { findHome } from '${module}'; await findHome('${dataDir}').catch((error) => console.log(error.message))`
      const options = ['--conditions=@mintmark/source', '--input-type=module', '--eval', script]
      const { stdout } = spawnSync(process.execPath, options, {
        uid: 65_534,
        gid: 65_534,
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
      })
      expect(stdout).toContain(`The database in ${dataDir}/postgres belongs to root.\nRun as root`)
    },
  )
})
