// A third-party identity provider: oidc-provider, with a separate page for each step. Any name signs in. Creates keys
// at its start, prints its address, and ends when its input ends.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider, interactionPolicy } from 'oidc-provider';

const [start, port] = process.argv.slice(-3).map(Number);
/** Whether the provider can ask for the account, and puts all claims into the ID token. By default, it does neither. */
const isHelpful = process.argv.at(-1) === 'helpful';

// The clock of the tests starts at a fixed time.
const now = Date.now;
const shift = start - now();
Date.now = () => now() + shift;
/** Lifetime of everything, in seconds. It is long, because tests advance the clock of the service by hours. */
const LONG = 10 * 365 * 24 * 60 * 60;

/** The claims about each person. */
const PEOPLE = {
  ada: { name: 'Ada Lovelace', email: 'ada@school.example', email_verified: true, groups: ['teachers'] },
  ben: { name: 'Ben', email: 'ben@school.example', email_verified: false, groups: ['pupils'] },
};

// Generates the key as PEM, because Node can deadlock when it exports a generated key object: the export holds a lock
// for which garbage collection of the generator may wait.
const generated = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = createPrivateKey(generated.privateKey).export({ format: 'jwk' });
const policy = interactionPolicy.base();
if (isHelpful) policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);

const server = createServer();
server.listen(port, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'fieldbook', client_secret: 'a secret: with/signs', redirect_uris: [`${issuer}/nowhere`] }],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !isHelpful,
    cookies: { keys: ['of this test alone'] },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...PEOPLE[accountId] }) }),
    interactions: { policy },
    jwks: { keys: [{ ...key, alg: 'RS256', use: 'sig' }] },
    ttl: { Grant: LONG, IdToken: LONG, Interaction: LONG, Session: LONG },
    pkce: { required: () => true },
  });
  // The service that signs in has another port in each test.
  provider.Client.prototype.redirectUriAllowed = (address) => {
    const { hostname, pathname } = new URL(address);
    return hostname === '127.0.0.1' && pathname === '/sign-in/callback';
  };
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (!(await choice(provider, request, response))) answer(request, response);
  });
  console.log(`listening on ${issuer}`);
});

/** Shows the page on which people choose an account, which oidc-provider does not include. */
async function choice(provider, request, response) {
  if (!/^\/interaction\/[^/]+$/.test(request.url)) return false;
  const details = await provider.interactionDetails(request, response).catch(() => null);
  if (details?.prompt.name !== 'select_account') return false;
  if (request.method === 'POST') {
    await provider.interactionFinished(request, response, { select_account: {} });
    return true;
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(
    `<title>Choose an account</title><form method="post"><input type="hidden" name="prompt" value="select_account">
     <button>Go on as ${details.session.accountId}</button></form>`,
  );
  return true;
}

process.stdin.resume().on('end', () => process.exit());
