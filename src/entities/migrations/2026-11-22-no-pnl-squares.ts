import { Migration } from '@mikro-orm/migrations';

import { PERIODS } from '../../rules/windows.ts';

/** Nothing reads the squares of P&L: the interval of a total follows from the rounds of those who are shown. */
export class NoPnlSquares extends Migration {
  override up(): void {
    this.addSql(`alter table standings ${DROPPED}`);
  }
}

const DROPPED = PERIODS.map((period) => `drop column ${period}_pnl_square_sum`).join(', ');
