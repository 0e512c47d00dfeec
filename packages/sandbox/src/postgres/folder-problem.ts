import { userInfo } from 'node:os'
import { dirname, resolve, sep } from 'node:path'
import { findOwner } from './embedded-account.ts'
import { pathExists } from './path-exists.ts'

/**
 * Says why a data folder cannot be used and what to do. Returns undefined if the error has another reason
 * than the folder.
 */
export async function explainFolderProblem(dataDir: string, error: unknown): Promise<string | undefined> {
  const failure = findFileError(error)
  if (failure === undefined || !areNested(dataDir, failure.path)) return undefined
  const other = 'choose another folder with DATA_DIR'
  switch (failure.code) {
    case 'EROFS':
      return `${dataDir} is on a read-only file system. Make it writable, or ${other}`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no space left for ${dataDir}. Free some, or ${other}`
    case 'ENOTDIR':
    case 'EEXIST':
      if (failure.code === 'EEXIST' && failure.syscall !== 'mkdir') return undefined
      return `${dataDir} is not a folder, or is below a file. Remove the file, or ${other}`
    case 'EACCES':
    case 'EPERM':
      return `${await describeAccess(failure.path)}, or ${other}`
    default:
      return undefined
  }
}

async function describeAccess(path: string): Promise<string> {
  let existing = path
  while (!(await pathExists(existing).catch(() => false)) && existing !== dirname(existing))
    existing = dirname(existing)
  const owner = await findOwner(existing)
  const { username, uid } = userInfo()
  if (owner.uid === uid)
    return `${existing} may not be written by ${username}. Change its permissions (chmod u+rwX)`
  return `${existing} belongs to ${owner.name}, and this process runs as ${username}. Run it as ${owner.name}, give the files to ${username} (chown -R ${username})`
}

/** Finds the error of a file or folder among an error and its causes. */
function findFileError(error: unknown): FileError | undefined {
  if (!(error instanceof Error)) return undefined
  return isFileError(error) ? error : findFileError(error.cause)
}

interface FileError extends Error {
  readonly code: string
  readonly path: string
  readonly syscall: string
}

/** A program that cannot be started has a path too. */
const isFileError = (error: Error): error is FileError =>
  'path' in error &&
  typeof error.path === 'string' &&
  'code' in error &&
  'syscall' in error &&
  !String(error.syscall).startsWith('spawn')

/** Whether one of two paths contains the other. */
function areNested(...paths: [string, string]): boolean {
  const [one, other] = paths.map((path) => resolve(path) + sep)
  return one !== undefined && other !== undefined && (one.startsWith(other) || other.startsWith(one))
}
