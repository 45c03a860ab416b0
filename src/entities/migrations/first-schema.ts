import { Migration } from '@mikro-orm/migrations';

import { AGENTS } from './first-schema/agents.ts';
import { COUNTS } from './first-schema/counts.ts';
import { PLATFORM } from './first-schema/platform.ts';
import { PREDICTIONS } from './first-schema/predictions.ts';
import { ROUNDS } from './first-schema/rounds.ts';
import { STANDINGS } from './first-schema/standings.ts';

/** Every table as version 0.3.0 has it. */
export class FirstSchema extends Migration {
  override up(): void {
    for (const part of [PLATFORM, AGENTS, ROUNDS, PREDICTIONS, STANDINGS, COUNTS]) this.addSql(part);
  }
}
