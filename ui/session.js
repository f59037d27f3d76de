// @ts-check
// Who is signed in: a token, shared by all tabs of this browser. A link can carry the token in its fragment, which
// browsers do not send. Events on the window: `signed-in` and `signed-out` (detail: the service's reason, if it
// refused the token).

const KEY = 'fieldbook.token';

/** Takes a token from the address, and removes it there. */
export function takeFromAddress() {
  const given = /^#token=([^&]+)/.exec(location.hash);
  if (!given) return;
  localStorage.setItem(KEY, decodeURIComponent(given[1] ?? ''));
  history.replaceState(null, '', `${location.pathname}#/`);
}

/** @returns {string | null} */
export function token() {
  return localStorage.getItem(KEY);
}

/** @param {string} text a sign-in code, or the sign-in link that contains it */
export function signIn(text) {
  const [, code = text] = /#token=([^&\s]+)/.exec(text) ?? [];
  localStorage.setItem(KEY, code.trim());
  dispatchEvent(new Event('signed-in'));
}

export function signOut() {
  localStorage.removeItem(KEY);
}

/**
 * Forgets a token that the service refused, unless another tab has a newer one.
 * @param {string} refused @param {string} why
 */
export function expire(refused, why) {
  if (token() !== refused) return;
  signOut();
  dispatchEvent(new CustomEvent('signed-out', { detail: why }));
}

// Another tab signed in or out.
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY) dispatchEvent(newValue ? new Event('signed-in') : new CustomEvent('signed-out'));
});

/** Returns the claims of the token. @returns {Record<string, any>} */
function claims() {
  try {
    const part = (token() ?? '').split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) ?? {};
  } catch {
    return {};
  }
}

/** Returns the id of the user in the token, if there is one. @returns {string | null} */
export function user() {
  const { userId, sub } = claims();
  const id = String(userId ?? sub ?? '').toLowerCase();
  return /^[0-9a-f]{24}$/.test(id) ? id : null;
}

/** Returns true if the token says that its user is an admin. @param {string} rolesClaim name of the claim with roles */
export function isAdmin(rolesClaim) {
  const roles = claims()[rolesClaim];
  return (Array.isArray(roles) ? roles : String(roles ?? '').split(' ')).includes('admin');
}

/** The name that the profile service has for the user. @type {{ of: string | null, name: string | null }} */
let profile = { of: null, name: null };

/** Keeps the user's name. Fires the event `named` on the window. @param {string} name */
export function learnName(name) {
  if (profile.of === user() && profile.name === name) return;
  profile = { of: user(), name };
  dispatchEvent(new Event('named'));
}

/** Returns the user's name or email address, from the token or a profile. @returns {string | null} */
export function userName() {
  const { name, email } = claims();
  const known = profile.of === user() ? profile.name : null;
  return [name, known, email].find((text) => typeof text === 'string' && text.trim() !== '') ?? null;
}
