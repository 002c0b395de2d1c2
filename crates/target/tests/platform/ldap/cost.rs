//! What an operation costs the platform when it is told to take no time. Run it by itself, optimised:
//! `cargo test --release -p loadgen-target --test platform cost -- --ignored --nocapture`.

use std::fs;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use super::ber::{group, integer, split};
use super::client::{Client, bind, modify, search, user};
use super::target;

/// Requests that are sent before their answers are waited for.
const PIPELINED: u32 = 512;

/// How often they are sent.
const ROUNDS: u32 = 400;

/// CPU time that the platform's thread has used. There must be one platform only.
fn platform_cpu() -> Duration {
    let tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
    let platform = |task: &std::path::PathBuf| {
        fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "target")
    };
    let statistics = tasks.filter(platform).map(|task| fs::read_to_string(task.join("schedstat")).unwrap());
    statistics.map(|text| Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())).sum()
}

/// Sends requests, reads until all operations ended, and prints what that took.
#[expect(clippy::print_stdout, reason = "the figures are what it is run for")]
fn measure(name: &str, pipelined: u32, request: impl Fn(u32) -> Vec<u8>) {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let mut batch = Vec::new();
    for number in 1..=pipelined {
        batch.extend(group(0x30, &[integer(number), request(number)]));
    }
    let rounds = ROUNDS * PIPELINED / pipelined / if pipelined == 1 { 8 } else { 1 };
    let (begin, cpu) = (Instant::now(), platform_cpu());
    let mut bytes = vec![0; 1 << 20];
    for _ in 0..rounds {
        client.stream.write_all(&batch).unwrap();
        let (mut ended, mut filled) = (0, 0);
        while ended < pipelined {
            filled += client.stream.read(&mut bytes[filled..]).unwrap();
            let mut rest = &bytes[..filled];
            while let Some((_, content, after)) = split(rest) {
                // Number, then what it is: 0x64 is an entry.
                ended += u32::from(split(content).unwrap().2[0] != 0x64);
                rest = after;
            }
            let left = rest.len();
            bytes.copy_within(filled - left..filled, 0);
            filled = left;
        }
    }
    let count = f64::from(rounds * pipelined);
    let (wall, used) = (begin.elapsed(), platform_cpu().saturating_sub(cpu));
    println!(
        "{name:>16} x{pipelined:<4} {:>9.0} operations/s, {:.2} us CPU of the platform each",
        count / wall.as_secs_f64(),
        used.as_secs_f64() * 1e6 / count
    );
    target.stop();
}

#[test]
#[ignore = "a measurement: it only means something by itself and optimised"]
fn cost_of_operations() {
    let read = |number| search(&user(number), 0, "(objectClass=*)", &[], 0);
    let find = |number| search("dc=example,dc=com", 2, &format!("(uid=user.{number})"), &[], 0);
    let none = |number| search(&user(number), 0, "(objectClass=*)", &["1.1"], 0);
    let change = |number| modify(&user(number), &[(2, "description", &["0123456789abcdef"])]);
    for pipelined in [PIPELINED, 16, 1] {
        measure("search base", pipelined, read);
        measure("search uid", pipelined, find);
        measure("search base 1.1", pipelined, none);
        measure("modify", pipelined, change);
        measure("bind", pipelined, |number| bind(&user(number), "password"));
    }
}
