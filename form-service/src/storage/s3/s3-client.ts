import { S3Client } from '@aws-sdk/client-s3';
import type { StorageSettings } from '../../config/env.ts';
import type { Place } from './place.ts';

/** With two tries at each request, a visitor is told within seconds that nothing can be stored now; in milliseconds. */
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_500;
const TRIES = 2;

/** Means nothing to most servers, and is part of every signature. */
const DEFAULT_REGION = 'us-east-1';

/** The SDK would write lines of its own among ours; what fails is reported by who asked for it. */
const SILENCE = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Without keys in the settings the SDK looks where it always does: shared files, the role of the container or machine. */
export function clientFor(settings: StorageSettings, { pathStyle }: Place): S3Client {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = settings;
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  return new S3Client({
    region: settings.AWS_REGION ?? DEFAULT_REGION,
    forcePathStyle: pathStyle,
    maxAttempts: TRIES,
    logger: SILENCE,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
    // Servers other than AWS know no checksums in trailers; a résumé's digest is sent in a header.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(settings.AWS_ENDPOINT_URL_S3 !== undefined && { endpoint: settings.AWS_ENDPOINT_URL_S3 }),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) } }),
  });
}
