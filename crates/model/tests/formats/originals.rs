//! Jobs of the original LoadGen become the plan that it would have carried out.

use crate::memory::{Memory, lines};
use loadgen_model::format::Options;
use loadgen_model::plan::{Semantics, Step};
use loadgen_model::request::Url;
use loadgen_model::variable::{Scope, Source};
use loadgen_model::{Mix, Plan, ThinkTime};
use std::time::Duration;

fn job(more: &str) -> String {
    format!(
        r#"{{ "name": "job", "threads": 3, "threadgroupsize": 2, "threadinterval": 500, "upperbounds": 9,
             "ADMINUSERID": "admin", "ADMINUSERPASSWORD": "AbcD-0123$", {more}
             "workloads": [ {{"work": 10}}, {{"off": 0}} ] }}"#
    )
}

fn world(job: &str) -> Memory {
    Memory::with("jobs/job.json", job)
        .and("workloads/work.json", r#"{"tasks":[{"log-in": 400},{"sleep": 1000},{"use": 100}]}"#)
        .and(
            "tasks/log-in.json",
            r#"{"request":"POST","header":{"X-Password":"$ADMINUSERPASSWORD"},"url-endpoint":"/am/","url-payload":"log",
                "data-payload":"a\\b"}"#,
        )
        .and("tasks/sleep.json", r#"{"request":"GET","url-endpoint":"$SLEEP","url-payload":"250"}"#)
        .and(
            "tasks/use.json",
            r#"{"request":"PATCH","header":{"iplanetDirectoryPro":"tokenId","X":"$INCREMENT"},
                "url-endpoint":"/users/","url-payload":"user.$RANDOMVALUE?q='$TOKENID'",
                "data-payload":[{"operation":"replace","field":"/cn","value":"$THREADID"}]}"#,
        )
}

fn plan(memory: &Memory, options: &Options) -> Plan {
    match memory.load("jobs/job.json", options) {
        Ok(loaded) => loaded.plan,
        Err(problems) => panic!("{}", lines(&problems)),
    }
}

fn servers(plan: &Plan) -> Vec<String> {
    let fixed = plan.requests.iter().map(|request| match &request.url {
        Url::Fixed(origin, _) => origin.to_string(),
        Url::Variable(_) => "variable".to_owned(),
    });
    fixed.collect()
}

