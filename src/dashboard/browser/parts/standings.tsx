import { useLater } from '../later.ts';
import { Loading } from './notes.tsx';

const load = () => import('./now-board.tsx');

/** The board beside the hour, whose code comes after the question is shown. */
export function Standings({ search }: { readonly search: string }) {
  const later = useLater(load);
  return (
    <section class="panel standings" aria-label="Board">
      {later ? <later.NowBoard search={search} /> : <Loading />}
    </section>
  );
}
