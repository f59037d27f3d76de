// @ts-check
// Waits until a mouse button is up.

/** True while a mouse button is down. */
let pressing = false;
addEventListener('mousedown', () => void (pressing = true), { capture: true });
addEventListener('mouseup', () => void (pressing = false), { capture: true });

/** Runs `act` once no mouse button is down, so that what is clicked does not move away. @param {() => void} act */
export function afterPress(act) {
  if (pressing) addEventListener('mouseup', () => setTimeout(act), { capture: true, once: true });
  else act();
}
