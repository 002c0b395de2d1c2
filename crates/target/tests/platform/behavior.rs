//! Service times, queues, stalls and faults, by the clock.

use std::thread;
use std::time::{Duration, Instant};

use loadgen_target::Target;

use crate::client::Client;
use crate::target;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// When requests sent at the same time on connections of their own were answered, from just before the first.
fn at_once(target: &Target, path: &'static str, count: usize) -> Vec<Duration> {
    let clients: Vec<_> = (0..count)
        .map(|_| {
            let mut client = Client::to(target);
            client.get("/health");
            client
        })
        .collect();
    let begin = Instant::now();
    let asking = clients.into_iter().map(|mut client| {
        thread::spawn(move || {
            client.get(path);
            begin.elapsed()
        })
    });
    let asking: Vec<_> = asking.collect();
    let mut times: Vec<_> = asking.into_iter().map(|thread| thread.join().unwrap()).collect();
    times.sort();
    times
}

#[test]
fn fixed_service_time_is_never_short_and_nearly_exact() {
    let target = target(&["read=fixed:3ms", "echo=fixed:300us"]);
    let mut client = Client::to(&target);
    for (path, service) in
        [("/users/user.1", Duration::from_millis(3)), ("/echo", Duration::from_micros(300))]
    {
        let mut times: Vec<_> = (0..100)
            .map(|_| {
                let begin = Instant::now();
                client.get(path);
                begin.elapsed()
            })
            .collect();
        times.sort();
        assert!(times[0] >= service, "{path}: {:?}", times[0]);
        assert!(times[50] < service + ms(1), "{path}: half of them took {:?}", times[50]);
    }
}

#[test]
fn one_server_serves_one_after_another() {
    let target = target(&["default=fixed:20ms", "servers=1"]);
    let times = at_once(&target, "/users/user.1", 5);
    assert!(times[4] >= ms(100), "{times:?}");
    assert!(times[0] >= ms(20) && times[0] < ms(60), "{times:?}");
    assert!(times.windows(2).all(|pair| pair[1] >= pair[0] + ms(10)), "{times:?}");
}

#[test]
fn as_many_servers_as_requests_serve_together() {
    for specs in [&["default=fixed:30ms"][..], &["default=fixed:30ms", "servers=8"]] {
        let times = at_once(&target(specs), "/users/user.1", 8);
        assert!(times[0] >= ms(30) && times[7] < ms(150), "{times:?}");
    }
}

#[test]
fn a_stall_holds_all_answers() {
    let begin = Instant::now();
    let target = target(&["stall=50ms+200ms"]);
    let started = Instant::now();
    thread::sleep(ms(100));
    let mut client = Client::to(&target);
    client.get("/users/user.1");
    assert!(begin.elapsed() >= ms(250), "answered {:?} after the start", begin.elapsed());
    assert!(started.elapsed() < ms(600));
    let again = Instant::now();
    client.get("/users/user.1");
    assert!(again.elapsed() < ms(100), "the stall is over");
}

#[test]
fn errors_come_in_their_share() {
    let target = target(&["errors=0.05", "validate.errors=0.5", "default=none"]);
    let mut client = Client::to(&target);
    let mut failures = |method: &str, path: &str| {
        let failed = (0..2_000).filter(|_| {
            let reply = client.send(method, path, &[], "");
            if reply.status == 503 {
                reply.check_refusal(503, "Service Unavailable");
            }
            reply.status == 503
        });
        failed.count()
    };
    let (reads, validations) =
        (failures("GET", "/users/user.1"), failures("POST", "/openam/json/sessions/x?_action=validate"));
    assert!((60..140).contains(&reads), "{reads}");
    assert!((900..1_100).contains(&validations), "{validations}");
    let counts = target.counts();
    assert_eq!(counts.operation("read").errors, reads as u64);
    assert_eq!((counts.operation("read").received, counts.operation("read").answered), (2_000, 2_000));
}

#[test]
fn errors_are_not_carried_out() {
    let target = target(&["delete.errors=1"]);
    let mut client = Client::to(&target);
    assert_eq!(client.send("DELETE", "/users/user.1", &[], "").status, 503);
    assert_eq!(client.get("/users/user.1").status, 200);
}

#[test]
fn drops_close_the_connection_without_an_answer() {
    let target = target(&["read.drops=1"]);
    let mut client = Client::to(&target);
    assert_eq!(client.get("/health").status, 200);
    let error = client.try_send("GET", "/users/user.1", &[], "").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    let counts = target.counts().operation("read");
    assert_eq!((counts.received, counts.answered, counts.drops), (1, 0, 1));
}

#[test]
fn the_seed_decides() {
    let statuses = |seed| -> Vec<u16> {
        let behavior = loadgen_target::Behavior::parse(&["errors=0.5".to_owned()]).unwrap();
        let config = loadgen_target::Config { behavior, seed, ..loadgen_target::Config::default() };
        let target = Target::start(config).unwrap();
        let mut client = Client::to(&target);
        (0..50).map(|_| client.get("/echo").status).collect()
    };
    assert_eq!(statuses(3), statuses(3));
    assert_ne!(statuses(3), statuses(4));
}
