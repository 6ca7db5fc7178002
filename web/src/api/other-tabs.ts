/** Notifies the other tabs of this browser immediately of a change made here, whether or not the event stream is up. */
import * as z from 'zod/mini';

/** One type of message between tabs. */
export interface TabChannel<T> {
  /** Sends a message to every other tab. */
  readonly tell: (news: T) => void;
  /** Subscribes to messages from other tabs. Returns the function that unsubscribes. */
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
        // A tab with another version of the portal may send messages that this one does not understand.
        const heard = z.safeParse(shape, data);
        if (heard.success) listener(heard.data);
      };
      return () => channel.close();
    },
  };
}
