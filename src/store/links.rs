//! Stores, reads, changes and deletes links. Their events get the current revision of the investigation, which these
//! writes do not change.

use std::collections::HashMap;

use super::addresses::{Addresses, Owners};
use super::dialect::Dialect;
use super::investigations::LIVE;
use super::readable::Table;
use super::shown::STATE;
use super::sql::{Columns, Row, Rows, Statement, list};
use super::{
    IdempotentAnswer, LinkChanged, LinkCreated, Reports, Stamp, Store, StoreError, VisitedLink, answers, investigations,
};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link, LinkOptions, MAX_LINKS};
use crate::domain::link_request::LinkChange;
use crate::domain::named::Named;
use crate::domain::page::{DayPosition, LinkPosition, OwnLinkPosition, Page, PageRequest};

const TABLE: Table = Table { name: "link", key: &["key", "sub_link"] };

pub(super) const DAYS: Table = Table { name: "link_day", key: &["link", "day"] };

/// The columns of a link that [`read`] reads. It also reads the id of the investigation, as `investigation`.
const COLUMNS: [&str; 12] = [
    "id",
    "key",
    "sub_link",
    "description",
    "creator",
    "created_at",
    "visit_count",
    "shows",
    "version",
    "expires_at",
    "max_visits",
    "archived",
];

