//! Sign-in with a third-party provider, through its own pages.

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::Role;
use fieldbook::domain::token_user::{ClaimRules, RoleNames, UserIds, derived_id};
use serde_json::{Value, json};

use super::{me, service};
use crate::support::TestApp;
use crate::support::oidc_provider::OidcProvider;
use crate::support::visitor::{Visitor, parameter, with_parameter};

const FAILED: &str = "/sign-in?failed=";

struct School {
    provider: OidcProvider,
    app: TestApp,
}

impl School {
    async fn start() -> Self {
        Self::with(OidcProvider::start()).await
    }

    async fn with(provider: OidcProvider) -> Self {
        let app = service(&provider.settings(), HttpSettings::default()).await;
        Self { provider, app }
    }

    /// Returns the address to which the service sends a browser for a sign-in.
    async fn address(&self, visitor: &mut Visitor) -> String {
        visitor.get(&format!("http://{}/sign-in/provider?to=/%23/trash", self.app.address)).await.location
    }

    /// Signs in. Returns the address to which the service redirects at the end, and the pages that the provider showed.
    async fn sign_in(&self, visitor: &mut Visitor, login: &str) -> (String, Vec<&'static str>) {
        let address = self.address(visitor).await;
        let through = visitor.through(&address, login).await;
        (visitor.get(&through.back).await.location, through.pages)
    }

    async fn sign_out(&self, visitor: &mut Visitor) {
        visitor.delete(&format!("http://{}/api/session", self.app.address)).await;
    }
}

/// Returns the name of the failure that an address shows.
fn failure(location: &str) -> &str {
    let name = location.strip_prefix(FAILED).and_then(|rest| rest.split('&').next());
    name.unwrap_or_else(|| panic!("{location} shows no failure"))
}

#[tokio::test]
async fn real_provider_shows_its_pages_only_at_the_first_sign_in_and_after_a_sign_out() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let (place, pages) = school.sign_in(&mut visitor, "ada").await;
    assert_eq!((place.as_str(), &pages[..]), ("/#/trash", &["login", "consent"][..]));
    let ada = me(&school.app, &mut visitor).await;
    let id = derived_id(&school.provider.issuer, "ada").to_string();
    let known = json!([ada["id"], ada["name"], ada["email"], ada["signedInBy"]]);
    assert_eq!(known, json!([id, "Ada Lovelace", "ada@school.example", "provider"]));
    // The provider still has a session with this browser, and shows no page.
    let (place, pages) = school.sign_in(&mut visitor, "ada").await;
    assert_eq!((place.as_str(), &pages[..]), ("/#/trash", &[][..]));
    school.sign_out(&mut visitor).await;
    assert_eq!(me(&school.app, &mut visitor).await, Value::Null);
    let (place, pages) = school.sign_in(&mut visitor, "ada").await;
    assert_eq!((place.as_str(), &pages[..]), ("/#/trash", &["select_account"][..]));
    // A person does not get an e-mail address that the provider has not verified.
    let mut another = Visitor::new();
    school.sign_in(&mut another, "ben").await;
    let ben = me(&school.app, &mut another).await;
    assert_eq!((&ben["name"], &ben["email"]), (&json!("Ben"), &Value::Null));
}

#[tokio::test]
async fn provider_without_account_choice_prompts_for_the_password_after_a_sign_out() {
    let school = School::with(OidcProvider::start_as_it_comes()).await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, "ada").await;
    for _ in 0..2 {
        school.sign_out(&mut visitor).await;
        // The provider refuses to ask for the account, so the service sends the browser back without that prompt.
        let (again, pages) = school.sign_in(&mut visitor, "ada").await;
        assert_eq!((again.as_str(), &pages[..]), ("/sign-in/provider?to=%2F%23%2Ftrash", &[][..]));
        let address = visitor.get(&format!("http://{}{again}", school.app.address)).await.location;
        assert_eq!(parameter(&address, "prompt"), "login");
        let through = visitor.through(&address, "ada").await;
        assert_eq!(through.pages, ["login"]);
        assert_eq!(visitor.get(&through.back).await.location, "/#/trash");
        assert_ne!(me(&school.app, &mut visitor).await, Value::Null);
    }
}

