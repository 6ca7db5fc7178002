/** A QR code, dark on white in both themes, because not every camera reads it the other way around. */

export interface QrCodeProps {
  /** Its rows; `1` is a dark module. */
  readonly rows: readonly string[];
  readonly label: string;
}

/** The picture as an address. */
function addressOf(rows: readonly string[]): string {
  const dark = rows.flatMap((row, y) =>
    [...row].flatMap((module, x) => (module === '1' ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const size = rows.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark.join('')}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export function QrCode({ rows, label }: QrCodeProps) {
  return <img src={addressOf(rows)} alt={label} width={208} height={208} className="rounded-s" />;
}