impl Store {
    /// Stores a new link, and the events and audit entries in `reports`. Also stores `answer_for_repeats`, if given:
    /// the answer to later requests with the same idempotency key.
    pub async fn create_link(
        &self,
        link: Link,
        answer_for_repeats: Option<IdempotentAnswer>,
        reports: Reports,
    ) -> Result<LinkCreated, StoreError> {
        let dialect = self.dialect();
        let investigation = link.investigation_id;
        let mut statements = answer_for_repeats.as_ref().map_or_else(Vec::new, |answer| answer.keep(dialect));
        // The investigation is locked, so that its links are numbered in the order in which they are committed.
        statements.push(investigations::lock(investigation, dialect).expect(1));
        let addresses = Addresses::of([&link]);
        let displace = addresses.displace(dialect);
        let mut rest = vec![insert(&link, false)];
        rest.extend(reports.statements(investigation, None, link.created_at)?);
        let mut reads = vec![investigations::state(investigation), addresses.owners(dialect), number(investigation)];
        reads.extend(answer_for_repeats.iter().map(IdempotentAnswer::find_earlier));
        let shown = link.options.version;
        self.write("create_link", reads, move |rows: &[Rows]| {
            if let Some(earlier) = rows.get(3).map(answers::stored).transpose()?.flatten() {
                return Ok((Vec::new(), LinkCreated::KeyUsed(earlier)));
            }
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), LinkCreated::NoInvestigation)) };
            let latest = found.count("latest_version")?;
            if shown.is_some_and(|version| version > latest) {
                return Ok((Vec::new(), LinkCreated::NoVersion));
            }
            if rows[2].first().map_or(Ok(0), |row| row.count("count"))? >= MAX_LINKS {
                return Ok((Vec::new(), LinkCreated::Full));
            }
            let owners = Owners::read(&rows[1])?;
            if !owners.live.is_empty() {
                return Ok((Vec::new(), LinkCreated::Taken));
            }
            let displace = owners.are_deleted().then(|| displace.clone());
            let statements = statements.iter().cloned().chain(displace).chain(rest.iter().cloned());
            Ok((statements.collect(), LinkCreated::Done))
        })
        .await
    }

    /// Returns a page of the links of an investigation, oldest first; `None` if the investigation does not exist.
    pub async fn links(
        &self,
        investigation: ObjectId,
        wanted: PageRequest<LinkPosition>,
    ) -> Result<Option<Page<Link, LinkPosition>>, StoreError> {
        // A position contains the number and the id of a link, because an engine may give the number of a
        // deleted link to a new link.
        let (number, id) = wanted.after.map_or((0, String::new()), |after| (after.number, after.id.to_string()));
        let page =
            selection(LIVE, "l.n, ", "i.id = $investigation AND l.n >= $number AND (l.n, l.id) > ($number, $id)")
                .then("ORDER BY l.n LIMIT $limit")
                .with("investigation", investigation)
                .with("number", number)
                .with("id", id);
        let entry = |row: &Row| {
            let link = read(row)?;
            Ok((LinkPosition::of(&link, row.integer("n")?), link))
        };
        let known = Some(investigations::exists(investigation));
        let (known, entries) = self.listed_of(known, TABLE, page, wanted.limit + 1, entry).await?;
        Ok((!known.is_empty()).then(|| Page::up_to(entries, wanted.limit)))
    }

    /// Returns a page of the links that a user created, newest first.
    pub async fn links_of(
        &self,
        creator: ObjectId,
        wanted: PageRequest<OwnLinkPosition>,
    ) -> Result<Page<Link, OwnLinkPosition>, StoreError> {
        let (created_at, id) =
            wanted.after.map_or((i64::MAX, String::new()), |after| (after.created_at.0, after.id.to_string()));
        let page = selection(LIVE, "", "l.creator = $creator AND (l.created_at, l.id) < ($created_at, $id)")
            .then("ORDER BY l.created_at DESC, l.id DESC LIMIT $limit")
            .with("creator", creator)
            .with("created_at", created_at)
            .with("id", id);
        let entry = |row: &Row| read(row).map(|link| (OwnLinkPosition::from(&link), link));
        Ok(Page::up_to(self.listed(TABLE, page, wanted.limit + 1, entry).await?, wanted.limit))
    }

    /// Returns a link without counting a visit; `None` if the link does not exist.
    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        self.get(find(&key, &sub_link)).await?.first().map(read).transpose()
    }

    /// Changes a link, and stores the events and audit entries about the change. If `checked` is given, changes only
    /// the link with this id.
    pub async fn change_link(
        &self,
        key: String,
        sub_link: String,
        checked: Option<ObjectId>,
        change: LinkChange,
        stamp: Stamp,
    ) -> Result<LinkChanged, StoreError> {
        let reads = vec![locked(&key, &sub_link, self.dialect())];
        self.write("change_link", reads, move |rows: &[Rows]| {
            let Some((found, mut link)) = of_id(&rows[0], checked)? else {
                return Ok((Vec::new(), LinkChanged::NoLink));
            };
            let latest = found.count("latest_version")?;
            let events = change.events(&mut link, stamp.at);
            if link.options.version.is_some_and(|version| version > latest) {
                return Ok((Vec::new(), LinkChanged::NoVersion));
            }
            if events.is_empty() {
                return Ok((Vec::new(), LinkChanged::Done(link)));
            }
            let change = Statement::update("link", changeable(&link), "n = $n").with("n", found.integer("n")?);
            let mut statements = vec![change];
            let reports = Reports::of(stamp, link.investigation_id, events);
            statements.extend(reports.statements(link.investigation_id, None, stamp.at)?);
            Ok((statements, LinkChanged::Done(link)))
        })
        .await
    }

    /// Returns a link and a page of the days on which it had visits, oldest first; `None` if the link does not exist.
    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
        wanted: PageRequest<DayPosition>,
    ) -> Result<Option<(Link, Page<DayCount, DayPosition>)>, StoreError> {
        let after = wanted.after.map(|after| after.day).unwrap_or_default();
        let days = Statement::new(format!(
            "SELECT d.link, d.day, d.count FROM link l JOIN link_day d ON d.link = l.n
             WHERE {AT} AND d.day > $after ORDER BY d.day LIMIT $limit"
        ));
        let days = at(days, &key, &sub_link).with("after", after);
        let owner = Some(find(&key, &sub_link));
        let (link, days) = self.listed_of(owner, DAYS, days, wanted.limit + 1, read_day).await?;
        let Some(link) = link.first().map(read).transpose()? else { return Ok(None) };
        Ok(Some((link, Page::of_days(days, wanted.limit))))
    }

    /// Deletes a link and its visit counts. If `checked` is given, deletes only the link with this id. Returns whether
    /// the link existed.
    pub async fn delete_link(
        &self,
        key: String,
        sub_link: String,
        checked: Option<ObjectId>,
        stamp: Stamp,
    ) -> Result<bool, StoreError> {
        let reads = vec![locked(&key, &sub_link, self.dialect())];
        self.write("delete_link", reads, move |rows: &[Rows]| {
            let Some((found, link)) = of_id(&rows[0], checked)? else { return Ok((Vec::new(), false)) };
            let delete = Statement::new("DELETE FROM link WHERE n = $n").with("n", found.integer("n")?);
            let mut statements = vec![delete];
            let reports = Reports::of(stamp, link.investigation_id, vec![EventKind::LinkClosed(link.name())]);
            statements.extend(reports.statements(link.investigation_id, None, stamp.at)?);
            Ok((statements, true))
        })
        .await
    }
}

