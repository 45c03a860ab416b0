/** What the suites use of jstat, which comes without types. */
declare module 'jstat' {
  interface Distribution {
    cdf(value: number, ...parameters: number[]): number;
    inv(probability: number, ...parameters: number[]): number;
  }
  interface Discrete {
    pdf(value: number, n: number, p: number): number;
    cdf(value: number, n: number, p: number): number;
  }
  const jstat: {
    readonly normal: Distribution;
    readonly studentt: Distribution;
    readonly poisson: { cdf(value: number, mean: number): number };
    readonly binomial: Discrete;
  };
  export default jstat;
}