#[test]
fn load_and_steps_are_as_the_original_has_them() {
    let plan = plan(&world(&job(r#""service-location-port": "http://am:8080","#)), &Options::default());
    assert_eq!(plan.semantics, Semantics::Original);
    let loadgen_model::Load::Closed(closed) = &plan.groups[0].load else { panic!("the load is closed") };
    assert_eq!((closed.users, closed.ramp.group, closed.ramp.every), (3, 2, Duration::from_millis(500)));
    let Mix::Iterations(counts) = &plan.groups[0].mix else { panic!("the mix is by counts") };
    assert_eq!(counts.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [10]);
    let Step::Sleep(ThinkTime::Fixed(slept)) = plan.scenarios[0].steps[1] else {
        panic!("the second step sleeps")
    };
    assert_eq!(slept, Duration::from_millis(1250), "the workload's value is added to the task's own");
    let timeouts: Vec<u128> = plan.requests.iter().map(|request| request.timeout.as_millis()).collect();
    assert_eq!(timeouts, [400, 100], "the timeout is the threshold");
}

#[test]
fn text_is_sent_as_it_was_written() {
    let plan = plan(&world(&job(r#""service-location-port": "http://am:8080","#)), &Options::default());
    assert_eq!(plan.requests[0].body.as_ref().unwrap().constant(), Some(&b"a\\b"[..]), "backslashes stay");
    let password = &plan.requests[0].headers.iter().find(|(name, _)| name == "X-Password").unwrap().1;
    assert_eq!(password.constant(), Some(&b"AbcD-0123$"[..]), "a dollar before no letter is text");
    assert_eq!(plan.requests[1].method, "PATCH");
}

#[test]
fn variables_have_the_scopes_of_the_original() {
    let plan = plan(&world(&job(r#""service-location-port": "http://am:8080","#)), &Options::default());
    let scope = |wanted: fn(&Source) -> bool| {
        plan.variables.iter().find(|variable| wanted(&variable.source)).map(|variable| variable.scope)
    };
    assert_eq!(scope(|source| matches!(source, Source::Random { low: 0, high: 9 })), Some(Scope::Iteration));
    assert_eq!(scope(|source| matches!(source, Source::UserIncrement)), Some(Scope::Task));
    assert!(scope(|source| matches!(source, Source::UserIndex)).is_some());
    let captured = plan.requests[0].captures.iter().map(|capture| capture.slot).collect::<Vec<_>>();
    let [token] = captured.as_slice() else { panic!("the first task gives the token") };
    assert!(plan.requests[1].captures.is_empty());
    let header = &plan.requests[1].headers.iter().find(|(name, _)| name == "iplanetDirectoryPro").unwrap().1;
    assert_eq!(header.slots(), [*token], "the literal tokenId in this header is the token");
}

#[test]
fn old_spellings_and_the_command_line_name_the_server() {
    let old = job(r#""service-location": "http://192.168.1.90:", "service-port": "8080","#);
    assert_eq!(servers(&plan(&world(&old), &Options::default())), ["http://192.168.1.90:8080"; 2]);
    let options = Options { target: Some("https://elsewhere".to_owned()), ..Options::default() };
    assert_eq!(servers(&plan(&world(&old), &options)), ["https://elsewhere"; 2]);
}

#[test]
fn what_is_turned_off_needs_no_files_and_a_home_may_be_named() {
    let moved = Memory::with("elsewhere/job.json", job(r#""service-location-port": "http://am","#));
    let options = Options { home: Some("other".into()), ..Options::default() };
    let problems = moved.load("elsewhere/job.json", &options).unwrap_err();
    assert!(lines(&problems).contains("work"), "{}", lines(&problems));
    assert!(!lines(&problems).contains("off"), "{}", lines(&problems));
}

#[test]
fn what_a_workload_persists_every_task_can_give() {
    let world = world(&job(r#""service-location-port": "http://am","#))
        .and("workloads/work.json", r#"{"persist":["tokenId"],"tasks":[{"log-in": 400},{"use": 100}]}"#);
    let plan = plan(&world, &Options::default());
    let slots: Vec<Vec<_>> = plan
        .requests
        .iter()
        .map(|request| {
            request.captures.iter().map(|capture| plan.variable(capture.slot).name.clone()).collect()
        })
        .collect();
    assert!(slots.iter().all(|names| names.contains(&"TOKENID".to_owned())), "{slots:?}");
}

#[test]
fn wildcards_of_all_four_types_have_a_source() {
    let wildcards = r#""service-location-port": "http://am", "WILDCARDS": [
        {"name": "$RANDOMVALUE", "type": "generated"}, {"name": "$TOKENID", "type": "retained"},
        {"name": "$FILE-A", "type": "file", "source": "names.txt"},
        {"name": "$OBJECT-O", "type": "rest-endpoint", "source": "http://am/value"} ],"#;
    let task =
        r#"{"request":"GET","url-endpoint":"/$FILE-A/$OBJECT-O/$RANDOMVALUE/$TOKENID","url-payload":""}"#;
    let world = world(&job(wildcards)).and("jobs/names.txt", "ann\nbob\n").and("tasks/use.json", task);
    let plan = plan(&world, &Options::default());
    let source = |name: &str| {
        &plan
            .variables
            .iter()
            .find(|variable| variable.name == name)
            .unwrap_or_else(|| panic!("{name}"))
            .source
    };
    assert!(matches!(source("FILE-A"), Source::Column { column: 0, .. }));
    assert_eq!(plan.data[0].rows(), 2);
    assert!(matches!(source("OBJECT-O"), Source::Endpoint(_)));
    assert!(matches!(source("RANDOMVALUE"), Source::Random { low: 0, high: 9 }));
    assert!(matches!(source("TOKENID"), Source::Captured));
}

#[test]
fn a_location_and_a_port_may_stand_at_different_levels() {
    let apart = job(r#""service-location": "http://am", "service-port": "8080","#);
    let task = r#"{"request":"GET","service-port":9090,"url-endpoint":"/","url-payload":""}"#;
    let world = world(&apart).and("tasks/use.json", task);
    assert_eq!(servers(&plan(&world, &Options::default())), ["http://am:8080", "http://am:9090"]);
}

#[test]
fn a_native_job_says_what_it_leaves_out_of_an_original_workload() {
    let job = "loadgen: 1\ntarget: http://a\nload: { iterations: 1 }\nworkloads: { w: {} }\n";
    let world = Memory::with("job.yaml", job)
        .and("workloads/w.json", r#"{"name":"w","tasks":[{"t":100}],"persist":"x"}"#)
        .and("tasks/t.json", r#"{"request":"GET","url-endpoint":"/"}"#);
    let loaded = world.load("job.yaml", &Options::default()).unwrap();
    assert_eq!(
        lines(&loaded.warnings),
        "workloads/w.json:1:33: warning: `persist` of an original workload says nothing to a native job; \
         set it in the native job\n"
    );
}
