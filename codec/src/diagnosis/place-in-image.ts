/** Searches a file in an image of the read, and explains what was found: the tests for all but the content alone. */

import { leastAgreement, type Reference } from './agreement.ts';
import type { Explained } from './candidate.ts';
import { explainLane } from './lanes.ts';
import { explainPieces } from './pieces.ts';
import { explainPlacement, explainRepeated } from './places.ts';
import { explainSmall } from './small.ts';
import { explainTextDamage } from './text-damage.ts';
import {
  findPlacements,
  findVotes,
  leastAnchors,
  leastVotes,
  type Placement,
  type Votes,
} from './votes.ts';

/** Below this size a component has too few distinctive pieces. */
export const smallComponent = 8192;
/** Files above this size are not searched. */
const mostSearched = 64 * 1024 * 1024;

/** The result of a search in one image. */
export interface Search {
  readonly explained: Explained | null;
  /** The largest share of the anchors that voted for one displacement; null if nothing was searched. */
  readonly share: number | null;
}

/** One half of an image whose halves are equal, repeatedly; the image itself if they differ. */
function fold(image: Uint8Array): Uint8Array {
  const half = image.length / 2;
  const isRepeated =
    Number.isInteger(half) &&
    half >= smallComponent &&
    Buffer.compare(image.subarray(0, half), image.subarray(half)) === 0;
  return isRepeated ? fold(image.subarray(0, half)) : image;
}

function explainVotes(
  reference: Reference,
  file: Uint8Array,
  votes: Votes,
  period: number,
): Explained | null {
  const placements = findPlacements(reference, file, votes, period);
  const repeated = explainRepetition(reference, file, placements);
  if (repeated) return repeated;
  // a whole image in the file is no piece, however much of it is there once more
  const [best = null] = placements;
  const whole =
    best && best.agreement.share >= leastAgreement ? explainPlacement(reference, best) : null;
  const isWhole = whole !== null && whole.kind !== 'partial' && whole.kind !== 'shifted';
  // with an end that differs, bytes were rather lost or inserted near it
  if (isWhole && best?.agreement.hasEvenEdges) return whole;
  return (
    explainPieces(reference, file, votes) ??
    (best && explainPlacement(reference, best)) ??
    explainLane(reference, file)
  );
}

function explainRepetition(
  reference: Reference,
  file: Uint8Array,
  placements: readonly Placement[],
): Explained | null {
  if (file.length < 2 * reference.image.length) return null;
  for (const { transformation, file: undone } of [{ transformation: null, file }, ...placements]) {
    const repeated = explainRepeated(reference, undone, transformation);
    if (repeated) return repeated;
  }
  return null;
}

/** Searches a file that does not fit in the image of a component. */
export function searchImage(reference: Reference, file: Uint8Array): Search {
  const { image } = reference;
  if (file.length > mostSearched) return { explained: null, share: null };
  const damaged = explainTextDamage(reference, file);
  if (damaged) return { explained: damaged, share: null };
  if (image.length < smallComponent) {
    return { explained: explainSmall(reference, file), share: null };
  }
  const half = fold(image);
  const votes = findVotes(half, file);
  if (votes.anchors.length < leastAnchors) {
    return { explained: explainSmall(reference, file), share: null };
  }
  const most = votes.candidates[0]?.hits.length ?? 0;
  return {
    explained: explainVotes(reference, file, votes, half.length),
    // a few of few anchors are in any firmware
    share: most < leastVotes ? 0 : most / votes.anchors.length,
  };
}
