/** Initial congestion window (RFC 6928): ten segments of 1,460 bytes, less two TLS records. */
export const FIRST_ROUND_TRIP_BYTES = 14_600 - 2 * 22;

/** Maximum size of a page's headers over HTTP/1.1: 1,179 bytes in e2e/routing.spec.ts, rounded up. */
export const HEADER_BYTES = 1_180;
