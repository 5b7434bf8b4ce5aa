/** Where in object storage the submissions live, as `STORAGE_URL` says it. */
export interface Place {
  readonly bucket: string;
  /** Before every key; empty, or ending in a slash. */
  readonly prefix: string;
  /** The bucket's name is part of the path and not of the host: what most servers other than AWS want. */
  readonly pathStyle: boolean;
}

/** Reads `s3://bucket/prefix`, with `?path-style` where the server wants the bucket in the path. */
export function readPlace(storageUrl: string): Place {
  const { hostname, pathname, searchParams } = new URL(storageUrl);
  const folders = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  return { bucket: hostname, prefix: folders.map((folder) => `${folder}/`).join(''), pathStyle: searchParams.has('path-style') };
}
