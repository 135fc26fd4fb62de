/** Writes an option; a value that begins like an option is in the same word. */
export function spellOption(name: string, value: string | true): string[] {
  if (value === true) return [`--${name}`];
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}
