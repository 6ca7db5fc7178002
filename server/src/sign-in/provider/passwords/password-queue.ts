/**
 * The queue for requests that need a password hashed. No sender can fill it: each has only a few places in it, and
 * browsers that an account knows have a separate queue.
 */
import { areaOf } from '../../../http/requests/caller-network.ts';
import { createSemaphore, type Places } from '../../../config/semaphore.ts';

/** Hashing keeps cores and threads busy: two at once leave enough for the rest of the portal. */
export const passwordPlaces = { atOnce: 2, waitMs: 10_000, mostWaiting: 60 };
/** Requests of one sender in the queue at once, and how many more can wait: a whole workshop may share one address. */
const placesOfSender = { atOnce: 8, mostWaiting: 24 };

/** Who needs a password hashed: a stranger at an address, or a browser that the account knows, or that was invited. */
export type Sender = { readonly address: string } | { readonly accountGuid: string };

export interface PasswordQueue {
  /** Enters; returns a function that must be called on leaving, or null when no place became free in time. */
  enter(sender: Sender): Promise<(() => void) | null>;
}

/** Creates the queue. */
export function createPasswordQueue(places: Places = passwordPlaces): PasswordQueue {
  const strangers = createSemaphore(places);
  const known = createSemaphore({ ...places, atOnce: 1 });
  const senders = createSemaphore({ ...placesOfSender, waitMs: places.waitMs });
  return {
    async enter(sender) {
      const isStranger = 'address' in sender;
      const name = isStranger ? `area ${areaOf(sender.address)}` : `account ${sender.accountGuid}`;
      const leaveSender = await senders.enter(name);
      if (leaveSender === null) return null;
      const leaveQueue = await (isStranger ? strangers : known).enter('password');
      if (leaveQueue === null) {
        leaveSender();
        return null;
      }
      return () => {
        leaveQueue();
        leaveSender();
      };
    },
  };
}
