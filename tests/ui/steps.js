// Counts the work of a function by the engine's own counters, so that a test of its cost reads no clock. To be imported
// before the modules whose work counts.

import { Session } from 'node:inspector';

const session = new Session();
session.connect();
/** Asks the engine, which answers at once. */
function ask(method, options) {
  let answer;
  session.post(`Profiler.${method}`, options, (_, result) => (answer = result));
  return answer;
}
ask('enable');
ask('startPreciseCoverage', { callCount: true, detailed: true });

/** Returns how many times blocks of code in `ui/text` ran. */
export function stepsOf(act) {
  ask('takePreciseCoverage');
  act();
  const scripts = ask('takePreciseCoverage').result.filter(({ url }) => url.includes('/ui/text/'));
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}
