import { programPages, servePages } from './browser.ts'
import { documented } from './documented.ts'
import { createProject } from './project.ts'
import type { Stage } from './runtimes.ts'
import { startWorld, type World } from './world.ts'

/** A stage with the servers. */
export interface OpenStage extends Stage {
  readonly world: World
  close(): Promise<void>
}

/** Sets up what every runtime is tried on; browsers may call the servers from the project's pages. */
export async function openStage(): Promise<OpenStage> {
  const stops: (() => unknown)[] = []
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const project = await createProject()
    stops.push(() => project.remove())
    const pages = await servePages(project, { ...(await programPages(project)), documented: documented.page })
    stops.push(() => pages.close())
    const world = await startWorld([pages.url])
    stops.push(() => world.close())
    return { project, pages: pages.url, world, close }
  } catch (error) {
    await close()
    throw error
  }
}
