import { UsageError } from './errors.ts'

const MESSAGES: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}. Check its name and the folder`,
  EISDIR: (file) => `${file} is a folder. Name a file`,
  EACCES: (file) => `${file} cannot be read. Check its permissions`,
}

/** Creates the error of a file that a person named and that cannot be read. */
export function createFileError(error: unknown, file: string): UsageError {
  const { code = '', message = String(error) }: Partial<NodeJS.ErrnoException> =
    error instanceof Error ? error : {}
  return new UsageError(MESSAGES[code]?.(file) ?? `${file} cannot be read: ${message}`)
}
