import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Round } from '../entities/round.ts';
import { rows } from '../reads/sql.ts';
import type { Asset } from '../rules/assets.ts';
import type { GridQuote, RoundQuotes } from '../rules/grid.ts';
import type { DecidableQuestion } from '../rules/questions/deciding.ts';

/** A round, and which of its grid points are meant. */
export interface GridPoints {
  readonly roundId: number;
  readonly points: readonly number[];
}

/** The stored evidence of a round's references, with the quotes of the requested points and the open. */
export interface RoundEvidence extends RoundQuotes, Pick<Round, 'startTime' | 'status' | 'source' | 'rulesVersion'> {
  readonly roundId: number;
  readonly question: DecidableQuestion;
}

interface EvidenceRow extends Omit<RoundEvidence, 'question' | 'quotes'>, DecidableQuestion {
  readonly assets: readonly Asset[];
  readonly quotes: readonly GridQuote[];
}

/** The evidence of these rounds by id, in one statement; unknown rounds are absent. */
export async function readEvidence(
  em: SqlEntityManager,
  wanted: readonly GridPoints[],
): Promise<ReadonlyMap<number, RoundEvidence>> {
  const found = await rows<EvidenceRow>(em)`
    select r.id as "roundId", r.start_time as "startTime", r.status, r.source,
      r.rules_version as "rulesVersion", r.question_type as "questionType", r.choices,
      json_build_object('subject', r.subject, 'operator', r.operator, 'thresholdPct', r.threshold_pct::text, 'n', r.n)
        as params,
      (select json_agg(t.asset order by t.position) from round_assets t where t.round_id = r.id) as assets,
      (select json_build_object('covariance', b.covariance, 'signBefore', b.sign_before)
        from reference_bases b where b.round_id = r.id) as basis,
      (select coalesce(json_agg(json_build_object('point', q.point, 'prices', q.prices, 'highs', q.highs, 'lows', q.lows)),
          '[]'::json)
        from round_quotes q where q.round_id = r.id and (q.point = 0 or q.point = any(a.points))) as quotes
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as a("roundId" int, points smallint[])
    join rounds r on r.id = a."roundId"`;
  return new Map(found.map((row) => [row.roundId, evidenceOf(row)]));
}

function evidenceOf({ questionType, choices, params, assets, quotes, ...round }: EvidenceRow): RoundEvidence {
  return {
    ...round,
    assets,
    question: { questionType, choices, assets, params },
    quotes: new Map(quotes.map((quote) => [quote.point, quote])),
  };
}
