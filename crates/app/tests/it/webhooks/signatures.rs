//! Signatures, against the example that the libraries of Standard Webhooks test themselves with.

use kuraka_app::webhooks::signature;
use kuraka_ports::WebhookSecret;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const EXPECTED: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

#[test]
fn a_signature_is_the_one_of_the_specification() {
    let secrets = ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", SECRET].map(|it| WebhookSecret::new(it.to_owned()));
    let both = signature(secrets.iter(), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
    let (first, second) = both.split_once(' ').unwrap();
    assert!(first.starts_with("v1,") && first != EXPECTED, "{both}");
    assert_eq!(second, EXPECTED);
}
