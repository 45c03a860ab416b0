import type { Client } from 'pg';

/** Agent n is `agent-n` with the key `benchKey(n)`, and has answered nothing. */
export async function insertAgents(
  client: Pick<Client, 'query'>,
  { first, last }: { readonly first: number; readonly last: number },
  registeredAt = new Date(),
): Promise<void> {
  await client.query(
    `insert into agents (name, name_key, mode, key_hash, registered_at)
     select 'agent-' || n, 'agent-' || n, 'compete',
       encode(sha256(convert_to('pk_live_' || lpad(to_hex(n), 48, '0'), 'UTF8')), 'hex'), $3
     from generate_series($1::int, $2::int) n order by n`,
    [first, last, registeredAt],
  );
}
