//! The style of a bidder's bids: the promises of a system.

use std::sync::Arc;

use coinche_engine::{LegalCalls, View};

use crate::net::bidding::STYLE;
use crate::system::{Moment, System, text_of};
use crate::{BidStyle, NetBidder, ParamError, Params};

impl BidStyle for System {
    fn allowed(&self, view: &View<'_>, legal: LegalCalls) -> LegalCalls {
        self.keeping_promises(&Moment::of(view, &legal), view.first_hand())
    }
}

/// Reads the parameter `style`: a system with promises, or none.
///
/// # Errors
///
/// When its file cannot be read, is no system, or promises nothing.
pub fn bid_style(params: &Params) -> Result<Option<Arc<dyn BidStyle>>, ParamError> {
    let refused = |why: String| params.illegal_file(STYLE.name, &why);
    let name = params.text(STYLE.name);
    let text: Arc<[u8]> = match name {
        "free" => return Ok(None),
        "natural" => text_of(name).expect("it comes with the program").as_bytes().into(),
        path => params
            .file(STYLE.name)
            .map_err(|error| refused(format!("cannot read {path}: {error}; expected {}", STYLE.legal)))?,
    };
    let system = System::from_bytes(name, &text, &[]).map_err(|error| refused(format!("{name}: {error}")))?;
    if system.promises().is_empty() {
        return Err(refused(format!("{name} has no [[promise]]: docs/user/systems.md shows one")));
    }
    Ok(Some(Arc::new(system)))
}

/// Reads the parameters of the bidder `net`, and returns how to make it.
pub(crate) fn net(params: &Params) -> Result<impl Fn() -> NetBidder + Send + Sync + use<>, ParamError> {
    NetBidder::maker(params, bid_style(params)?)
}
