/** Files that are dropped outside of every drop area: the browser would leave the page and open them. */
import { useEffect, useEffectEvent } from 'react';
import { listText } from '../i18n/formats.ts';
import { useTexts } from '../i18n/texts.ts';
import { showToast } from '../ui/toasts/toast.tsx';

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true;

/** The drop areas that take files now. */
function openAreas(): HTMLElement[] {
  const areas = document.querySelectorAll<HTMLElement>('[data-drop-area]:not([aria-disabled])');
  // behind a dialog, an area takes nothing
  return [...areas].filter((area) => area.closest('[inert], [aria-hidden=true]') === null);
}

/** Marks the document while files are dragged over it: the drop areas are emphasized. */
function markDragging(isDragging: boolean): void {
  if (isDragging) document.documentElement.dataset['dragging'] = '';
  else delete document.documentElement.dataset['dragging'];
}

/**
 * Catches files that are dropped outside of the drop areas, or on a disabled one, and says where to drop them. An area
 * prevents the default of its own events, which arrive here afterward.
 */
export function useStrayDrops(): void {
  const { t, language } = useTexts();
  const explain = useEffectEvent((target: EventTarget | null): void => {
    if (target instanceof Element && target.closest('[data-drop-area][aria-disabled]') !== null) {
      showToast({ title: t('ui.drop.disabled') });
      return;
    }
    const areas = openAreas();
    const names = [...new Set(areas.map(({ ariaLabel }) => ariaLabel ?? ''))];
    areas[0]?.scrollIntoView({ block: 'nearest' });
    showToast({
      title: t('ui.drop.outside'),
      detail:
        names.length === 0
          ? t('ui.drop.nowhere')
          : t('ui.drop.where', { areas: listText(names, language) }),
    });
  });
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      markDragging(true);
      event.preventDefault();
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) markDragging(false);
    };
    const drop = (event: DragEvent): void => {
      markDragging(false);
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      explain(event.target);
    };
    const events = { dragenter: over, dragover: over, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(events))
      window.addEventListener(name as keyof typeof events, listener);
    return () => {
      for (const [name, listener] of Object.entries(events))
        window.removeEventListener(name as keyof typeof events, listener);
    };
  }, []);
}
