import { spawn } from 'node:child_process'

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** Opens an address in the browser of the machine. Returns false without a browser. */
export async function openBrowser(url: string): Promise<boolean> {
  const [command, ...parameters] = COMMANDS[process.platform] ?? []
  const isHeadless = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
  if (command === undefined || isHeadless) return false
  return await new Promise((resolve) => {
    const child = spawn(command, [...parameters, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
