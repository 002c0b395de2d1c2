//! The examples of the RFCs, and what servers say that do not follow them.

use super::*;
use proptest::prelude::*;

const NOBODY: Credentials<'_> =
    Credentials { authorization_id: "", authentication_id: "user", password: "pencil", realm: "" };

fn exchange(mechanism: Mechanism, nonce: &str) -> Exchange<'static> {
    Exchange::new(mechanism, NOBODY, "ds.example.com", nonce.to_owned()).unwrap()
}

fn respond(exchange: &mut Exchange<'_>, challenge: &str) -> Result<String, Broken> {
    let answer = exchange.respond(challenge.as_bytes(), &mut SaltedPasswords::default());
    answer.map(|answer| String::from_utf8(answer).unwrap())
}

#[track_caller]
fn check_scram(mechanism: Mechanism, nonce: &str, [challenge, answer, last]: [&str; 3]) {
    // The server's proof comes with its success, or before it.
    for before in [false, true] {
        let mut exchange = exchange(mechanism, nonce);
        assert_eq!(exchange.begin(), Ok(Some(format!("n,,n=user,r={nonce}").into_bytes())));
        assert_eq!(respond(&mut exchange, challenge).as_deref(), Ok(answer));
        if before {
            assert_eq!(respond(&mut exchange, last).as_deref(), Ok(""));
            assert_eq!(respond(&mut exchange, last), Err(Broken::Unasked));
            assert_eq!(exchange.finish(None), Ok(()));
        } else {
            assert_eq!(exchange.finish(None), Err(Broken::Unproved));
            assert_eq!(exchange.finish(Some(b"e=other-error")), Err(Broken::Unproved));
            assert_eq!(exchange.finish(Some(b"v=AAAA")), Err(Broken::WrongProof));
            assert_eq!(exchange.finish(Some(last.as_bytes())), Ok(()));
        }
    }
}

#[test]
fn scram_is_what_rfc_5802_section_5_shows() {
    check_scram(
        Mechanism::ScramSha1,
        "fyko+d2lbbFgONRv9qkxdawL",
        [
            "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
            "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
            "v=rmF9pqV8S7suAoZWja4dJRkFsKQ=",
        ],
    );
}

#[test]
fn scram_is_what_rfc_7677_section_3_shows() {
    check_scram(
        Mechanism::ScramSha256,
        "rOprNGfwEbeRWgbNEkqO",
        [
            "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
         p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
            "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
        ],
    );
}

/// No RFC has an example: these are what Python's hashlib and hmac make of the same texts.
#[test]
fn scram_with_sha_512_is_what_another_implementation_says() {
    check_scram(
        Mechanism::ScramSha512,
        "rOprNGfwEbeRWgbNEkqO",
        [
            "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
         p=gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw\
         +3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==",
            "v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw==",
        ],
    );
}

#[test]
fn names_of_scram_are_escaped_and_prepared() {
    let credentials = Credentials { authorization_id: "u:a=b", authentication_id: "x,y\u{ad}", ..NOBODY };
    let begin =
        |credentials| Exchange::new(Mechanism::ScramSha1, credentials, "", "n".to_owned()).unwrap().begin();
    assert_eq!(begin(credentials), Ok(Some(b"n,a=u:a=3Db,n=x=2Cy,r=n".to_vec())));
    assert!(matches!(
        begin(Credentials { authentication_id: "\u{7}", ..NOBODY }),
        Err(Broken::Credential("the name", _))
    ));
}

#[test]
fn challenges_of_scram_that_are_none_are_refused() {
    let check = |challenge: &str, expected: Broken| {
        let mut exchange = exchange(Mechanism::ScramSha256, "ours");
        exchange.begin().unwrap();
        assert_eq!(respond(&mut exchange, challenge), Err(expected), "{challenge}");
        assert_eq!(exchange.finish(Some(b"v=AAAA")), Err(Broken::Unproved), "{challenge}");
    };
    check("", Broken::Challenge("its nonce is missing"));
    check("m=x,r=ours1,s=AAAA,i=1", Broken::Challenge("it has an extension that is not known"));
    check("r=others,s=AAAA,i=4096", Broken::Challenge("its nonce does not continue ours"));
    check("r=ours,s=AAAA,i=4096", Broken::Challenge("its nonce does not continue ours"));
    check("r=ours1,s=!,i=4096", Broken::Challenge("its salt is missing or not base64"));
    for none in ["0", "", "-1", "+1", "1e3", "99999999999999999999"] {
        let challenge = format!("r=ours1,s=AAAA,i={none}");
        check(&challenge, Broken::Challenge("its number of iterations is missing or none"));
    }
    check("r=ours1,s=AAAA,i=1000001", Broken::Iterations(1_000_001));
    check("r=ours1,s=AAAA,i=5000000000", Broken::Iterations(5_000_000_000));
    check(&"r".repeat(CHALLENGE_LIMIT + 1), Broken::Challenge("it is longer than 8192 bytes"));
}

#[test]
fn cram_md5_is_what_rfc_2195_section_2_shows() {
    let credentials = Credentials { authentication_id: "tim", password: "tanstaaftanstaaf", ..NOBODY };
    let mut exchange = Exchange::new(Mechanism::CramMd5, credentials, "", String::new()).unwrap();
    assert_eq!(exchange.begin(), Ok(None));
    assert_eq!(exchange.finish(None), Err(Broken::Unproved));
    let answer = respond(&mut exchange, "<1896.697170952@postoffice.reston.mci.net>");
    assert_eq!(answer.as_deref(), Ok("tim b913a602c7eda7a495b4e6e7334d3890"));
    assert_eq!(respond(&mut exchange, "<2>"), Err(Broken::Unasked));
    assert_eq!(exchange.finish(None), Ok(()));
}

