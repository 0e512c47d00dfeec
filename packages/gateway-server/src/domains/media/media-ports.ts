import { createFolderStorage } from './storage/folder-storage.ts'
import type { MediaStorage } from './storage/media-storage.ts'

/** Where pictures are stored, and how many. */
export interface MediaSettings {
  readonly storage: MediaStorage
  /** How many bytes of pictures a project may store. */
  readonly bytesPerProject: number
}

/** The default folder of pictures. */
export const DEFAULT_MEDIA_FOLDER = 'media'

export const DEFAULT_MEDIA: MediaSettings = {
  storage: createFolderStorage(DEFAULT_MEDIA_FOLDER),
  bytesPerProject: 1024 ** 3,
}

/** What the operations of media need of the server. */
export interface MediaPorts {
  readonly media: MediaSettings
  /** This server's public URL, without a trailing slash. */
  readonly publicUrl: string
}
