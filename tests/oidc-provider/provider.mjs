// An identity provider that was not written here: oidc-provider, with a page of its own for each step. Any name signs in.
// Makes keys at its start, prints its address, and ends when its input ends.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider, interactionPolicy } from 'oidc-provider';

const [start, port] = process.argv.slice(-3).map(Number);
/** Whether it asks for the account and puts all claims into the ID token, which it does not do by default. */
const isHelpful = process.argv.at(-1) === 'helpful';

// The clock of the tests starts at a fixed time.
const now = Date.now;
const shift = start - now();
Date.now = () => now() + shift;
/** Tests let the clock of the service go on by hours. In seconds, such as those of all times that follow. */
const LONG = 10 * 365 * 24 * 60 * 60;

/** What the provider says about each of its people. */
const PEOPLE = {
  ada: { name: 'Ada Lovelace', email: 'ada@school.example', email_verified: true, groups: ['teachers'] },
  ben: { name: 'Ben', email: 'ben@school.example', email_verified: false, groups: ['pupils'] },
};

// The generated key itself cannot be exported safely: Node holds its lock then, and waits for it if it collects the
// garbage of the generation in the meantime.
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

/** Shows the page on which people choose an account, which oidc-provider leaves to others. */
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
