//! Who may ask: the address that was asked for, the page that asks, and the token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{Answer, Refusal};
use crate::server::Server;

/// The headers of all answers. Nothing is loaded from another host, and no script or style stands in a page.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Checks a request, and adds the headers of an answer.
pub(crate) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let page = friend(&server, &request);
    let mut response = match check(&server, &request, page.is_some()) {
        Ok(()) if page.is_some() && request.method() == Method::OPTIONS => may_ask(request.headers()),
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    if let Some(page) = page {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, page);
    }
    if !server.settings.origins.is_empty() {
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
    }
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns the origin of a request to the interface by a page of another origin that the command line named.
fn friend(server: &Server, request: &Request) -> Option<HeaderValue> {
    let origin = request.headers().get(header::ORIGIN)?;
    let is_named = server.settings.origins.iter().any(|named| named.as_str().as_bytes() == origin.as_bytes());
    (is_named && request.uri().path().starts_with("/api/")).then(|| origin.clone())
}

/// The answer to a browser that asks, before it sends a request of such a page, if it may (CORS).
fn may_ask(headers: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let mut set =
        |name: HeaderName, value| response.headers_mut().insert(name, HeaderValue::from_static(value));
    set(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST");
    set(header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type");
    set(header::ACCESS_CONTROL_MAX_AGE, "600");
    // A page of the Internet that asks a machine of the local network.
    if headers.contains_key("access-control-request-private-network") {
        set(HeaderName::from_static("access-control-allow-private-network"), "true");
    }
    response
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Checks where a request comes from: another page in the same browser may know the address, and a name that leads here
/// may be another site's (DNS rebinding).
fn check(server: &Server, request: &Request, is_friend: bool) -> Answer<()> {
    let headers = request.headers();
    let forbidden = |why: &str| Refusal::new(StatusCode::FORBIDDEN, why);
    let host = text(headers, header::HOST).ok_or_else(|| forbidden("the request has no Host"))?;
    if server.token.is_none() && !is_here(host) {
        return Err(forbidden(
            "this server answers to 127.0.0.1 and localhost alone; see `arena serve --listen`",
        ));
    }
    let own = format!("http://{host}");
    if !is_friend && headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes() != own.as_bytes()) {
        return Err(forbidden("the request comes from another page"));
    }
    let is_api = request.uri().path().starts_with("/api/");
    let site = text(headers, HeaderName::from_static("sec-fetch-site"));
    if is_api && !is_friend && site.is_some_and(|site| !["same-origin", "none"].contains(&site)) {
        return Err(forbidden("the request comes from another page"));
    }
    if request.method() == Method::POST {
        let kind = text(headers, header::CONTENT_TYPE).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send JSON as application/json"));
        }
    }
    Ok(())
}

/// Tests if a host is this machine by an address, or by its usual name: no other name can lead here by mistake.
fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the token of a request.
pub(crate) fn token(headers: &HeaderMap) -> &str {
    text(headers, header::AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default()
        .trim()
}

/// Checks that a request comes from whoever started the server: from this machine, or with the token.
pub(crate) fn owner(server: &Server, headers: &HeaderMap) -> Answer<()> {
    match &server.token {
        Some(wanted) if token(headers) != wanted => {
            let why = "only whoever started the server may do this: open the address that it printed";
            Err(Refusal::new(StatusCode::UNAUTHORIZED, why))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_here() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "[::1]:8080", "127.9.9.9:5"] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:80",
            "localhost.example.org",
            "127.0.0.1.nip.io:8080",
            "10.0.0.1",
            "::1x",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }
}
