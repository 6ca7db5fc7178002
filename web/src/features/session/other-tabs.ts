/** Tells the other tabs of this browser at once which session is in force, whether or not the stream of events is up. */
import { type Session, session as sessionShape } from '@recodery/contract/session';
import * as z from 'zod/mini';

const name = 'recodery.session';

/** Says in every other tab that this session is in force now. */
export function tellOtherTabs(session: Session): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(session);
  channel.close();
}

/** Hears the session from whichever tab has changed it. Gives back how to stop. */
export function hearOtherTabs(listener: (session: Session) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    // A tab of another version of the portal may say what this one does not understand.
    const heard = z.safeParse(sessionShape, data);
    if (heard.success) listener(heard.data);
  };
  return () => channel.close();
}
