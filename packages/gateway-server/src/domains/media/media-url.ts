/** The path of pictures. A picture's address has its project and the SHA-256 of its bytes. */
export const MEDIA_PATH = '/media/'

export function mediaUrl(publicUrl: string, project: number, hash: string): string {
  return `${publicUrl}${MEDIA_PATH}${project}/${hash}.webp`
}

/** Parses the address of a picture of this server. Undefined for any other text. */
export function parseMediaUrl(
  publicUrl: string,
  text: string,
): { readonly project: number; readonly hash: string } | undefined {
  const prefix = `${publicUrl}${MEDIA_PATH}`
  if (!text.startsWith(prefix)) return undefined
  const [, project, hash = ''] =
    /^([1-9]\d{0,14})\/([0-9a-f]{64})\.webp$/.exec(text.slice(prefix.length)) ?? []
  return project === undefined ? undefined : { project: Number(project), hash }
}
