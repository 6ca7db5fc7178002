/** Loads a part of the page that is not there yet; without a connection, as soon as there is one again. */
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
