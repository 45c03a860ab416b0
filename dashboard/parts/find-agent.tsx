/** The page's heading, and a field that leads to the agents whose name begins so: the browser sends it, also without scripts. */
export function FindAgent({ title, usual }: { readonly title: string; readonly usual?: string | null | undefined }) {
  return (
    <form class="finding" role="search" action="/agents">
      <h1>{title}</h1>
      <input
        name="name"
        aria-label="Find agents whose name begins with"
        placeholder="Agent’s name"
        defaultValue={usual ?? ''}
      />
      <button type="submit">Find</button>
    </form>
  );
}
