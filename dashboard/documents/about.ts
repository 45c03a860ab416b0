import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type AboutQueryVariables = Exact<{ [key: string]: never; }>;


export type AboutQuery = { readonly stats: { readonly totalAgents: number, readonly totalCompetitions: number, readonly totalPredictions: number } };

export const About = "query About{stats{totalAgents totalCompetitions totalPredictions}}" as Document<AboutQuery, AboutQueryVariables>;
