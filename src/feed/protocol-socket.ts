import { steadyMs } from '../clock.ts';
import { FEED_LIMITS } from '../limits.ts';
import { MINUTE } from '../rules/hours.ts';
import { giveMessage } from './client-message.ts';
import type { Peer } from './peer.ts';
import { CLOSE, notTaken, tooManyMessages } from './socket.ts';

export interface MessageDeps {
  /** Returns the seconds to wait if there were too many messages, else null. */
  readonly admitMessage: (address: string) => Promise<number | null>;
  readonly report: (error: unknown) => void;
}

type Take = (text: string) => Promise<void>;

const NORMAL = 1000;

const CONTROL_MESSAGE =
  /^\{(?:"id":"[^"\\]{1,100}",)?"type":"(?:ping|pong|complete)"(?:,"id":"[^"\\]{1,100}")?(?:,"payload":(?:null|\{\}))?\}$/;

/**
 * A peer as graphql-ws uses it. Messages are taken one after the other: each is counted before it is parsed, and waits for the
 * check of the key in `connection_init`.
 */
export class ProtocolSocket {
  private readonly peer: Peer;
  private readonly deps: MessageDeps;
  private before: Promise<void> = Promise.resolve();
  private waiting = 0;
  private minuteBegan = steadyMs();
  private controlMessages = 0;

  constructor(peer: Peer, deps: MessageDeps) {
    this.peer = peer;
    this.deps = deps;
  }

  get protocol(): string {
    return this.peer.protocol;
  }

  send(text: string): void {
    this.peer.send(text);
  }

  close(code = NORMAL, reason = ''): void {
    this.peer.close({ code, reason });
  }

  onMessage(take: Take): void {
    this.peer.onMessage((text) => this.queue(text, take));
  }

  private queue(text: string, take: Take): void {
    const { peer, deps } = this;
    this.waiting += 1;
    if (this.waiting === FEED_LIMITS.messagesWaiting) peer.pause();
    this.before = this.before
      .then(() => this.pass(text, take))
      .catch((error: unknown) => {
        deps.report(error);
        peer.close(CLOSE.fault);
      })
      .finally(() => {
        this.waiting -= 1;
        if (this.waiting === 0) peer.resume();
      });
  }

  private async pass(text: string, take: Take): Promise<void> {
    const { peer } = this;
    if (!peer.isOpen()) return;
    const retryAfter = this.isFree(text) ? null : await this.deps.admitMessage(peer.ip);
    if (retryAfter !== null) {
      peer.close(tooManyMessages(retryAfter));
      return;
    }
    await peer.connecting.catch(() => {});
    if (!peer.isOpen()) return;
    const refuse = (error: unknown): void => peer.close(notTaken(error));
    try {
      // Not awaited: it lasts as long as an operation.
      giveMessage(peer, text, take)?.catch(refuse);
    } catch (error) {
      refuse(error);
    }
  }

  /** Each socket may send some control messages a minute without counting. */
  private isFree(text: string): boolean {
    if (!CONTROL_MESSAGE.test(text)) return false;
    const now = steadyMs();
    if (now - this.minuteBegan >= MINUTE) {
      this.minuteBegan = now;
      this.controlMessages = 0;
    }
    this.controlMessages += 1;
    return this.controlMessages <= FEED_LIMITS.controlMessagesPerMinute;
  }
}
