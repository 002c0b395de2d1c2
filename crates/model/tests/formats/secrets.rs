//! What is secret is not shown, neither where it is explained nor where something is wrong.

use crate::memory::{Memory, lines};
use loadgen_model::format::Options;

const JOB: &str = "
loadgen: 1
target: http://a
load: { iterations: 1 }
auth: { basic: { user: admin, password: hidden-1 } }
proxy: http://u:hidden-2@p:1
variables: { FROM: { env: SET }, OPEN: { env: SET, secret: off }, SECRET: { value: hidden-3, secret: on }, MY_PASSWORD: hidden-4 }
workloads: { w: { steps: [{ task: t }, { task: v }] } }
tasks:
  t:
    url: /x?password=hidden-5&shown=1
    query: { token: hidden-6 }
    headers: { X-Password: hidden-7, Cookie: s=hidden-8 }
    form: { password: hidden-9 }
  v:
    url: /$SECRET/$FROM/$OPEN
    json: { client_secret: hidden-10 }
    auth: { bearer: hidden-11 }
    check: [{ json: $.password, equals: hidden-12 }]
";

#[test]
fn an_explanation_shows_no_secret() {
    let loaded = Memory::with("job.yaml", JOB).load("job.yaml", &Options::default());
    let said = loaded.unwrap_or_else(|problems| panic!("{}", lines(&problems))).explanation.to_string();
    assert!(!said.contains("hidden"), "{said}");
    assert!(!said.contains("from outside"), "{said}");
    assert!(said.contains("FROM         *** (env SET)") && said.contains("OPEN         env SET"), "{said}");
    assert!(said.contains("/x?password=***&shown=1&token=***"), "{said}");
}

#[test]
fn an_error_shows_no_value_from_outside() {
    for (place, wrong) in [
        ("target: http://a", "target: http://$FROM:1x"),
        ("proxy: http://u:hidden-2@p:1", "proxy: http://$FROM"),
        ("equals: hidden-12", "matches: \"($FROM\""),
        ("load: { iterations: 1 }", "load: { iterations: 1 }\nresolve: { $FROM: a }"),
        ("load: { iterations: 1 }", "load: { iterations: 1 }\nresolve: { $SECRET: a }"),
        ("$.password, equals: hidden-12", "\"$.[$FROM\", equals: 1"),
    ] {
        let job = JOB.replace(place, wrong);
        assert_ne!(job, JOB);
        let said = lines(&Memory::with("job.yaml", job).load("job.yaml", &Options::default()).unwrap_err());
        assert!(!said.contains("hidden") && !said.contains("from outside"), "{wrong}: {said}");
    }
}
