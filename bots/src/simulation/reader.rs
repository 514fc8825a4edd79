//! By whose calls the calls of the others are read.

use coinche_engine::{Call, DealState, Seat};

use super::guide::Guide;
use crate::search::CallModel;
use crate::table::BiddingContext;
use crate::worlds::OpponentModel;
use crate::{ParamError, Params};

/// How soft calls are that are read by what they gain, in points.
const SOFTNESS: f32 = 30.0;

/// Who is taken to make the calls of a side.
#[derive(Debug, Clone)]
pub(crate) enum SideReading {
    /// Who finds the calls that are looked at.
    Own,
    Model(CallModel),
}

impl SideReading {
    /// Reads the parameters: who is taken to make the calls of the partner, and of the opponents.
    pub(super) fn from_params(params: &Params) -> Result<[Self; 2], ParamError> {
        let read = |name: &str| match params.text(name) {
            "own" => Ok(Self::Own),
            _ => CallModel::from_params(params, name).map(Self::Model),
        };
        let others = read("model")?;
        let partner = if params.text("partner") == "model" { others.clone() } else { read("partner")? };
        Ok([partner, others])
    }

    pub(super) fn reader(&self) -> SideReader {
        match self {
            Self::Own => SideReader::Own,
            Self::Model(CallModel::Table) => SideReader::Guide(Guide::Table(Box::default())),
            Self::Model(CallModel::Net) => SideReader::Guide(Guide::Net(Box::default())),
            Self::Model(model) => {
                // What a system says is agreed on, or disclosed; how `rules` bids is a guess at how these do.
                let agreed = matches!(model, CallModel::System(_));
                let reader = OpponentModel::of(model.readers(), None).exact(agreed, agreed);
                SideReader::Bidder(Box::new(reader))
            }
        }
    }
}

/// Says how likely the calls of a side are.
#[derive(Debug)]
pub(super) enum SideReader {
    /// By what the guide of the bidder that reads says of gains.
    Own,
    /// By what another guide says.
    Guide(Guide),
    /// By how far a call is from that of a bidder, as card players read calls.
    Bidder(Box<OpponentModel>),
}

impl SideReader {
    /// Returns how likely a call of the seat whose turn it is is, up to a factor.
    pub(super) fn likelihood(&mut self, own: &mut Guide, state: &DealState, seat: Seat, call: Call) -> f64 {
        let guide = match self {
            Self::Own => own,
            Self::Guide(guide) => guide,
            Self::Bidder(bidder) => return bidder.likelihood_of_call(state, seat, call),
        };
        let bidding = BiddingContext::from(&state.view(seat));
        guide.likelihood(&bidding, &state.legal_calls(), call, SOFTNESS).into()
    }
}