/// Returns the query for links of the investigations in `table`. The function [`read`] reads its rows. `also` names
/// more columns, each with a comma after it.
fn selection(table: &str, also: &str, condition: &str) -> Statement {
    Statement::new(format!(
        "SELECT {also}{}, i.id AS investigation FROM link l JOIN {table} i ON i.body = l.body WHERE {condition}",
        list("l", &COLUMNS)
    ))
}

/// The condition that the link `l` has the address `$key`, `$sub_link`. A displaced link has none.
pub(super) const AT: &str = "l.key = $key AND l.sub_link = $sub_link AND NOT l.displaced";

fn find(key: &str, sub_link: &str) -> Statement {
    at(selection(LIVE, "", AT), key, sub_link)
}

/// Returns the query that locks a link. It also reads the number `n` of the link, and the `latest_version` and the
/// state of the investigation. It does not lock the investigation. Otherwise a steady stream of visits to its links
/// could block its deletion forever, because further shared locks are granted while a deletion waits.
pub(super) fn locked(key: &str, sub_link: &str, dialect: Dialect) -> Statement {
    let link = selection(LIVE, &format!("l.n, i.latest_version, {STATE}, "), AT);
    at(link.then(&dialect.lock("l")), key, sub_link)
}

/// Returns the locked link and its row; `None` if there is none, or if it has another id than `checked`.
fn of_id(rows: &[Row], checked: Option<ObjectId>) -> Result<Option<(&Row, Link)>, StoreError> {
    let Some(found) = rows.first() else { return Ok(None) };
    let link = read(found)?;
    Ok(checked.is_none_or(|checked| checked == link.id).then_some((found, link)))
}

/// Sets the address of a link as parameters.
pub(super) fn at(statement: Statement, key: &str, sub_link: &str) -> Statement {
    statement.with("key", key).with("sub_link", sub_link)
}

pub(super) fn read(row: &Row) -> Result<Link, StoreError> {
    Ok(Link {
        id: row.parsed("id")?,
        key: row.text("key")?.to_owned(),
        sub_link: row.text("sub_link")?.to_owned(),
        description: row.text("description")?.to_owned(),
        investigation_id: row.parsed("investigation")?,
        creator: row.optional_parsed("creator")?,
        visit_count: row.count("visit_count")?,
        created_at: row.time("created_at")?,
        options: LinkOptions {
            shows: row.parsed("shows")?,
            version: row.optional_count("version")?,
            expires_at: row.optional_time("expires_at")?,
            max_visits: row.optional_count("max_visits")?,
            archived: row.flag("archived")?,
        },
    })
}

pub(super) fn read_day(row: &Row) -> Result<DayCount, StoreError> {
    Ok(DayCount { day: row.text("day")?.to_owned(), count: row.count("count")? })
}

fn insert(link: &Link, is_displaced: bool) -> Statement {
    let Link { id, key, sub_link, description: _, investigation_id: _, creator, visit_count, created_at, options: _ } =
        link;
    let mut columns = vec![
        ("id", (*id).into()),
        ("key", key.into()),
        ("sub_link", sub_link.into()),
        ("creator", (*creator).into()),
        ("created_at", (*created_at).into()),
        ("visit_count", (*visit_count).into()),
        ("displaced", is_displaced.into()),
    ];
    columns.extend(changeable(link));
    Statement::insert_for(link.investigation_id, "link", columns)
}

