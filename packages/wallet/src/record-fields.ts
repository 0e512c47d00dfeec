import { Integer, Timestamp } from '@mintmark/envelope'

/** The fields that the records of these groups share. */
export const recordFields = {
  /** When the record was created. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The record's id. */
  id: Integer,
  /** The project that the record belongs to. */
  projectId: Integer,
}
