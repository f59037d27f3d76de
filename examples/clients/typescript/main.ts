// Creates, lists, updates, undoes and mends an investigation, and makes and visits a link to it, with generated types.
//   node main.js ADDRESS TOKEN
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Content = components["schemas"]["Content"];
type Investigation = components["schemas"]["Investigation"];

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`wrong: ${what}`);
}

/** Returns the data of an answer, or fails with the error that the service gave. */
function ok<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status} ${response.url}: ${JSON.stringify(error)}`);
  return data;
}

const [baseUrl, token] = process.argv.slice(2);
check(baseUrl !== undefined && token !== undefined, "node main.js ADDRESS TOKEN");
const { DELETE, GET, PATCH, POST } = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const content: Content = {
  title: "Cress in TypeScript",
  grade: 5,
  durationMinutes: 40,
  materials: [{ name: "cress seeds", quantity: 20 }],
  steps: [
    { text: "Sow the cress", minutes: 30 },
    { text: "Water it", minutes: 20 },
  ],
  station: { room: "B12" }, // a field that the schema does not name
};
const created = await POST("/api/investigation", { body: content });
const investigation: Investigation = ok(created).data;
const path = { id: investigation._id };
check(created.response.headers.get("Location") === `/api/investigation/${path.id}`, "Location");
const title: string | undefined = investigation.title;
check(title === content.title, "the title");
check(investigation.steps?.[1]?.minutes === 20, "the steps");
check(JSON.stringify(investigation["station"]) === '{"room":"B12"}', "a field of its own");
check(investigation.status === "draft_incomplete", "the status");
check(investigation.contradictions[0]?.fieldName === "durationMinutes", "the contradiction");

// What the service gave can be sent back.
const again = ok(await POST("/api/investigation", { body: investigation })).data;
check(again._id !== path.id && again.title === title && again.author.id === investigation.author.id, "the second one");
ok(await DELETE("/api/investigation/{id}", { params: { path: { id: again._id } } }));

const list = ok(
  await GET("/api/investigation", {
    params: { query: { status: ["draft_incomplete", "published"], fields: ["title", "grade"], limit: 100 } },
  }),
);
const row = list.data.items.find((item) => item._id === path.id);
check(row !== undefined && row.title === title && row.steps === undefined, "the row");
check(row.revision === investigation.revision, "the revision of the row");

const ifMatch = created.response.headers.get("ETag");
check(ifMatch !== null, "ETag");
const body = { title: "Garden cress", groupSize: 2, grade: null };
const updated = ok(await PATCH("/api/investigation/{id}", { params: { path, header: { "If-Match": ifMatch } }, body }));
check(updated.updatedInvestigation.title === "Garden cress", "the new title");
check(updated.updatedInvestigation.grade === undefined, "the removed grade");

const { data: undone } = ok(await POST("/api/investigation/{id}/undo", { params: { path } }));
check(undone.title === title && undone.grade === 5 && undone.groupSize === undefined, "undo");
const { data: versions } = ok(await GET("/api/investigation/{id}/versions", { params: { path } }));
check(versions[0]?.kind === "update" && versions[0].undone, "the version");

const resolve = await POST("/api/investigation/{id}/resolve-contradiction", {
  params: { path },
  body: { fieldName: "durationMinutes" },
});
check(ok(resolve).data.investigation.contradictions.length === 0, "resolve");

const link = ok(
  await POST("/api/link/investigation/{id}", {
    params: { path },
    body: { key: "clients", description: "", shows: "handout" },
  }),
).data;
const name = { key: link.key, subLink: link.subLink };
const visit = ok(await GET("/api/link/{key}/{subLink}", { params: { path: name } }));
check(visit.data.investigationId === path.id && visit.data.visitCount === 1, "the visit");
const own = ok(await GET("/api/link", { params: { query: { limit: 1 } } }));
check(own.data[0]?._id === link._id, "the own link");

const failed = await GET("/api/link/{key}/{subLink}", { params: { path: { key: "clients", subLink: "none" } } });
check(failed.error?.code === "link_not_found", "the error code");
ok(await DELETE("/api/investigation/{id}", { params: { path } }));
console.log("typescript: all answers are right");