/// Returns the columns that a [`LinkChange`] may change.
fn changeable(link: &Link) -> Columns {
    let LinkOptions { shows, version, expires_at, max_visits, archived } = &link.options;
    vec![
        ("description", (&link.description).into()),
        ("shows", shows.name().into()),
        ("version", (*version).into()),
        ("expires_at", (*expires_at).into()),
        ("max_visits", (*max_visits).into()),
        ("archived", (*archived).into()),
    ]
}

/// Returns the statements that store a link of a new investigation, and its visits per day.
pub(super) fn insertion(visited: &VisitedLink, is_displaced: bool, dialect: Dialect) -> Vec<Statement> {
    let VisitedLink { link, days } = visited;
    // A single statement stores all days. Each text in its list consists of the day, such as `2026-11-30`, a space and
    // the count.
    let days: Vec<String> = days.iter().map(|DayCount { day, count }| format!("{day} {count}")).collect();
    let insert_days = Statement::new(format!(
        "INSERT INTO link_day (link, day, count)
         SELECT l.n, substr(t.value, 1, 10), CAST(substr(t.value, 12) AS BIGINT) FROM link l, {} WHERE l.n = (
             SELECT l.n FROM link l WHERE l.body = (SELECT i.body FROM investigation i WHERE i.id = $investigation)
             ORDER BY l.n DESC LIMIT 1)",
        dialect.table_of("days")
    ));
    let insert_days = insert_days.with("investigation", link.investigation_id).with("days", days);
    vec![insert(link, is_displaced), insert_days]
}

/// Returns the query for the number of links of an investigation, at most [`MAX_LINKS`].
fn number(investigation: ObjectId) -> Statement {
    let number = format!(
        "SELECT count(*) AS count FROM (
             SELECT l.n FROM link l WHERE l.body = (SELECT i.body FROM investigation i WHERE i.id = $id) LIMIT {MAX_LINKS}
         ) l"
    );
    Statement::new(number).with("id", investigation)
}

/// Returns the queries for the links of an investigation in `table`, oldest first, and for their visits per day. The
/// function [`visited`] reads their rows.
pub(super) fn of(table: &str, investigation: ObjectId) -> [Statement; 2] {
    let links = selection(table, "l.n, ", "i.id = $investigation").then("ORDER BY l.n");
    let days = Statement::new(format!(
        "SELECT d.link, d.day, d.count FROM {table} i JOIN link l ON l.body = i.body JOIN link_day d ON d.link = l.n
         WHERE i.id = $investigation ORDER BY d.day"
    ));
    [links, days].map(|statement| statement.with("investigation", investigation))
}

/// Reads the rows of [`of`], with an error for each link that cannot be read.
pub(super) fn visited(links: &Rows, days: &Rows) -> Vec<Result<VisitedLink, StoreError>> {
    let mut by_link: HashMap<Option<i64>, Vec<&Row>> = HashMap::new();
    for row in days {
        by_link.entry(row.integer("link").ok()).or_default().push(row);
    }
    let visited = |row: &Row| {
        let days = by_link.remove(&Some(row.integer("n")?)).unwrap_or_default();
        Ok(VisitedLink { link: read(row)?, days: days.into_iter().map(read_day).collect::<Result<_, _>>()? })
    };
    links.iter().map(visited).collect()
}

/// Returns the query for the displaced links of an investigation in the trash, oldest first. The function [`addresses`]
/// reads its rows.
pub(super) fn displaced(investigation: ObjectId) -> Statement {
    let sql = "SELECT l.key || '/' || l.sub_link AS address FROM trash t JOIN link l ON l.body = t.body
         WHERE t.id = $id AND l.displaced ORDER BY l.n";
    Statement::new(sql).with("id", investigation)
}

pub(super) fn addresses(links: &Rows) -> Result<Vec<String>, StoreError> {
    links.iter().map(|row| row.text("address").map(str::to_owned)).collect()
}
