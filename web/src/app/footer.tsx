/** The footer of every page: the operator and the legally required information. */
import { useState } from 'react';
import { useConfig } from '../features/service-status/service-status.ts';
import { useTexts } from '../i18n/texts.ts';

export function Footer() {
  const { t } = useTexts();
  const { companyLines, links, productName, version } = useConfig();
  const [year] = useState(() => String(new Date().getFullYear()));
  const targets = [
    { href: links.privacy, text: t('layout.privacy') },
    { href: links.cookies, text: t('layout.cookies') },
    { href: links.terms, text: t('layout.terms') },
    { href: links.legal, text: t('layout.legal') },
  ].filter(({ href }) => href !== '');
  return (
    <footer className="border-t border-line text-sm text-ink-3">
      {/* as wide as the page above it, so that both begin at the same line */}
      <div className="mx-auto w-full max-w-[1064px] px-3.5 py-5 sm:px-5 lg:px-6">
        <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
          <span>
            {t('layout.copyright', { year, name: productName })} {version}
          </span>
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {targets.map(({ href, text }) => (
              <li key={text}>
                <a
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="rounded-[3px] text-ink-2 no-underline hover:text-ink hover:underline"
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </div>
        {companyLines.map((line) => (
          <p key={line} className="mt-1">
            {line}
          </p>
        ))}
      </div>
    </footer>
  );
}
