/** The CRCs that protocols name, with the parameters of the public CRC catalog (reveng). */

import type { CrcAlgorithm } from './scheme.ts';

const crc = (
  width: 8 | 16 | 32,
  polynomial: string,
  init: string,
  isReflected: boolean,
  xorOut: string,
): CrcAlgorithm => ({
  kind: 'crc',
  width,
  polynomial,
  init,
  reflectIn: isReflected,
  reflectOut: isReflected,
  xorOut,
});

export const crc32IsoHdlc = crc(32, '04c11db7', 'ffffffff', true, 'ffffffff');
export const crc32Jamcrc = crc(32, '04c11db7', 'ffffffff', true, '0');
export const crc32Mpeg2 = crc(32, '04c11db7', 'ffffffff', false, '0');
export const crc32Bzip2 = crc(32, '04c11db7', 'ffffffff', false, 'ffffffff');
export const crc32Autosar = crc(32, 'f4acfb13', 'ffffffff', true, 'ffffffff');
export const crc32c = crc(32, '1edc6f41', 'ffffffff', true, 'ffffffff');
export const crc16Ibm3740 = crc(16, '1021', 'ffff', false, '0');
export const crc16Arc = crc(16, '8005', '0', true, '0');
export const crc16Modbus = crc(16, '8005', 'ffff', true, '0');
export const crc8SaeJ1850 = crc(8, '1d', 'ff', false, 'ff');
