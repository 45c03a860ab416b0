export type { CallOptions } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Budget } from './connection.ts';
export { HourcastError, type TransportCode } from './errors.ts';
export type { EventOptions } from './events.ts';
export type { Retry } from './patience.ts';
export type * from './reference.ts';
export { verify, type WebhookMessage } from './webhooks.ts';
