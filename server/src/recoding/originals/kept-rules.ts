/** Which decoded images can be kept as originals, by the checks of an engine; and the software by which they are found. */
import type { ImageCheck } from '@recodery/codec/preflight/checks';
import type { ComponentName } from '@recodery/contract/families/family';
import type { NotKeptReason } from '@recodery/contract/features/originals';
import { findProtocol, identifiedComponent } from '@recodery/codec/protocols/protocols';
import type { DecodeFacts } from '../results/stored-result.ts';

/** What one check says against keeping the image that was read; null: it proves the image, undefined: nothing. */
function verdictOf(check: ImageCheck): NotKeptReason | null | undefined {
  switch (check.id) {
    case 'checksums': {
      const states = check.values?.rules.map(({ state }) => state) ?? [];
      if (states.some((state) => state === 'wrong' || state === 'corrected')) {
        return 'checksums-wrong';
      }
      if (states.includes('disabled')) return 'tuned';
      return states.length > 0 ? null : undefined;
    }
    case 'known-checksums': {
      if (check.values === null) return undefined;
      const { parts, signature, isProved } = check.values;
      const has = (state: string) => parts.some((part) => part.state === state);
      if (has('wrong') || signature === 'wrong') return 'checksums-wrong';
      if (has('off')) return 'tuned';
      const isSure = isProved && signature !== 'not-checked' && !has('not-checked');
      return isSure && parts.length > 0 ? null : 'checksums-unknown';
    }
    case 'already-tuned':
      return check.status === 'amber' ? 'tuned' : undefined;
    default:
      return undefined;
  }
}

/** Why an image is not kept, by the checks of an encode that would not change it; null: it can be kept. */
export function judgeKept(checks: readonly ImageCheck[]): NotKeptReason | null {
  const verdicts = checks.map(verdictOf);
  for (const reason of ['checksums-wrong', 'tuned', 'checksums-unknown'] as const) {
    if (verdicts.includes(reason)) return reason;
  }
  return verdicts.includes(null) ? null : 'checksums-unknown';
}

/**
 * The software number of a decoded image: the one that was recognized in it, or that the slave reports, where the
 * protocol knows of which component; null: none is known.
 */
export function softwareOf(
  { components, information, isOneImage, protocolId }: DecodeFacts,
  component: ComponentName,
): string | null {
  const { recognition } = components.find((one) => one.component === component) ?? {};
  const recognized = recognition?.fields.find(({ name }) => name === 'software')?.value;
  if (recognized !== undefined) return recognized;
  const protocol = protocolId === null ? null : findProtocol(protocolId);
  const identified = protocol && identifiedComponent(protocol)?.name;
  return isOneImage || identified === component ? information.software : null;
}
