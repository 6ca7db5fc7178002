/** The texts of trays: few users open one. */
import { loadMore, type Loaders } from './texts.ts';

const forTrays: Loaders = {
  'de-DE': async () => (await import('./locales/de-DE/tray.json')).default,
  'en-US': async () => (await import('./locales/en-US/tray.json')).default,
  'es-ES': async () => (await import('./locales/es-ES/tray.json')).default,
  'fr-FR': async () => (await import('./locales/fr-FR/tray.json')).default,
  'it-IT': async () => (await import('./locales/it-IT/tray.json')).default,
  'pl-PL': async () => (await import('./locales/pl-PL/tray.json')).default,
  'pt-BR': async () => (await import('./locales/pt-BR/tray.json')).default,
  'ru-RU': async () => (await import('./locales/ru-RU/tray.json')).default,
  'zh-CN': async () => (await import('./locales/zh-CN/tray.json')).default,
};

/** Loads the texts of trays. */
export function loadTrayTexts(): Promise<void> {
  return loadMore(forTrays);
}
