// Counts the work of a function with the counters of the JavaScript engine, so that tests of cost read no clock. Must
// be imported before the modules whose work is counted.

import { Session } from 'node:inspector';

const session = new Session();
session.connect();
/** Sends a command to the engine, which answers before the call returns. */
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
