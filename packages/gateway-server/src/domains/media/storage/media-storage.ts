/** Bytes of an object, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where pictures are stored. Names of objects are never used again. */
export interface MediaStorage {
  /** Stores an object. It survives a crash from then on. */
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** Opens a part of an object. Undefined if there is no such object. */
  read(name: string, range: ByteRange): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined>
  /** Removes an object and what an interrupted `write` left of it. Idempotent. */
  remove(name: string): Promise<void>
}
