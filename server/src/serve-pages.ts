/** Connects what every visitor can read with what operators have set: the pages' configuration, terms of use, guide, descriptions. */
import { pathOf } from '@recodery/contract/api';
import { getInstallationLogo } from '@recodery/contract/features/service-status';
import type { FastifyInstance } from 'fastify';
import type { OwnLinks } from './config/own-links.ts';
import { sampleTermsLink, serveSampleTerms } from './demo/sample-terms.ts';
import {
  type TermsFiles,
  ownTermsLink,
  readTermsFolder,
  serveOwnTerms,
} from './guide/own-terms.ts';
import { serveGuide } from './guide/routes.ts';
import { serveTermsPreview } from './guide/terms-preview.ts';
import { serveApiDescription } from './http/api-document/routes.ts';
import { serveSecurityText } from './http/security-text.ts';
import type { Router } from './http/serve.ts';
import { serveMessages } from './messages/routes.ts';
import type { Platform } from './platform.ts';
import {
  linksOf,
  type OwnSettings,
  readLogoVersion,
  readOwnSettings,
} from './service-status/own-settings.ts';
import type { PageSettings } from './service-status/page-config.ts';
import { serveServiceStatus } from './service-status/routes.ts';
import { type CurrentTerms, readCurrentTerms, readCurrentTexts } from './sign-in/terms-versions.ts';

/** Serves the texts that everyone can read, without the application; returns the terms of use of the environment. */
export function servePublicTexts(
  app: FastifyInstance,
  router: Router,
  platform: Platform,
): TermsFiles {
  serveApiDescription(router, platform.config);
  serveGuide(app);
  serveSecurityText(app, { ...platform, readLinks: () => readLinks(platform) });
  serveTermsPreview(router);
  return serveTerms(app, platform);
}

/** Registers the routes of what every page shows around its own content. */
export function servePageFrame(router: Router, platform: Platform): void {
  const { db } = platform;
  serveMessages(router, { db });
  serveServiceStatus(router, { db, readSettings: () => readPageSettings(platform) });
}

/** Serves the operator's terms of use, and those of the demo; returns those of the environment. */
function serveTerms(app: FastifyInstance, { config: { terms, isDemo }, db }: Platform): TermsFiles {
  if (isDemo) serveSampleTerms(app);
  const ownTexts = terms.folder === null ? {} : readTermsFolder(terms.folder);
  const readTexts = async () =>
    terms.variables.length > 0 ? ownTexts : ((await readCurrentTexts(db)) ?? {});
  serveOwnTerms(app, readTexts);
  return ownTexts;
}

/** The links of the pages: to the operator's terms, wherever they are; the demo has sample terms if there are none. */
function withTerms(
  { links, terms, isDemo, publicUrl }: Platform['config'],
  { source }: Pick<CurrentTerms, 'source'>,
): OwnLinks {
  if (terms.folder !== null || source === 'page')
    return { terms: ownTermsLink(publicUrl), ...links };
  return isDemo ? { terms: sampleTermsLink(publicUrl), ...links } : links;
}

/** The links of the pages, as they are now. */
async function readLinks({ db, config }: Platform): Promise<OwnLinks> {
  const terms = await readCurrentTerms(db, config.terms);
  return joinLinks(config, await readOwnSettings(db), terms);
}

/** The links that operators have set; the environment takes precedence. */
const joinLinks = (
  config: Platform['config'],
  own: OwnSettings,
  terms: Pick<CurrentTerms, 'source'>,
): OwnLinks => ({ ...linksOf(own), ...withTerms(config, terms) });

/** The configuration of the pages, with the terms that apply now. */
async function readPageSettings({ db, config }: Platform): Promise<PageSettings> {
  const terms = await readCurrentTerms(db, config.terms);
  const own = await readOwnSettings(db);
  const version = await readLogoVersion(db);
  const lines = own.get('companyLines');
  const isOwn = config.companyLines.length === 0 && Array.isArray(lines);
  return {
    ...config,
    terms,
    links: joinLinks(config, own, terms),
    companyLines: isOwn ? [...lines] : config.companyLines,
    productName: String(own.get('productName') ?? 'Recodery'),
    logo: version && pathOf(getInstallationLogo, { version }),
  };
}
