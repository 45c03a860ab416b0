import type { ByAsset } from '../assets.ts';

/** The types whose threshold is a size in percent. */
type LevelType = 'threshold' | 'touch' | 'magnitude' | 'range';

/**
 * Thresholds in percent for hours without history: the figures that `Level.below` gives over all hours from May 2021 to
 * March 2023 (Binance spot), rounded as thresholds are.
 */
export const USUAL_PCT: Readonly<Record<LevelType, ByAsset<string>>> = {
  threshold: {
    BTC: '0.059',
    ETH: '0.078',
    SOL: '0.13',
    AVAX: '0.12',
    DOGE: '0.095',
    ADA: '0.1',
    LINK: '0.12',
    DOT: '0.12',
  },
  touch: { BTC: '0.33', ETH: '0.42', SOL: '0.66', AVAX: '0.65', DOGE: '0.51', ADA: '0.5', LINK: '0.59', DOT: '0.56' },
  magnitude: {
    BTC: '0.29',
    ETH: '0.38',
    SOL: '0.62',
    AVAX: '0.63',
    DOGE: '0.47',
    ADA: '0.48',
    LINK: '0.56',
    DOT: '0.53',
  },
  range: { BTC: '0.58', ETH: '0.76', SOL: '1.2', AVAX: '1.2', DOGE: '0.91', ADA: '0.9', LINK: '1', DOT: '1' },
};

/** The n of `breadth` without history. */
export const USUAL_BREADTH = 4;
