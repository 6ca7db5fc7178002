/** Notifies the other tabs of this browser immediately of a change made here, whether or not the event stream is up. */
import * as z from 'zod/mini';

/** One type of message between tabs. */
export interface TabChannel<T> {
  /** Sends a message to every other tab. */
  readonly publish: (news: T) => void;
  /** Subscribes to messages from other tabs. Returns the function that unsubscribes. */
  readonly subscribe: (listener: (news: T) => void) => () => void;
}

export function tabChannel<T>(name: string, shape: z.ZodMiniType<T>): TabChannel<T> {
  return {
    publish: (news) => {
      const channel = new BroadcastChannel(name);
      channel.postMessage(news);
      channel.close();
    },
    subscribe: (listener) => {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        // A tab with another version of the portal may send messages that this one does not understand.
        const parsed = z.safeParse(shape, data);
        if (parsed.success) listener(parsed.data);
      };
      return () => channel.close();
    },
  };
}
