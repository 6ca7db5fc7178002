/** Scrolls through millions of rows of equal height; only the visible ones are rendered. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The maximum height that every browser can scroll, in px. Longer lists use a scale. */
const mostPixels = 8_000_000;
/** A scroll further than this is a jump, such as by dragging the scroll bar, in px. */
const jump = 2000;

/** The visible part of a list. */
export interface VirtualScroll {
  /** The element that scrolls. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Px of the content inside the scroller. */
  readonly spacer: number;
  /** The first visible row, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Px of the first visible row that are above the visible part. */
  readonly shift: number;
  /** Px that are visible. */
  readonly height: number;
  /** Follows the scroller. Returns the row that is now the first visible one; null after a scroll by `scrollTo`. */
  readonly onScroll: () => number | null;
  /** Scrolls so that a row is the first visible one. */
  readonly scrollTo: (row: number) => void;
}

/**
 * The visible part of `rows` rows, each `rowHeight` px high. `begin`: the first visible row until `scrollTo` is called,
 * so that no others are rendered before it.
 */
export function useVirtualScroll(rows: number, rowHeight: number, begin = 0): VirtualScroll {
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(begin * rowHeight);
  const place = useRef({ top, scrolled: 0 });
  const [height, setHeight] = useState(0);
  const total = rows * rowHeight;
  const spacer = Math.min(total, mostPixels);

  useEffect(() => {
    const scroller = ref.current;
    if (scroller === null) return;
    const observer = new ResizeObserver(() =>
      // never more rows than fit on a screen, regardless of the surrounding layout
      setHeight(Math.min(scroller.clientHeight, screen.height)),
    );
    observer.observe(scroller);
    return () => observer.disconnect();
  }, []);

  /** The scroller's position for a position in the content. */
  const scrolledFor = (scroller: HTMLDivElement, at: number): number => {
    if (spacer === total) return at;
    return (at / (total - scroller.clientHeight)) * (spacer - scroller.clientHeight);
  };

  const moveTo = (scroller: HTMLDivElement, wanted: number, isSet: boolean): number => {
    const next = Math.min(Math.max(0, wanted), Math.max(0, total - scroller.clientHeight));
    if (isSet) scroller.scrollTop = scrolledFor(scroller, next);
    place.current = { top: next, scrolled: scroller.scrollTop };
    setTop(next);
    return Math.floor(next / rowHeight);
  };

  const onScroll = (): number | null => {
    const scroller = ref.current;
    if (scroller === null) return null;
    const { scrollTop, clientHeight } = scroller;
    const distance = scrollTop - place.current.scrolled;
    if (distance === 0) return null;
    if (spacer === total) return moveTo(scroller, scrollTop, false);
    const share = scrollTop / (spacer - clientHeight);
    // a small step moves by as many px as it would without a scale
    const wanted =
      Math.abs(distance) < jump ? place.current.top + distance : share * (total - clientHeight);
    const isAtEnd = scrollTop <= 0 || scrollTop >= spacer - clientHeight - 1;
    // at an end of the scroll bar, but not of the content: there is more to scroll
    return moveTo(scroller, wanted, isAtEnd && Math.abs(distance) < jump);
  };

  const scrollTo = (row: number): void => {
    const scroller = ref.current;
    if (scroller !== null) moveTo(scroller, row * rowHeight, true);
  };

  const first = Math.floor(top / rowHeight);
  const shown = Math.ceil(height / rowHeight) + 1;
  return {
    ...{ ref, spacer, onScroll, scrollTo, height },
    first,
    end: Math.min(rows, first + shown),
    shift: top - first * rowHeight,
  };
}
