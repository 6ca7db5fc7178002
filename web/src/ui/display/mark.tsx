/** The product's logo: a letter with the bit of a key in its bow. The letter is drawn as it appears. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M10.5 24V8.5h6.6a5.1 5.1 0 0 1 0 10.2h-6.6M17.4 18.7 22 24"
        fill="none"
        pathLength="1"
        strokeDasharray="1"
        className="stroke-on-accent motion-safe:animate-write"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16.4" cy="13.6" r="1.7" className="fill-on-accent" opacity="0.7" />
    </svg>
  );
}
