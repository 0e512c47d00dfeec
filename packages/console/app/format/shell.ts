/** Quotes a word for a POSIX shell or zsh, unless it needs no quotes. zsh replaces `=ls` by the path of `ls`. */
export function quoteForShell(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
