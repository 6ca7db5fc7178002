/** Tells the other tabs of this browser at once what has changed here, whether or not the stream of events is up. */
import * as z from 'zod/mini';

/** One kind of news between tabs. */
export interface TabChannel<T> {
  /** Tells every other tab. */
  readonly tell: (news: T) => void;
  /** Hears whichever tab tells something. Gives back how to stop. */
  readonly hear: (listener: (news: T) => void) => () => void;
}

export function tabChannel<T>(name: string, shape: z.ZodMiniType<T>): TabChannel<T> {
  return {
    tell: (news) => {
      const channel = new BroadcastChannel(name);
      channel.postMessage(news);
      channel.close();
    },
    hear: (listener) => {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        // A tab of another version of the portal may say what this one does not understand.
        const heard = z.safeParse(shape, data);
        if (heard.success) listener(heard.data);
      };
      return () => channel.close();
    },
  };
}
