/** The product's languages, by their tags; English first, because it is the fallback. A new language is one line here. */
export const cultures = [
  'en-US',
  'it-IT',
  'de-DE',
  'fr-FR',
  'es-ES',
  'pt-BR',
  'pl-PL',
  'ru-RU',
  'zh-CN',
] as const;
export type Culture = (typeof cultures)[number];
