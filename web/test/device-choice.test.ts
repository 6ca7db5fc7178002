/** Which master device is selected initially, and when a choice is offered. */
import { describeMasters } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import {
  chosenDevice,
  devicesOf,
  initialDevice,
  needsChooser,
} from '../src/features/devices/device-choice.ts';

const group = (groupCode: string, kess3: string[], kessv2: string[] = []) => ({
  groupCode,
  ...describeMasters(() => []),
  kessv2MasterDevicesSerialNumbers: kessv2,
  kess3MasterDevicesSerialNumbers: kess3,
});
const groups = [
  group('G-10', ['KS3-M-0001'], ['KV2-M-0001']),
  group('CC-1001', ['KS3-M-0003']),
  group('G-11', ['KS3-M-0002']),
];
const kess3 = devicesOf('kess3', groups);

// promise 2.devices.first-remembered, 3.storage.serial
test('the chosen device is the one whose serial number is remembered', () => {
  expect(chosenDevice(kess3, 'KS3-M-0002')?.groupCode).toBe('G-11');
  expect([null, 'KS3-M-9999'].map((serial) => chosenDevice(kess3, serial))).toEqual([null, null]);
});

describe('the device that is used where neither the user nor the file names one', () => {
  // promise 2.devices.first-code, 2.devices.first-any
  test.each([
    ['is that of the group with the customer code', 'CC-1001', 'KS3-M-0003'],
    ['is otherwise the first one', 'CC-2002', 'KS3-M-0001'],
  ])('%s', (_, code, expected) => {
    expect(initialDevice(kess3, code)?.serialNumber).toBe(expected);
  });

  // promise 2.devices.none
  test('is none if the family has no device', () => {
    expect(initialDevice(devicesOf('ktag', groups), 'CC-1001')).toBeNull();
  });
});

// promise 2.devices.when
test('offers no choice if there is one group with a device, or none', () => {
  expect(needsChooser(kess3)).toBe(true);
  const two = devicesOf('kess3', [group('G-10', ['KS3-M-0001', 'KS3-M-0004']), group('G-11', [])]);
  expect(needsChooser(two)).toBe(false);
  expect(needsChooser(devicesOf('kessv2', groups))).toBe(false);
  expect(needsChooser([])).toBe(false);
});
