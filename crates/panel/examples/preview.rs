//! x
#![allow(clippy::all, clippy::unwrap_used, clippy::indexing_slicing)]
use actix_web::{App, HttpServer, web};
use kuraka_app::{Plan, Plans};
use kuraka_domain::{Date, ResultCode};
use kuraka_panel::{
    Panel, Site, Sources,
    sources::*,
    stub::{DayCount, Desk, Operation},
};
use kuraka_ports::fake::*;
use kuraka_ports::*;
use std::sync::Arc;
struct S;
impl Sources for S {
    fn sources(&self) -> Vec<Source> {
        vec![
            Source { role: Role::OfficialPage, condition: Condition::Resting },
            Source { role: Role::Provider, condition: Condition::Answering },
            Source { role: Role::Vouchers, condition: Condition::Probing },
        ]
    }
}
#[actix_web::main]
async fn main() {
    let plan = |n: &str, q, r, b| Plan::new(PlanName::parse(n).unwrap(), q, r, b).unwrap();
    let plans: Plans = [plan("free", 1000, 5, 10), plan("empresa", 100_000, 50, 100)].into_iter().collect();
    let desk = Desk::new();
    let empty = std::env::args().nth(1).is_some();
    if !empty {
        for d in 0..30u64 {
            let day = Date::from_days_since_epoch(
                kuraka_app::calendar::today("2026-11-20T20:00:00Z".parse().unwrap()).days_since_epoch() - d as i32,
            )
            .unwrap();
            for (o, k) in [(Operation::Summary, 17), (Operation::Detail, 5)] {
                for (i, c) in [
                    ResultCode::Found,
                    ResultCode::DocumentNotFound,
                    ResultCode::InvalidInput,
                    ResultCode::UpstreamUnavailable,
                ]
                .into_iter()
                .enumerate()
                {
                    let count = (d * 7919 + i as u64 * 31 + k) % 23 * k / (1 + 3 * i as u64) / 2;
                    if count > 0 {
                        desk.usage.lock().unwrap().push((AccountId(1), DayCount { day, operation: o, code: c, count }))
                    }
                }
            }
        }
    }
    let data = web::Data::new(Panel {
        site: Site {
            public_url: None,
            sign_up: Some(PlanName::parse("free").unwrap()),
            client_address: Arc::new(|r| r.peer_addr().map(|a| a.ip())),
        },
        desk,
        plans,
        registry: Arc::new(ScriptedRegistry::with(
            Edition {
                label: "2026-11-20-8c1f22ab".into(),
                date: Date::new(2026, 11, 20).unwrap(),
                origin: EditionOrigin::Published,
                rows: 18_234_511,
                has_withholding_list: true,
                has_good_taxpayer_list: true,
            },
            [],
        )),
        max_age_days: Some(7),
        sources: Arc::new(S),
        clock: Arc::new(ManualClock::at("2026-11-20T22:40:00Z".parse().unwrap())),
    });
    HttpServer::new(move || App::new().app_data(data.clone()).configure(kuraka_panel::configure))
        .workers(1)
        .bind("127.0.0.1:8099")
        .unwrap()
        .run()
        .await
        .unwrap();
}