fn digest(uri: &str, nonce: &str) -> DigestMd5<'static> {
    let credentials = Credentials { authentication_id: "chris", password: "secret", ..NOBODY };
    DigestMd5::new(credentials, uri.to_owned(), nonce.to_owned())
}

#[test]
fn digest_md5_is_what_rfc_2831_section_4_shows() {
    let check = |uri: &str, [theirs, ours, response, proof]: [&str; 4]| {
        let mut digest = digest(uri, ours);
        let challenge = format!(
            "realm=\"elwood.innosoft.com\",nonce=\"{theirs}\",qop=\"auth\",algorithm=md5-sess,charset=utf-8"
        );
        let answer = String::from_utf8(digest.respond(challenge.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            answer,
            format!(
                "charset=utf-8,username=\"chris\",realm=\"elwood.innosoft.com\",nonce=\"{theirs}\",\
                 cnonce=\"{ours}\",digest-uri=\"{uri}\",nc=00000001,qop=auth,response={response}"
            )
        );
        assert_eq!(digest.finish(None), Err(Broken::Unproved));
        assert_eq!(digest.finish(Some(b"rspauth=00")), Err(Broken::WrongProof));
        assert_eq!(digest.respond(format!("rspauth={proof}").as_bytes()), Ok(Vec::new()));
        assert_eq!(digest.finish(None), Ok(()));
    };
    check(
        "imap/elwood.innosoft.com",
        [
            "OA6MG9tEQGm2hh",
            "OA6MHXh6VqTrRk",
            "d388dad90d4bbd760a152321f2143af7",
            "ea40f60335c427b5527b84dbabcdfffd",
        ],
    );
    check(
        "acap/elwood.innosoft.com",
        [
            "OA9BSXrbuRhWay",
            "OA9BSuZWMSpW8m",
            "6084c6db3fede7352c551284490fd0fc",
            "2f0b3d7c3c2e486600ef710726aa2eae",
        ],
    );
}

#[test]
fn challenges_of_digest_md5_that_are_none_are_refused() {
    let check = |challenge: &str, expected: &str| {
        let refused = digest("ldap/x", "n").respond(challenge.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains(expected), "{challenge}: {refused}");
    };
    check("", "its nonce is missing");
    check("nonce", "a name has no value");
    check("nonce=\"a", "a quotation mark is missing");
    check("nonce=a,nonce=b", "it has two nonces");
    check("nonce=a", "its algorithm is not md5-sess");
    check("nonce=a,algorithm=md5-sess,qop=\"auth-int,auth-conf\"", "it insists on an integrity");
    check("realm=a,realm=\"b\\\"c\",nonce=a,algorithm=md5-sess", "set `realm` to one of a, b\"c");
}

#[test]
fn names_of_digest_md5_are_quoted_and_coded_as_the_server_wants() {
    let respond = |name: &'static str, charset: &str| {
        let credentials = Credentials { authentication_id: name, realm: "r\"", ..NOBODY };
        let mut digest = DigestMd5::new(credentials, "ldap/x".to_owned(), "n".to_owned());
        digest.respond(format!("nonce=a,algorithm=md5-sess,{charset}").as_bytes())
    };
    let has = |answer: Vec<u8>, part: &[u8]| answer.windows(part.len()).any(|window| window == part);
    assert!(has(respond("a\\\u{e9}", "").unwrap(), b"username=\"a\\\\\xe9\",realm=\"r\\\"\""));
    assert!(has(respond("\u{e9}", "charset=utf-8").unwrap(), "username=\"\u{e9}\"".as_bytes()));
    assert!(matches!(respond("\u{20ac}", ""), Err(Broken::Credential("the name", _))));
    assert!(respond("\u{20ac}", "charset=utf-8").is_ok());
}

/// What could be a challenge, or nearly.
fn challenge() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"r=ours1".to_vec()),
        Just(b"s=AAAA".to_vec()),
        (0..50_u32).prop_map(|number| format!("i={number}").into_bytes()),
        Just(b"realm=\"a\\\"b\"".to_vec()),
        Just(b"nonce=\"x\"".to_vec()),
        Just(b"qop=\"auth,auth-int\"".to_vec()),
        Just(b"algorithm=md5-sess,charset=utf-8".to_vec()),
        Just(b"v=AAAA".to_vec()),
        Just(b"rspauth=".to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.join(&b','))
}

proptest! {
    #[test]
    fn no_challenge_makes_a_client_panic_or_believe(
        challenges in prop::collection::vec(challenge(), 1..4),
        mechanism in prop::sample::select(&Mechanism::ALL[1..6]),
    ) {
        let mut exchange = exchange(mechanism, "ours");
        exchange.begin().unwrap();
        let mut salted = SaltedPasswords::default();
        for challenge in &challenges {
            if exchange.respond(challenge, &mut salted).is_err() {
                break;
            }
        }
        let last = challenges.last().map(Vec::as_slice);
        let is_believed = exchange.finish(last).is_ok();
        prop_assert!(!is_believed || mechanism == Mechanism::CramMd5);
    }
}
