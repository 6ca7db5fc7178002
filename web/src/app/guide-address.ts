/** The user guide's address in the reader's language; English if the guide is not available in that language. */
export function guideAddress(guides: Readonly<Record<string, string>>, language: string): string {
  const short = language.split('-')[0] ?? 'en';
  return guides[language] ?? guides[short] ?? guides.en ?? '/guide/en';
}
