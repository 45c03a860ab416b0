import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A window of resolved rounds, counted back from the newest resolved round's end. */
export type Period =
  /** The last 24 hours. */
  | 'daily'
  /** The last 7 days. */
  | 'weekly'
  /** The last 30 days. */
  | 'monthly'
  /** Every resolved round. */
  | 'alltime';

export type ModelsQueryVariables = Exact<{
  period: Period;
}>;


export type ModelsQuery = { readonly models: ReadonlyArray<{ readonly model: string, readonly n: number, readonly hitRate: { readonly mean: number }, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null }> };

export const Models = "query Models($period:Period!){models(period:$period){model n hitRate{mean}edge{mean low high}}}" as Document<ModelsQuery, ModelsQueryVariables>;
