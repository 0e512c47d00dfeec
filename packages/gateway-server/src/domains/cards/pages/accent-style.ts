/** The relative luminance of WCAG at which black and white text have the same contrast. */
const MIDDLE_LUMINANCE = Math.sqrt(1.05 * 0.05) - 0.05

/** Returns the relative luminance of a color by WCAG: 0 for black to 1 for white. */
function getLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * Returns the style with a shop's color and that of the text on it: black or white, whichever is easier to read.
 * `''` for anything but a color, so that nothing else gets into the style of the page.
 */
export function createAccentStyle(color: string): string {
  if (!/^#[0-9a-f]{6}$/.test(color)) return ''
  const text = getLuminance(color) > MIDDLE_LUMINANCE ? '#000' : '#fff'
  return `:root { --accent: ${color}; --on-accent: ${text}; }`
}
