/** The pattern of SQL's `ilike` for texts that contain a keyword, as it is written. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
}
