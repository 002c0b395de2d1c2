//! LDAP operations: what a job says of them, and what the plan makes of it.

use crate::memory::{Memory, plan};
use loadgen_model::format::Options;
use loadgen_model::ldap::{Ask, Bind, Filter, Operation, RecordSource};
use loadgen_model::request::{Protocol, Sharing};
use loadgen_model::template::{Missing, Template, Values};
use loadgen_model::variable::{Order, Slot};

/// Every variable has this value.
struct Always(&'static str);

impl Values for Always {
    fn write(&mut self, _: Slot, out: &mut Vec<u8>) -> Result<(), Missing> {
        out.extend_from_slice(self.0.as_bytes());
        Ok(())
    }
}

fn text(template: &Template, value: &'static str) -> String {
    let mut out = Vec::new();
    template.render(&mut Always(value), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The one operation of a job.
fn operation(job: &str, task: &str) -> Operation {
    let job = format!(
        "loadgen: 1\n{job}\nload: {{ iterations: 1 }}\nworkloads: {{ w: {{ steps: [{{ task: t }}] }} }}\n\
         wildcards: {{ V: {{ string: 4 }} }}\ntasks: {{ t: {task} }}\n"
    );
    plan(&job).operations.remove(0)
}

#[test]
fn the_directory_is_that_of_the_innermost_level_or_the_tasks_own() {
    let check = |job: &str, task: &str, expected: &str, protocol: Protocol| {
        let server = operation(job, task).server;
        assert_eq!((server.to_string().as_str(), server.protocol), (expected, protocol));
    };
    let job = "directory: ldap://a";
    check(job, "{ ldap: unbind }", "ldap://a:389", Protocol::Ldap);
    check(job, "{ ldap: unbind, directory: 'ldaps://[::1]' }", "ldaps://[::1]:636", Protocol::Ldap);
    check(job, "{ ldap: unbind, url: 'ldap://b:1389/' }", "ldap://b:1389", Protocol::Ldap);
    check(job, "{ ldap: unbind, tls: { start_tls: on } }", "ldap://a:389", Protocol::LdapStartTls);
    check(
        job,
        "{ ldap: unbind, url: ldapi://%2Frun%2Fldapi }",
        "ldapi://%2Frun%2Fldapi",
        Protocol::LdapLocal,
    );
}

#[test]
fn variables_in_names_are_escaped_where_they_are_values() {
    let check = |dn: &str, value: &'static str, expected: &str| {
        let bind = operation(
            "directory: ldap://a\nvariables: { BASE: 'dc=x,dc=y', NAME: 'a, b' }",
            &format!("{{ ldap: bind, dn: '{dn}', password: 'p,$V' }}"),
        );
        let Ask::Bind(Bind::Simple { dn, password }) = &bind.ask else { panic!("{bind:?}") };
        assert_eq!(text(dn, value), expected);
        assert_eq!(text(password, value), format!("p,{value}"), "a password stands as it is");
    };
    check("uid=user.$V,$BASE", "1", "uid=user.1,dc=x,dc=y");
    check("uid=$V,$BASE", " a,b=c ", r"uid=\ a\,b\=c\ ,dc=x,dc=y");
    check("cn=$NAME+sn=x,$BASE", "1", r"cn=a\, b+sn=x,dc=x,dc=y");
    check(r"cn=a\,b,${V | upper}", "ou=x", r"cn=a\,b,OU=X");
    check("$V", "uid=a,dc=x", "uid=a,dc=x");
}

proptest::proptest! {
    /// What RFC 4514 section 2.4 escapes, read back, is what it was.
    #[test]
    fn an_escaped_value_is_read_back(value in "[a-c ,+=\"<>;#\\\\\u{0}\u{e9}]{0,12}") {
        let mut escaped = Vec::new();
        loadgen_model::template::escape_into(value.as_bytes(), loadgen_model::template::Escape::Dn, &mut escaped);
        let (mut read, mut rest) = (Vec::new(), escaped.as_slice());
        while let Some((first, more)) = rest.split_first() {
            rest = match (first, more) {
                (b'\\', [b'0', b'0', more @ ..]) => { read.push(0); more }
                (b'\\', [sign, more @ ..]) => { read.push(*sign); more }
                (sign, more) => {
                    proptest::prop_assert!(!b",+=\"<>;#\0".contains(sign), "{escaped:?}");
                    read.push(*sign);
                    more
                }
            };
        }
        proptest::prop_assert_eq!(read, value.as_bytes());
        let ends = escaped.first() != Some(&b' ') && (escaped.last() != Some(&b' ') || escaped.ends_with(b"\\ "));
        proptest::prop_assert!(ends, "{:?}", escaped);
    }
}

#[test]
fn variables_in_filters_mean_nothing_but_themselves() {
    let filter = |text: &str| {
        let task = format!("{{ ldap: search, filter: '{text}' }}");
        let search = operation("directory: ldap://a\nvariables: { STAR: 'a*', WHOLE: '(uid=$V)' }", &task);
        let Ask::Search(search) = search.ask else { panic!("no search") };
        search.filter
    };
    let Filter::Compare(_, attribute, value) = filter("(cn=$STAR)") else { panic!("a star is no wildcard") };
    assert_eq!((attribute.as_str(), text(&value, "").as_str()), ("cn", "a*"));
    let Filter::Substrings { initial: Some(initial), last: None, .. } = filter("(cn=$STAR*)") else {
        panic!()
    };
    assert_eq!(text(&initial, ""), "a*");
    let Filter::Compare(_, _, value) = filter(r"(cn=\2a${V | upper}\29)") else { panic!() };
    assert_eq!(text(&value, "x"), "*X)");
    assert!(matches!(filter("$V"), Filter::Text(_)), "a filter of a variable is read when it is known");
    let Filter::Compare(_, _, value) = filter("${WHOLE}") else { panic!("the constant is the filter") };
    assert_eq!(text(&value, "*"), "*");
}

#[test]
fn users_may_share_connections_that_are_bound_for_all_of_them() {
    let plan = plan(
        "loadgen: 1\ndirectory: ldap://a\nload: { iterations: 1 }\nvariables: { WHO: \"cn=a,b\" }\n\
         connections: { shared: 4, streams: 8, bind: { dn: \"$WHO\", password: p } }\n\
         workloads: { w: { steps: [{ task: s }, { task: t }, { task: u }] } }\n\
         tasks:\n  s: { ldap: search }\n  t: { ldap: delete, dn: cn=a }\n\
         \x20 u: { ldap: search, connections: { shared: 2 } }\n  not-used: { ldap: search, url: ldap://b }\n",
    );
    let shared = |connections, streams| Some(Sharing { connections, streams });
    let ways: Vec<_> = plan.transports.iter().map(|way| (way.sharing, way.bind.is_some())).collect();
    assert_eq!(ways, [(shared(4, 8), true), (shared(2, 1), false)]);
    let bind = usize::from(plan.transports[0].bind.unwrap());
    assert_eq!(plan.operations.len(), 4, "one bind for both tasks, and none for what is not used");
    let Ask::Bind(Bind::Simple { dn, password }) = &plan.operations[bind].ask else { panic!("no bind") };
    assert_eq!((text(dn, ""), text(password, "")), ("cn=a,b".to_owned(), "p".to_owned()));
    let transports: Vec<_> = plan.operations.iter().map(|operation| operation.transport.0).collect();
    assert_eq!(transports.iter().filter(|transport| **transport == 0).count(), 3);
    assert_eq!(plan.operations[bind].server.to_string(), "ldap://a:389");
}

#[test]
fn records_are_drawn_and_named_as_rows_are() {
    let ldif = "dn: cn=a\ncn: a\nuserPassword: s3cret\nMail: m\n\ndn: cn=b\nchangetype: delete\n";
    let job = "loadgen: 1\ndirectory: ldap://a\nload: { iterations: 1 }\n\
               wildcards: { PEOPLE: { file: people.ldif, order: unique } }\n\
               workloads: { w: { steps: [{ task: add }, { task: bind }] } }\ntasks:\n  \
               add: { ldap: record, from: PEOPLE, controls: { manage_dsa_it: on } }\n  \
               bind: { ldap: bind, dn: \"${PEOPLE.DN}\", password: \"${PEOPLE.userpassword}${PEOPLE.mail}\" }\n";
    assert!(crate::schema::validator().is_valid(&crate::yaml::value(job)));
    let world = Memory::with("job.yaml", job).and("people.ldif", ldif);
    let loaded = world.load("job.yaml", &Options::default()).unwrap();
    let explained = loaded.explanation.to_string();
    assert!(explained.contains("what a record of PEOPLE says"), "{explained}");
    let plan = loaded.plan;
    let Ask::Record(RecordSource::Data { data, dn }) = plan.operations[0].ask else { panic!("{plan:?}") };
    assert_eq!(plan.variable(dn).name, "PEOPLE.dn");
    let data = &plan.data[usize::from(data.0)];
    assert_eq!((data.rows(), data.order), (2, Order::Unique));
    assert_eq!(data.columns, ["dn", "cn", "userPassword", "Mail"]);
    let fields =
        |row| (0..4).map(move |column| String::from_utf8_lossy(data.field(row, column)).into_owned());
    assert_eq!(fields(0).collect::<Vec<_>>(), ["cn=a", "a", "s3cret", "m"]);
    assert_eq!(fields(1).collect::<Vec<_>>(), ["cn=b", "", "", ""]);
    assert!(!format!("{plan:?}").contains("s3cret"));
}
