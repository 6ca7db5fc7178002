/** The fuzzer finds planted bugs, and the inputs in its corpus no longer break anything. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readCorpus } from '../fuzz/corpus.ts';
import { type SearchLimits, superviseTarget, type TargetResult } from '../fuzz/supervise.ts';
import { loadTarget } from '../fuzz/target.ts';
import { targets } from '../fuzz/targets.ts';

const module = new URL('faulty-target.ts', import.meta.url).href;

const limits: SearchLimits = {
  runsForMs: 20_000,
  waitsForLooks: 20,
  pauseMs: 50,
  heapMegabytes: 64,
};

/** Searches a target with a bug, until it finds the bug. */
function search(fault: string, seconds = 600, runsForMs = 20_000): Promise<TargetResult> {
  const entry = { name: 'faulty', covers: ['tools/test/faulty-target.ts'] };
  return superviseTarget(
    { ...entry, module: `${module}?fault=${encodeURIComponent(fault)}` },
    { seed: 1, seconds, limits: { ...limits, runsForMs } },
  );
}

describe('the fuzzer', () => {
  test('finds bytes that only coverage can reveal, and shortens the input to them', async () => {
    const { finding, found } = await search('magic');
    expect(finding?.error).toContain('TypeError');
    expect(Buffer.from(finding?.input ?? []).toString()).toBe('RECO');
    expect(found.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ['loop', 'runs for more than'],
    ['wait', 'waits for something that never comes'],
    ['wait, with a server that listens', 'waits for something that never comes'],
    ['fill the heap', 'memory limit'],
    ['take memory', 'takes more than 256 MiB of memory'],
    ['fail later', 'TypeError: in a timer'],
  ])('reports an input with the fault: %s', async (fault, error) => {
    const { finding } = await search(fault, 600, fault === 'loop' ? 500 : limits.runsForMs);
    expect(finding?.error).toContain(error);
    expect(Buffer.from(finding?.input ?? []).toString()).toBe('12345678');
  });

  test('stops in time if there is nothing to find', async () => {
    const { finding, found, executions } = await search('none', 2);
    expect({ finding, found }).toEqual({ finding: null, found: [] });
    expect(executions).toBeGreaterThan(100);
  });
});

describe.each(targets)('the corpus of $name', ({ name, module: address }) => {
  test('causes no finding', async () => {
    const target = await loadTarget(address);
    const inputs = [...target.seeds(), ...readCorpus(name).map(({ input }) => input)];
    expect(inputs.length).toBeGreaterThan(0);
    await target.open?.();
    for (const input of inputs) await target.run(input);
    await target.close?.();
  });

  test('has files that are named after their contents, of at most 64 KiB in total', () => {
    const corpus = readCorpus(name);
    expect(corpus).not.toEqual([]);
    for (const { file, input } of corpus)
      expect(file).toBe(createHash('sha256').update(input).digest('hex').slice(0, 16));
    const bytes = corpus.reduce((sum, { input }) => sum + input.length, 0);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
  });
});
