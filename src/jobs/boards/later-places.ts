import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import { DEFAULT_ORDER } from '../../rules/board-orders.ts';
import { SUMS } from '../../rules/sums.ts';
import { PERIODS } from '../../rules/windows.ts';

/** The agents after the first 100 of a window's board by points, none of other boards: no index of standings has their order. */
export const LATER_PLACES: RawBuilder<number[]> =
  sql`case when order_by = ${DEFAULT_ORDER} and min_rounds = 0 then case period ${sql.join(
    PERIODS.map((period) => {
      const sum = (name: keyof typeof SUMS) => sql.ref(`${period}_${SUMS[name].column}`);
      return sql`when ${period} then array(select agent_id from standings where ${sum('competitions')} > 0
      order by ${sum('points')} desc, ${sum('wins')} desc, agent_id offset ${PAGE_SIZES.leaderboard.max})`;
    }),
    sql` `,
  )} end else '{}' end`;
