import { useEffect, useState } from 'preact/hooks';

import { remaining } from '../figures.ts';
import { useSession } from '../session.ts';

const SECOND = 1000;
/** A fast clock's seconds are too short to show one by one. */
const SHORTEST_TICK_MS = 100;

/** Updates each second of the service's time. */
export function useNow(): number {
  const { clock } = useSession();
  const [now, setNow] = useState(clock.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      const present = clock.now();
      setNow(present);
      const toNextSecond = (SECOND - (present % SECOND)) / clock.speed();
      timer = setTimeout(tick, Math.max(SHORTEST_TICK_MS, toNextSecond));
    };
    tick();
    return () => clearTimeout(timer);
  }, [clock]);
  return now;
}

interface CountdownProps {
  readonly to: string;
  readonly label: string;
}

export function Countdown({ to, label }: CountdownProps) {
  const left = Date.parse(to) - useNow();
  return (
    <p class="countdown">
      <span class="label">{label}</span>
      <span class="digits" role="timer">
        {remaining(left)}
      </span>
    </p>
  );
}
