// @ts-check
// Visits per day, as a bar chart and as a table.

import { call } from '../core/api.js';
import { el, svg } from '../core/dom.js';
import { path } from './link_address.js';
import { failed } from '../core/standing.js';
import { counted } from '../text/words.js';

/** Maximum number of days that are drawn. Earlier days are left out. */
const DAYS = 42;
const [WIDTH, HEIGHT] = [420, 96];
const DAY_MS = 86_400_000;
/** Maximum number of days with a label. */
const LABELS = 6;
/** How the label of a day is written. @type {Intl.DateTimeFormatOptions} */
const DAY_NAME = { day: 'numeric', month: 'short', timeZone: 'UTC' };

/** @param {{ key: string, subLink: string }} link @param {HTMLElement} place @param {AbortSignal} signal */
export async function visitsOf(link, place, signal) {
  place.replaceChildren(el('p', { class: 'muted' }, 'Loading …'));
  try {
    const { data } = await call('GET', path(link, '/visits'), { signal });
    place.replaceChildren(
      ...(data.days.length === 0
        ? [el('p', { class: 'muted' }, 'No visits yet. Each time the link is opened counts as one.')]
        : [bars(data.days), table(data.days)]),
    );
  } catch (error) {
    place.replaceChildren(failed(error, () => visitsOf(link, place, signal)));
  }
}

/**
 * Returns every day that is drawn, including days without a visit.
 * @param {{ day: string, count: number }[]} days
 */
function everyDay(days) {
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const last = Date.parse(days.at(-1)?.day ?? '');
  const first = Math.max(Date.parse(days[0]?.day ?? ''), last - (DAYS - 1) * DAY_MS);
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, i) => {
    const day = new Date(first + i * DAY_MS).toISOString().slice(0, 10);
    return { day, count: counts.get(day) ?? 0 };
  });
}

/** @param {{ day: string, count: number }[]} days */
function bars(days) {
  const all = everyDay(days);
  const most = Math.max(...all.map(({ count }) => count));
  const step = Math.min(28, WIDTH / all.length);
  const shown = all.map(({ day, count }, i) => {
    const height = (count / most) * HEIGHT;
    return svg(
      'rect',
      {
        x: (i * step + step * 0.15).toFixed(1),
        y: (HEIGHT - height).toFixed(1),
        width: (step * 0.7).toFixed(1),
        height: height.toFixed(1),
        rx: 1.5,
      },
      svg('title', {}, `${day}: ${counted(count, 'visit')}`),
    );
  });
  const [from, to] = [all[0]?.day, all.at(-1)?.day];
  const busiest = all.reduce((a, b) => (b.count > a.count ? b : a));
  return svg(
    'svg',
    {
      viewBox: `0 -4 ${WIDTH} ${HEIGHT + 24}`,
      role: 'img',
      'aria-label': `Visits from ${from} to ${to}; most on ${busiest.day}, ${counted(busiest.count, 'visit')}`,
    },
    svg('line', { x1: 0, y1: HEIGHT + 0.5, x2: WIDTH, y2: HEIGHT + 0.5 }),
    shown,
    all.map(({ day }, i) => {
      if (i % Math.ceil(all.length / LABELS) !== 0) return null;
      const middle = (i * step + step / 2).toFixed(1);
      return svg(
        'text',
        { x: middle, y: HEIGHT + 16, 'text-anchor': all.length > 1 && i === 0 ? 'start' : 'middle' },
        new Date(day).toLocaleDateString(undefined, DAY_NAME),
      );
    }),
  );
}

/** @param {{ day: string, count: number }[]} days */
function table(days) {
  return el(
    'details',
    {},
    el('summary', {}, 'As a table'),
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Day'), el('th', { scope: 'col' }, 'Visits'))),
      el(
        'tbody',
        {},
        [...days].reverse().map(({ day, count }) => el('tr', {}, el('td', {}, day), el('td', {}, count))),
      ),
    ),
  );
}
