// A peer with Fastify and better-sqlite3: resolves links, and reads, updates and lists investigations. Each update stores
// a version record. Has the same durability as Fieldbook: a write-ahead log, synchronous=FULL, and one commit before each
// response.
"use strict";
const path = require("node:path");
const crypto = require("node:crypto");
const Database = require("better-sqlite3");
const { changed, words } = require("../common");

const db = new Database(path.join(process.argv[2], "peer.db"));
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.pragma("foreign_keys = ON");
db.exec(`
  CREATE TABLE IF NOT EXISTS investigation (id TEXT PRIMARY KEY, curriculum TEXT, created_at INTEGER NOT NULL,
    version INTEGER NOT NULL, content TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS by_group ON investigation (curriculum, created_at DESC, id DESC);
  CREATE TABLE IF NOT EXISTS version (investigation TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
    changes TEXT NOT NULL, PRIMARY KEY (investigation, version)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS link (key TEXT NOT NULL, sub_link TEXT NOT NULL, investigation TEXT NOT NULL,
    visit_count INTEGER NOT NULL, PRIMARY KEY (key, sub_link)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (id UNINDEXED, words);
`);
const sql = {
  insert: db.prepare("INSERT INTO investigation VALUES (?, ?, ?, 0, ?)"),
  read: db.prepare("SELECT version, content FROM investigation WHERE id = ?"),
  write: db.prepare("UPDATE investigation SET curriculum = ?, version = ?, content = ? WHERE id = ?"),
  record: db.prepare("INSERT INTO version VALUES (?, ?, ?, ?)"),
  index: db.prepare("INSERT INTO search (id, words) VALUES (?, ?)"),
  found: db.prepare("SELECT rowid FROM search WHERE id = ?"),
  reindex: db.prepare("UPDATE search SET words = ? WHERE id = ?"),
  list: db.prepare("SELECT id, version, content FROM investigation ORDER BY curriculum, created_at DESC, id DESC LIMIT ? OFFSET ?"),
  total: db.prepare("SELECT count(*) AS total FROM investigation"),
  link: db.prepare("INSERT INTO link VALUES (?, ?, ?, 0)"),
  visit: db.prepare("UPDATE link SET visit_count = visit_count + 1 WHERE key = ? AND sub_link = ? RETURNING investigation, visit_count"),
};
const create = db.transaction((id, content) => {
  sql.insert.run(id, content.curriculum ?? null, Date.now(), JSON.stringify(content));
  sql.index.run(id, words(content));
});
const update = db.transaction((id, patch) => {
  const row = sql.read.get(id);
  if (!row) return null;
  const before = JSON.parse(row.content);
  const after = { ...before, ...patch };
  const version = row.version + 1;
  sql.write.run(after.curriculum ?? null, version, JSON.stringify(after), id);
  sql.record.run(id, version, Date.now(), JSON.stringify(changed(before, after)));
  sql.reindex.run(words(after), id);
  return { _id: id, ...after, version };
});

const app = require("fastify")({ bodyLimit: 1 << 20 });
app.register(require("@fastify/jwt"), { secret: process.env.SECRET });
const signedIn = { onRequest: (request) => request.jwtVerify() };
const schema = { body: { type: "object", properties: { title: { type: "string" }, phenomenon: { type: "string" } } } };
const shown = ({ id, version, content }) => ({ _id: id, ...JSON.parse(content), version });

app.get("/api/link/:key/:subLink", (request, reply) => {
  const { key, subLink } = request.params;
  const found = sql.visit.get(key, subLink);
  if (!found) return reply.code(404).send({ success: false, message: "Link not found" });
  return { success: true, data: { investigationId: found.investigation, key, subLink, visitCount: found.visit_count } };
});
app.register(async (app) => {
  app.addHook("onRequest", signedIn.onRequest);
  app.post("/api/investigation", { schema }, (request, reply) => {
    const id = crypto.randomBytes(12).toString("hex");
    create(id, request.body);
    return reply.code(201).send({ success: true, data: { _id: id, ...request.body, version: 0 } });
  });
  app.get("/api/investigation", (request) => {
    const [limit, offset] = [Number(request.query.limit ?? 20), Number(request.query.offset ?? 0)];
    return { data: { items: sql.list.all(limit, offset).map(shown), pagination: { ...sql.total.get(), limit, offset } } };
  });
  app.get("/api/investigation/:id", (request, reply) => {
    const row = sql.read.get(request.params.id);
    if (!row) return reply.code(404).send({ success: false, message: "Investigation not found" });
    return { success: true, data: shown({ id: request.params.id, ...row }) };
  });
  app.patch("/api/investigation/:id", { schema }, (request, reply) => {
    const updated = update(request.params.id, request.body);
    if (!updated) return reply.code(404).send({ success: false, message: "Investigation not found" });
    return { success: true, updatedInvestigation: updated };
  });
  app.post("/api/link/investigation/:id", (request, reply) => {
    const subLink = crypto.randomBytes(4).toString("hex");
    sql.link.run(request.body.key, subLink, request.params.id);
    return reply.code(201).send({ success: true, data: { key: request.body.key, subLink } });
  });
});
app.listen({ host: "127.0.0.1", port: 0 }).then((address) => console.log(`listening on ${address}`));
