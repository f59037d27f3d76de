// A peer with Express and pg: resolves links, and reads, updates and lists investigations. Each update stores a version
// record. Uses a PostgreSQL with default settings.
"use strict";
const crypto = require("node:crypto");
const express = require("express");
const jwt = require("jsonwebtoken");
const { Pool } = require("pg");
const { changed, words } = require("../common");

const pool = new Pool({ connectionString: process.argv[2], max: 16 });
const app = express();
app.disable("x-powered-by");
app.use(express.json({ limit: "1mb" }));

const tables = `
  CREATE TABLE IF NOT EXISTS investigation (id TEXT PRIMARY KEY, curriculum TEXT, created_at BIGINT NOT NULL,
    version INT NOT NULL, content TEXT NOT NULL, words TSVECTOR NOT NULL);
  CREATE INDEX IF NOT EXISTS by_group ON investigation (curriculum, created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS by_words ON investigation USING gin (words);
  CREATE TABLE IF NOT EXISTS version (investigation TEXT NOT NULL, version INT NOT NULL, at BIGINT NOT NULL,
    changes TEXT NOT NULL, PRIMARY KEY (investigation, version));
  CREATE TABLE IF NOT EXISTS link (key TEXT NOT NULL, sub_link TEXT NOT NULL, investigation TEXT NOT NULL,
    visit_count BIGINT NOT NULL, PRIMARY KEY (key, sub_link));
`;
const shown = ({ id, version, content }) => ({ _id: id, ...JSON.parse(content), version });

function signedIn(request, response, next) {
  try {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    request.user = jwt.verify(token, process.env.SECRET, { algorithms: ["HS256"] });
    next();
  } catch {
    response.status(401).json({ success: false, message: "Invalid token" });
  }
}

app.get("/api/link/:key/:subLink", async (request, response) => {
  const { key, subLink } = request.params;
  const { rows } = await pool.query({
    name: "visit",
    text: "UPDATE link SET visit_count = visit_count + 1 WHERE key = $1 AND sub_link = $2 RETURNING investigation, visit_count",
    values: [key, subLink],
  });
  if (!rows.length) return response.status(404).json({ success: false, message: "Link not found" });
  const [found] = rows;
  response.json({ success: true, data: { investigationId: found.investigation, key, subLink, visitCount: Number(found.visit_count) } });
});
app.use(signedIn);
app.post("/api/investigation", async (request, response) => {
  const id = crypto.randomBytes(12).toString("hex");
  const content = request.body;
  await pool.query("INSERT INTO investigation VALUES ($1, $2, $3, 0, $4, to_tsvector('simple', $5))",
    [id, content.curriculum ?? null, Date.now(), JSON.stringify(content), words(content)]);
  response.status(201).json({ success: true, data: { _id: id, ...content, version: 0 } });
});
app.get("/api/investigation", async (request, response) => {
  const [limit, offset] = [Number(request.query.limit ?? 20), Number(request.query.offset ?? 0)];
  const [items, total] = await Promise.all([
    pool.query({ name: "list", text: "SELECT id, version, content FROM investigation ORDER BY curriculum, created_at DESC, id DESC LIMIT $1 OFFSET $2", values: [limit, offset] }),
    pool.query({ name: "total", text: "SELECT count(*)::int AS total FROM investigation" }),
  ]);
  response.json({ data: { items: items.rows.map(shown), pagination: { ...total.rows[0], limit, offset } } });
});
app.get("/api/investigation/:id", async (request, response) => {
  const { rows } = await pool.query({ name: "read", text: "SELECT id, version, content FROM investigation WHERE id = $1", values: [request.params.id] });
  if (!rows.length) return response.status(404).json({ success: false, message: "Investigation not found" });
  response.json({ success: true, data: shown(rows[0]) });
});
app.patch("/api/investigation/:id", async (request, response) => {
  const { id } = request.params;
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query({ name: "lock", text: "SELECT version, content FROM investigation WHERE id = $1 FOR UPDATE", values: [id] });
    if (!rows.length) {
      await client.query("ROLLBACK");
      return response.status(404).json({ success: false, message: "Investigation not found" });
    }
    const before = JSON.parse(rows[0].content);
    const after = { ...before, ...request.body };
    const version = rows[0].version + 1;
    await client.query({ name: "write", text: "UPDATE investigation SET curriculum = $1, version = $2, content = $3, words = to_tsvector('simple', $4) WHERE id = $5",
      values: [after.curriculum ?? null, version, JSON.stringify(after), words(after), id] });
    await client.query({ name: "record", text: "INSERT INTO version VALUES ($1, $2, $3, $4)", values: [id, version, Date.now(), JSON.stringify(changed(before, after))] });
    await client.query("COMMIT");
    response.json({ success: true, updatedInvestigation: { _id: id, ...after, version } });
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
});
app.post("/api/link/investigation/:id", async (request, response) => {
  const subLink = crypto.randomBytes(4).toString("hex");
  await pool.query("INSERT INTO link VALUES ($1, $2, $3, 0)", [request.body.key, subLink, request.params.id]);
  response.status(201).json({ success: true, data: { key: request.body.key, subLink } });
});

pool.query(tables).then(() => {
  const server = app.listen(0, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
});