#[tokio::test]
async fn userinfo_endpoint_is_used_if_the_id_token_is_minimal() {
    let provider = OidcProvider::start_as_it_comes();
    let claims = ClaimRules {
        user_ids: UserIds::Derived,
        roles_claim: "groups".to_owned(),
        role_names: RoleNames::new([("teachers", Role::Author)]),
        ..ClaimRules::default()
    };
    let http = HttpSettings { default_role: Role::None, ..HttpSettings::default() };
    let app = TestApp::start_with_claims(&provider.settings(), claims, http).await;
    let school = School { provider, app };
    let signed_in = async |login: &str| {
        let mut visitor = Visitor::new();
        school.sign_in(&mut visitor, login).await;
        let me = me(&school.app, &mut visitor).await;
        json!([me["name"], me["email"], me["role"]])
    };
    assert_eq!(signed_in("ada").await, json!(["Ada Lovelace", "ada@school.example", "author"]));
    assert_eq!(signed_in("ben").await, json!(["Ben", null, "none"]));
}

#[tokio::test]
async fn user_who_edits_the_scope_in_the_url_keeps_their_role_if_mapped_roles_are_above_and_below_the_default() {
    check_changed_scope("groups", &[("teachers", Role::Author), ("pupils", Role::None)]).await;
}

#[tokio::test]
async fn user_who_edits_the_scope_in_the_url_keeps_their_role_if_all_mapped_roles_are_above_the_default() {
    check_changed_scope("groups", &[("teachers", Role::Author)]).await;
}

#[tokio::test]
async fn user_who_edits_the_scope_in_the_url_keeps_their_role_if_no_roles_are_mapped() {
    check_changed_scope("roles", &[]).await;
}

async fn check_changed_scope(claim: &str, names: &[(&str, Role)]) {
    let claims = ClaimRules {
        user_ids: UserIds::Derived,
        roles_claim: claim.to_owned(),
        role_names: RoleNames::new(names.iter().copied()),
        ..ClaimRules::default()
    };
    let provider = OidcProvider::start();
    let http = HttpSettings { default_role: Role::Reader, ..HttpSettings::default() };
    let app = TestApp::start_with_claims(&provider.settings(), claims, http).await;
    let school = School { provider, app };
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, "ben").await;
    let before = me(&school.app, &mut visitor).await["role"].clone();
    assert!(before.is_string(), "{before}");
    // The browser shows the address of the provider, and its user can edit it.
    let address = with_parameter(&school.address(&mut visitor).await, "scope", "openid");
    let through = visitor.through(&address, "ben").await;
    assert_eq!(failure(&visitor.get(&through.back).await.location), "untrusted");
    assert_eq!(me(&school.app, &mut visitor).await["role"], before);
}

#[tokio::test]
async fn sign_in_response_without_an_issuer_is_refused_if_the_provider_supports_issuers() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let address = school.address(&mut visitor).await;
    let back = visitor.through(&address, "ada").await.back;
    let nameless: Vec<&str> = back.split('&').filter(|pair| !pair.starts_with("iss=")).collect();
    assert_ne!(nameless.join("&"), back);
    assert_eq!(failure(&visitor.get(&nameless.join("&")).await.location), "untrusted");
    assert_eq!(school.app.rows("session"), 0);
}

#[tokio::test]
async fn id_token_with_the_nonce_of_another_sign_in_attempt_is_refused() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let address = school.address(&mut visitor).await;
    let through = visitor.through(&with_parameter(&address, "nonce", "another"), "ada").await;
    assert_eq!(failure(&visitor.get(&through.back).await.location), "untrusted");
    assert_eq!(school.app.rows("session"), 0);
}

