/** A sentence about the environment's proxy for an address; empty without one. */
export function proxyOf(address: string): string {
  const environment = globalThis.process?.env ?? {};
  const valueOf = (name: string): readonly [string, string] | undefined =>
    [name, name.toUpperCase()].map((one) => [one, environment[one] ?? ''] as const).find(([, value]) => value !== '');
  const [variable = '', proxy = ''] = valueOf(`${address.split(':', 1)[0]?.toLowerCase()}_proxy`) ?? [];
  if (proxy === '') return '';
  const { host, hostname } = new URL(address);
  const [, bypass = ''] = valueOf('no_proxy') ?? [];
  const isBypassed = bypass.split(/[\s,]+/).some((entry) => {
    const own = entry.replace(/^\*?\./, '').toLowerCase();
    return entry === '*' || (own !== '' && [host, hostname].some((one) => `.${one}`.endsWith(`.${own}`)));
  });
  if (isBypassed) return '';
  const sentence = ` ${variable} names the proxy ${proxy.replace(/^.*(\/\/|@)|\/.*$/g, '')}.`;
  return environment['NODE_USE_ENV_PROXY'] === '1'
    ? sentence
    : `${sentence} Node uses it with NODE_USE_ENV_PROXY=1 alone.`;
}
