// Applies the chosen theme before the first paint. `theme.ts` stores the choice.
try {
  const theme = localStorage.getItem('mintmark.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the theme of the system applies.
}
