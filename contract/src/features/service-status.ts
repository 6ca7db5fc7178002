/** Requests of the page outside the workflow: configuration, and whether the engine is available. */
import * as z from 'zod/mini';
import { file, htmlPage, json, route } from '../api.ts';

/** Polling intervals for the service status in milliseconds: while the service is available, and while it is not. */
export const statusPolling = { available: 60_000, unavailable: 15_000 } as const;

export const config = z.object({
  productName: z.string(),
  version: z.string(),
  signInURL: z.string(),
  maxFileBytes: z.number(),
  /**
   * Whether a mail server is configured. Without one, emails stay in the portal's outbox. A portal of an earlier version
   * does not say.
   */
  sendsEmail: z.optional(z.boolean()),
  /** Addresses in the reader's language; empty where the operator has not set one. */
  links: z.object({
    dealer: z.string(),
    dashboard: z.string(),
    userGuide: z.record(z.string(), z.string()),
    privacy: z.string(),
    cookies: z.string(),
    terms: z.string(),
    legal: z.string(),
    support: z.string(),
  }),
  companyLines: z.array(z.string()),
  /** The path of the installation's logo, if the operator has set one. */
  logo: z.optional(z.string()),
  /** The terms of use: their current version, and the articles that need express acceptance. */
  terms: z.object({ version: z.string(), articles: z.array(z.string()) }),
});
export type PageConfig = z.infer<typeof config>;

export const getConfig = route('GET', '/api/config', {
  summary: 'Returns the public configuration that the pages need before sign-in.',
  access: 'public',
  answer: json(config),
  refusals: [],
});

export const getInstallationLogo = route('GET', '/api/logo/{version}', {
  summary:
    'Returns the logo of the installation. The version changes with the image, so clients can cache it permanently.',
  access: 'public',
  params: z.object({ version: z.string() }),
  answer: file('image/*'),
  refusals: ['NOT_FOUND'],
});

export const serviceStatus = z.object({ statusCode: z.union([z.literal(200), z.literal(503)]) });
export type ServiceStatus = z.infer<typeof serviceStatus>;

export const getServiceStatus = route('GET', '/api/maestro-checkup/status', {
  summary:
    'Returns whether files can be decoded and encoded: statusCode is 200 if a worker has reported in the last 15 s and maintenance is off, otherwise 503.',
  access: 'session',
  answer: json(serviceStatus),
  refusals: ['API_ERROR_UNAUTHORIZED'],
});

export const getOpenApi = route('GET', '/api/openapi.json', {
  summary: 'Returns the OpenAPI document of this API.',
  access: 'public',
  answer: json(z.record(z.string(), z.unknown())),
  refusals: [],
});

export const getEncodingApiDocument = route('GET', '/api/encoding-api.json', {
  summary: 'Returns the OpenAPI document of the Encoding API, which has its own base URL.',
  access: 'public',
  answer: json(z.record(z.string(), z.unknown())),
  refusals: [],
});

export const getApiPage = route('GET', '/api/docs', {
  summary: 'Returns the API documentation as a web page.',
  access: 'public',
  answer: htmlPage,
  refusals: [],
});
