/** Reads the address of an S3-compatible store: `s3://bucket/prefix?endpoint=https://…&region=…`. */

/** The store, bucket and prefix of our objects. */
export interface S3Address {
  readonly bucket: string;
  /** The prefix of every object's name: empty, or with a trailing slash. */
  readonly prefix: string;
  /** null: Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** Stores without regions accept any; this is the name that most of them document. */
const defaultRegion = 'us-east-1';
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/;
const prefixPart = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** The address, or the problem with it, as the rest of "RECODERY_STORAGE_URL …". */
export function readS3Address(value: string): S3Address | string {
  if (!value.startsWith('s3://') || !URL.canParse(value)) {
    return 'must name a bucket, such as s3://bucket/prefix?endpoint=…';
  }
  const url = new URL(value);
  if (!bucketName.test(url.host))
    return 'must name a bucket, such as s3://bucket/prefix?endpoint=…';
  // A key in a URL would appear in logs and process lists.
  if (url.username !== '') {
    return 'must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
  }
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (!parts.every((part) => prefixPart.test(part))) {
    return 'must have a prefix whose parts contain only letters, digits, ".", "_" and "-", and do not start with "."';
  }
  const known = ['endpoint', 'region'];
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `does not support the parameter ${unknown}; use only endpoint and region`;
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !(URL.canParse(endpoint) && /^https?:\/\//.test(endpoint))) {
    return 'must have an endpoint such as https://s3.example.org';
  }
  return {
    bucket: url.host,
    prefix: parts.map((part) => `${part}/`).join(''),
    endpoint,
    region: url.searchParams.get('region') ?? defaultRegion,
  };
}
