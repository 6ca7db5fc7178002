/** The product's languages, by their tags; English first, because it is the fallback. A new language is one line here. */
export const cultures = [
  'en-US',
  'de-DE',
  'es-ES',
  'fr-FR',
  'it-IT',
  'pt-BR',
  'zh-CN',
  'pl-PL',
  'ru-RU',
] as const;
export type Culture = (typeof cultures)[number];
