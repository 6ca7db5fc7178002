/** A virtual authenticator of the browser, which creates passkeys and signs in with them without asking. */
import type { Page } from '@playwright/test';

export interface VirtualAuthenticator {
  /** Whether it answers; otherwise the browser waits for the user. At first it answers. */
  answer(isAnswering: boolean): Promise<void>;
}

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async answer(enabled) {
      await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
  };
}