#[tokio::test]
async fn sign_in_is_refused_if_the_callback_or_the_provider_names_an_issuer_that_is_not_configured() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let address = school.address(&mut visitor).await;
    let through = visitor.through(&address, "ada").await;
    assert_eq!(parameter(&through.back, "iss"), school.provider.issuer);
    let another = with_parameter(&through.back, "iss", "https://id.example.org");
    assert_eq!(failure(&visitor.get(&another).await.location), "untrusted");
    // The same provider under another name: its tokens have another issuer than the settings.
    let mut settings = school.provider.settings();
    settings.jwks_url = settings.issuer.as_ref().map(|issuer| format!("{issuer}/jwks"));
    settings.issuer = settings.issuer.map(|issuer| format!("{issuer}/"));
    let app = service(&settings, HttpSettings::default()).await;
    let visited = visitor.get(&format!("http://{}/sign-in/provider", app.address)).await;
    assert_eq!(failure(&visited.location), "unavailable");
}

#[tokio::test]
async fn sign_in_succeeds_after_the_provider_rotated_its_keys() {
    let mut school = School::start().await;
    school.sign_in(&mut Visitor::new(), "ada").await;
    school.provider = school.provider.restart();
    let mut visitor = Visitor::new();
    let (place, _) = school.sign_in(&mut visitor, "ada").await;
    assert_eq!(place, "/#/trash");
    assert_eq!(me(&school.app, &mut visitor).await["name"], "Ada Lovelace");
}

#[tokio::test]
async fn sign_in_fails_if_the_user_refuses_consent() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let address = school.address(&mut visitor).await;
    let shown = visitor.get(&address).await.location;
    let page = format!("{}{shown}", school.provider.issuer);
    let mut here = visitor.get(&format!("{page}/abort")).await.location;
    while !here.contains("/sign-in/callback") {
        here = visitor.get(&here).await.location;
    }
    assert_eq!(parameter(&here, "error"), "access_denied");
    assert_eq!(visitor.get(&here).await.location, "/sign-in?failed=refused&to=%2F%23%2Ftrash");
    assert_eq!(school.app.rows("session"), 0);
}

#[tokio::test]
async fn callback_link_of_an_attacker_does_not_sign_in_a_victim() {
    let school = School::start().await;
    let (mut attacker, mut victim) = (Visitor::new(), Visitor::new());
    let address = school.address(&mut attacker).await;
    let of_attacker = attacker.through(&address, "ben").await.back;
    let address = school.address(&mut victim).await;
    assert_eq!(failure(&victim.get(&of_attacker).await.location), "attempt");
    // The attacker's code in the victim's own attempt: the provider refuses the code, because the verifier differs.
    let own = with_parameter(&of_attacker, "state", &parameter(&address, "state"));
    assert_eq!(failure(&victim.get(&own).await.location), "refused");
    assert_eq!(me(&school.app, &mut victim).await, Value::Null);
}

#[tokio::test]
async fn authorization_code_signs_in_only_once() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let address = school.address(&mut visitor).await;
    let back = visitor.through(&address, "ada").await.back;
    let attempt = visitor.cookies.clone();
    assert_eq!(visitor.get(&back).await.location, "/#/trash");
    assert_eq!(failure(&visitor.get(&back).await.location), "attempt");
    // A thief has a copy of the cookies.
    let mut thief = Visitor::new();
    thief.cookies = attempt;
    assert_eq!(failure(&thief.get(&back).await.location), "attempt");
    assert_eq!(school.app.rows("session"), 1);
}

#[tokio::test]
async fn sign_in_begun_on_one_copy_can_be_finished_on_another() {
    let school = School::start().await;
    let copy = school.app.copy().await;
    let mut visitor = Visitor::new();
    let address = school.address(&mut visitor).await;
    // In production, all copies of the service share one address, and a proxy chooses the copy for each request.
    let back = visitor.through(&address, "ada").await.back;
    let of_first = format!("http://{}", school.app.address);
    let at_copy = back.replace(&of_first, &format!("http://{}", copy.address));
    let host = school.app.address.to_string();
    assert_eq!(visitor.get_as(&at_copy, &host).await.location, "/#/trash");
    for app in [&school.app, &copy] {
        assert_eq!(me(app, &mut visitor).await["name"], "Ada Lovelace");
    }
}
