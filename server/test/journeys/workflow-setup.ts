/** The setup of a journey: a portal, a signed-in user, and the slave whose files they use. */
import type { Slave } from '@recodery/codec/simulator/slave';
import type { ContainerFamily } from '@recodery/contract/families/registry';
import { afterAll } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { demoSlaves } from '../fixtures/demo-devices.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

export interface Journey {
  readonly portal: RunningPortal;
  readonly anna: Client;
  readonly slave: Slave;
}

/** Starts a portal for all tests of the file; it stops after them. */
export async function startJourney(
  family: ContainerFamily,
  environment: Readonly<Record<string, string>> = {},
): Promise<Journey> {
  const portal = await startTestPortal(environment);
  afterAll(() => portal.stop());
  const anna = await portal.signIn('anna@demo.test');
  return { portal, anna, slave: await portal.getSlave(family, demoSlaves[family]) };
}
