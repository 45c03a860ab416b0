import { Migration } from '@mikro-orm/migrations';

/** Forecast scores by the time of their decision: each resolution looks for the newest ones. */
export class ForecastScoresDecided extends Migration {
  override up(): void {
    this.addSql('create index forecast_scores_decided on forecast_scores (decided_at)');
  }
}
