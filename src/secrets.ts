import type { Config } from './config.ts';

/** The settings that nobody may read in a log, as they are used and as they stand in an address. */
export function secretsOf({ adminToken, keyPepper, databaseUrl, redis }: Config): readonly string[] {
  return [
    adminToken,
    keyPepper,
    ...passwordsIn(databaseUrl),
    ...(redis === null ? [] : [redis.password, redis.sentinelPassword]),
  ].filter((secret) => secret !== undefined);
}

/** PostgreSQL takes one before the host, or as a parameter. */
function passwordsIn(address: string | undefined): string[] {
  const written = [/^\w+:\/\/[^:@/]*:([^@]*)@/, /[?&](?:ssl)?password=([^&]*)/].flatMap(
    (place) => place.exec(address ?? '')?.[1] ?? [],
  );
  return written.flatMap((text) => [text, decoded(text)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
