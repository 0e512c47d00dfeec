/** Returns the pattern of SQL's `like` and `ilike` for texts that contain the keyword literally. */
export function toContainsPattern(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
}
