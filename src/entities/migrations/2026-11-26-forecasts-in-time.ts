import { Migration } from '@mikro-orm/migrations';

/** A forecast is recorded while its round runs, or never: one that was written afterwards would show nothing. */
export class ForecastsInTime extends Migration {
  override up(): void {
    this.addSql(`
      create function refuse_late_forecast() returns trigger language plpgsql as $$
      declare
        late record;
      begin
        select r.id, r.status into late from added a join rounds r on r.id = a.round_id where r.status <> 'active' limit 1;
        if late.id is not null then
          raise exception 'round % is %: its forecast can be recorded no more', late.id, late.status
            using errcode = 'check_violation', constraint = 'round_forecasts_in_time', table = 'round_forecasts';
        end if;
        return null;
      end
      $$;
      create trigger round_forecasts_in_time after insert on round_forecasts
        referencing new table as added for each statement execute function refuse_late_forecast()`);
  }
}
