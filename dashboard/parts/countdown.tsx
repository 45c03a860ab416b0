import { useEffect, useState } from 'preact/hooks';

import { remaining } from '../figures.ts';
import { useTitle } from '../navigation.ts';
import { useSession } from '../session.ts';

const SECOND = 1000;
/** A fast clock's seconds are too short to show one by one. */
const SHORTEST_TICK_MS = 100;

/** Updates each second of the service's time, or each `step` of it in milliseconds. */
export function useNow(step = 1): number {
  const { clock } = useSession();
  const [now, setNow] = useState(clock.now() - (clock.now() % step));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      const present = clock.now();
      setNow(present - (present % step));
      const toNextSecond = (SECOND - (present % SECOND)) / clock.speed();
      timer = setTimeout(tick, Math.max(SHORTEST_TICK_MS, toNextSecond));
    };
    tick();
    return () => clearTimeout(timer);
  }, [clock]);
  return now;
}

interface TabTitleProps {
  /** Empty without a countdown. */
  readonly to: string;
  /** Null while there is none to show. */
  readonly outcome: string | null | undefined;
  readonly title: string;
}

/** Titles the tab with outcome and countdown, such as `YES · 58:12 · Hourcast`. */
export function TabTitle({ to, outcome, title }: TabTitleProps) {
  const left = Date.parse(to) - useNow();
  useTitle([outcome, left > 0 && remaining(left), title].filter(Boolean).join(' · '));
  return null;
}

const LABELS: Readonly<Record<string, string>> = {
  upcoming: 'until it opens',
  active: 'left to answer',
  resolving: 'being decided',
};

interface CountdownProps {
  readonly round: { readonly status: string; readonly startTime: string; readonly endTime: string };
}

/** The time until a round opens or ends; an ended one has its state alone. */
export function Countdown({ round: { status, startTime, endTime } }: CountdownProps) {
  const left = Date.parse(status === 'upcoming' ? startTime : endTime) - useNow();
  const label = LABELS[status];
  return (
    <p class="countdown">
      <span class="label">{label ?? status}</span>
      {label && (
        <span class="digits" role="timer">
          {remaining(left)}
        </span>
      )}
    </p>
  );
}
