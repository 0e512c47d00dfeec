import 'server-only'

/** Returns an environment variable. Call it while a request is served, never while a module is loaded. */
export function readSetting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set. README.md lists the environment variables`)
  return value
}
