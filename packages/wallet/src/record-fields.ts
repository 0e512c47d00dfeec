import { Integer, Timestamp } from '@mintmark/envelope'

/** What every record of these groups ends with. */
export const recordFields = {
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Its id. */
  id: Integer,
  /** The project that it belongs to. */
  projectId: Integer,
}
