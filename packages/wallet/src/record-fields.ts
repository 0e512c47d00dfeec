import { Integer, Timestamp } from '@mintmark/envelope'

/** What every record of these groups ends with. */
export const recordFields = {
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  id: Integer,
  projectId: Integer,
}
