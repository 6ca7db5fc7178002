/** Loads a part of the page that is not loaded yet; if offline, as soon as the connection is back. */
export async function whenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (thrown) {
      if (navigator.onLine) throw thrown;
      await new Promise((done) => addEventListener('online', done, { once: true }));
    }
  }
}
