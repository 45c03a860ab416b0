interface ChoiceFacts {
  readonly setting: string | undefined;
  readonly stored: string | null;
  /** The operator allows a switch between real prices and others. */
  readonly switching: boolean;
  /** Live prices belong to the service's time, which may be elsewhere or faster. */
  readonly clockFits: boolean;
  /** Enough sources answer to decide rounds; needed only for a first start without a setting. */
  readonly sourcesAnswer: boolean;
}

type Choice =
  | { readonly kind: 'market'; readonly market: string; readonly why: string }
  | { readonly kind: 'refused'; readonly message: string };

export const LIVE = 'live';
const SIMULATED = 'simulated';

export function needsAnswers({
  setting,
  stored,
  clockFits,
}: Omit<ChoiceFacts, 'switching' | 'sourcesAnswer'>): boolean {
  return setting === undefined && stored === null && clockFits;
}

/** One board must not mix real prices with others (contract.md, `MARKET`), so a switch needs the operator's consent. */
export function chooseMarket(facts: ChoiceFacts): Choice {
  const choice = facts.setting === undefined ? choiceWithoutSetting(facts) : choiceBySetting(facts.setting, facts);
  const isInOtherTime = choice.kind === 'market' && choice.market === LIVE && !facts.clockFits;
  return isInOtherTime ? { kind: 'refused', message: OTHER_TIME } : choice;
}

const OTHER_TIME =
  "live prices need the real time, and this database's clock is elsewhere or runs at another speed. Use another database, " +
  'without CLOCK_START and CLOCK_SPEED';

function choiceWithoutSetting({ stored, clockFits, sourcesAnswer }: ChoiceFacts): Choice {
  if (stored !== null) {
    const why = 'it was chosen when this database was made';
    return { kind: 'market', market: stored, why: stored === LIVE || !clockFits ? why : why + FOR_REAL_PRICES };
  }
  if (!clockFits) return { kind: 'market', market: SIMULATED, why: 'the clock is not the real one' };
  return sourcesAnswer
    ? { kind: 'market', market: LIVE, why: 'the exchanges answer' }
    : { kind: 'market', market: SIMULATED, why: `too few exchanges answer${FOR_REAL_PRICES}` };
}

/** Without it an operator who was offline once would keep simulated prices and not see why. */
const FOR_REAL_PRICES =
  '. For real prices start with MARKET=live and MARKET_SWITCH=yes, or with MARKET=live on another database or DATA_DIR';

function choiceBySetting(setting: string, { stored, switching }: ChoiceFacts): Choice {
  const isSwitch = stored !== null && (stored === LIVE) !== (setting === LIVE);
  if (isSwitch && !switching) return { kind: 'refused', message: switchRefusal(stored, setting) };
  return { kind: 'market', market: setting, why: isSwitch ? 'MARKET_SWITCH is set' : 'MARKET is set to it' };
}

function switchRefusal(stored: string, setting: string): string {
  const [made, chosen] = setting === LIVE ? ['prices that are not real', 'live ones'] : ['live prices', 'others'];
  return (
    `this database was made on ${made} (${stored}) and cannot continue with ${chosen} (${setting}), because its standings ` +
    `would mix the two. Use another database, or set MARKET_SWITCH=yes to mix them anyway`
  );
}
