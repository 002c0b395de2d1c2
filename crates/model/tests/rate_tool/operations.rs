//! What command lines mean.

use crate::{World, run, run_in, store};
use loadgen_model::format::rate_tool::operation::{Deletion, Dereference, Scope};
use loadgen_model::format::rate_tool::server::{Mechanism, Security, Trust};
use loadgen_model::format::rate_tool::{Bind, Numbering, Operation, Reuse};
use std::path::Path;
use std::time::Duration;

const MODIFY: &str = "-b 'uid=user.{1},dc=example,dc=com' -g 'rand(0,2000)' 'description:{1}'";

#[test]
fn both_spellings_mean_the_same() {
    let lines = [
        "modrate -p 1389 -D cn=admin -w password -F -c 4 -t 4 -d 30 -b uid=user.{1} -g 'rand(0,20)' description:{1}",
        "modrate -p1389 -Dcn=admin -wpassword -Fc4 -t4 -d30 -bcn=user.{1} '-grand(0,20)' description:{1}",
        "modrate --port 1389 --bindDn cn=admin --bindPassword password --noRebind --numConnections 4 \
         --numConcurrentRequests 4 --maxDuration 30 --targetDn uid=user.%d --argument 'rand(0,20)' description:%d",
        "modrate --port=1389 --BINDDN=cn=admin --bindpassword=password --norebind --numConnections=4 \
         --numThreads=4 --maxDuration=30 --targetDN=uid=user.%1$s --argument='rand(0,20)' -- description:%1$s",
    ];
    for line in lines {
        let run = run(line);
        assert_eq!(run.server.port, 1389, "{line}");
        assert_eq!((run.pace.connections, run.pace.requests, run.pace.reuse), (4, 4, Reuse::Keep), "{line}");
        assert_eq!(run.pace.longest, Some(Duration::from_secs(30)), "{line}");
        let Bind::Simple { name, password } = &run.bind else { panic!("{line}") };
        assert_eq!((name.constant(), password.reveal()), (Some(&b"cn=admin"[..]), "password"), "{line}");
        let Operation::Modify(modify) = &run.operation else { panic!("{line}") };
        assert_eq!(modify.changes[0].attribute, "description", "{line}");
        assert_eq!(modify.target.constant(), None, "{line}");
    }
}

#[test]
fn defaults_are_those_of_the_original() {
    let run = run(&format!("modrate {MODIFY}"));
    assert_eq!((run.server.host.as_str(), run.server.port), ("localhost", 389));
    assert_eq!(run.server.connect_timeout, Some(Duration::from_secs(30)));
    assert_eq!(run.server.security, Security::None);
    assert_eq!((run.pace.connections, run.pace.requests, run.pace.reuse), (1, 1, Reuse::Never));
    assert_eq!((run.pace.rate, run.pace.most_operations, run.pace.longest), (None, None, None));
    assert_eq!((run.pace.warm_up, run.output.interval), (Duration::ZERO, Duration::from_secs(5)));
    assert_eq!(run.output.percentiles, [99.9, 99.99, 99.999]);
    assert_eq!((run.bind, run.numbering, run.seed), (Bind::Anonymous, Numbering::OverAll, None));
    let Operation::Modify(modify) = run.operation else { panic!() };
    assert_eq!((modify.value_count, modify.unchanged), (1, None));
}

#[test]
fn the_same_letter_means_what_the_tool_says() {
    let Operation::Search(search) =
        run("searchrate -b dc=example -s one -a find '(uid=a)' cn mail").operation
    else {
        panic!()
    };
    assert_eq!((search.scope, search.dereference), (Scope::One, Dereference::Find));
    assert_eq!(search.attributes, ["cn", "mail"]);
    let Operation::Search(search) = run("searchrate -b dc=example '(uid=a)'").operation else { panic!() };
    assert_eq!((search.scope, search.dereference), (Scope::Sub, Dereference::Never));
}

#[test]
fn read_modify_compares_an_attribute() {
    let check = |options: &str, expected: Option<&str>| {
        let Operation::Modify(modify) = run(&format!("modrate {options} {MODIFY}")).operation else {
            panic!()
        };
        assert_eq!(modify.unchanged.as_deref(), expected, "{options}");
    };
    check("--strategy READ_MODIFY", Some("eTag"));
    check("--strategy read_modify --mvcc entryCSN", Some("entryCSN"));
    check("--strategy modify --mvcc entryCSN", None);
}

#[test]
fn a_bind_may_search_first() {
    let run = run(
        "authrate -D '{2}' -w password -f -c 10 -b ou=people -s one -g 'rand(0,9)' -I 30 '(uid=user.{1})'",
    );
    assert_eq!(run.pace.reuse, Reuse::Rebind);
    let Operation::Bind(bind) = run.operation else { panic!() };
    assert_eq!(bind.invalid_percent, 30);
    assert_eq!(bind.search.unwrap().scope, Scope::One);
}

#[test]
fn sasl_is_told_by_options() {
    let line = "authrate -Z -X -o mech=plain -o authid=u:user.%d -w password -f -g 'rand(0,9)'";
    let Bind::Sasl(sasl) = run(line).bind else { panic!() };
    assert_eq!(sasl.mechanism, Mechanism::Plain);
    assert_eq!(sasl.authid.unwrap().constant(), None);
    let Bind::Sasl(sasl) = run("authrate -Z -o mech=EXTERNAL -f").bind else { panic!() };
    assert_eq!((sasl.mechanism, sasl.password), (Mechanism::External, None));
}

#[test]
fn stores_are_files_whatever_their_option() {
    for option in ["--usePkcs12TrustStore", "--useJavaTrustStore", "--useJceTrustStore", "-P"] {
        let world =
            World::default().file("pin", "changeit\nmore\n").file("trust", store("keytool-trust.p12"));
        let (run, _) = run_in(&format!("modrate -Z {option} trust -T:file pin {MODIFY}"), &world);
        assert_eq!(run.server.port, 636, "{option}");
        let Security::Ldaps(tls) = run.server.security else { panic!("{option}") };
        let Trust::Store(store) = tls.trust else { panic!("{option}") };
        assert_eq!(store.file, Path::new("/here/trust"), "{option}");
        assert_eq!(store.password.unwrap().reveal(), "changeit", "{option}");
        assert_eq!(tls.settings.authorities, Some(self::store("ca.pem")), "{option}");
    }
    let Security::StartTls(tls) = run(&format!("modrate -q -X {MODIFY}")).server.security else { panic!() };
    assert_eq!(tls.trust, Trust::All);
    assert!(tls.settings.insecure);
}

#[test]
fn a_client_certificate_is_found_by_its_nickname() {
    let world = World::default().file("keys", store("keytool.jceks"));
    let line = format!("modrate -q -X --useJceKeyStore keys -W changeit -N Second {MODIFY}");
    let Security::StartTls(tls) = run_in(&line, &world).0.server.security else { panic!() };
    let (chain, key) = tls.settings.client.unwrap();
    assert!(chain.starts_with(&store("second.pem")));
    assert_eq!(key, store("second.key"));
}

#[test]
fn entries_are_deleted_as_the_options_say() {
    let template = "template: person\nrdnAttr: uid\nobjectClass: person\nuid: a.<sequential>\n\
                    \nbranch: dc=example\nsubordinateTemplate: person\n";
    let check = |options: &str, expected: Deletion, purge: bool| {
        let world = World::default().file("t", template);
        let (run, _) = run_in(&format!("addrate {options} t"), &world);
        let Operation::Add(add) = run.operation else { panic!() };
        assert_eq!((add.deletion, add.purge), (expected, purge), "{options}");
    };
    check("", Deletion::OldestBeyond(10_000), true);
    check("-C FIFO -s 500 -n", Deletion::OldestBeyond(500), false);
    check("-C fifo -a 2", Deletion::OlderThan(Duration::from_secs(2)), true);
    check("-C random -s 200", Deletion::RandomBeyond(200), true);
    check("-C off --noPurge --no-prompt", Deletion::Off, false);
}

#[test]
fn a_properties_file_completes_what_was_typed() {
    let world = World::default()
        .file(
            "p",
            "port=1389\nmodrate.port=2389\nsearchrate.port=9\nbindDn=cn=admin\nbindPassword\\:file=pin\n\
                    NOREBIND=TRUE\nverbose=false\nunknown=1\nstatInterval=7\n",
        )
        .file("pin", "secret");
    let (run, warnings) = run_in(&format!("modrate --propertiesFilePath p -i 2 {MODIFY}"), &world);
    assert_eq!(warnings, []);
    assert_eq!((run.server.port, run.pace.reuse, run.output.verbose), (2389, Reuse::Keep, false));
    assert_eq!(run.output.interval, Duration::from_secs(2));
    let Bind::Simple { password, .. } = run.bind else { panic!() };
    assert_eq!(password.reveal(), "secret");

    let mut world = World::default().variable("HOME", "/home/me");
    world.files.insert("/home/me/.opendj/tools.properties".into(), b"hostname=ds.example.com\n".to_vec());
    assert_eq!(run_in(&format!("modrate {MODIFY}"), &world).0.server.host, "ds.example.com");
    let line = format!("modrate --noPropertiesFile {MODIFY}");
    assert_eq!(run_in(&line, &world).0.server.host, "localhost");
}

#[test]
fn percentiles_may_have_decimals() {
    assert_eq!(
        run(&format!("modrate -e 99 -e 50 -e 99.95 -e 50 {MODIFY}")).output.percentiles,
        [50.0, 99.0, 99.95]
    );
}

#[test]
fn the_command_lines_of_the_documentation_of_ds_7_are_read() {
    let short = "modrate -p 1636 -Z -X -D uid=admin -w password -F -c 4 -t 4 \
                 -b 'uid=user.{1},ou=people,dc=example,dc=com' -g 'rand(0,2000)' -g 'randstr(16)' 'description:{2}'";
    let long = "modrate --hostname localhost --port 1636 --useSsl --usePkcs12TrustStore /ds/config/keystore \
                --trustStorePassword:file /ds/config/keystore.pin --bindDn uid=admin --bindPassword password \
                --noRebind --numConnections 4 --numConcurrentRequests 4 --maxDuration 30 \
                --argument 'rand(0,2000)' --targetDn 'uid=user.{1},ou=people,dc=example,dc=com' \
                --argument 'randstr(16)' 'description:{2}'";
    for line in [short, long] {
        let mut world = World::default();
        world.files.insert("/ds/config/keystore.pin".into(), b"changeit".to_vec());
        world.files.insert("/ds/config/keystore".into(), store("keytool.p12"));
        let (run, warnings) = run_in(line, &world);
        assert_eq!((run.workers(), run.arguments.len(), warnings.len()), (16, 2, 0), "{line}");
        assert!(matches!(run.server.security, Security::Ldaps(_)), "{line}");
    }
}

#[test]
fn iterations_are_not_rounded_down_to_the_workers() {
    let run = run(&format!("modrate -F -c 2 -t 2 -m 1003 {MODIFY}"));
    assert_eq!((run.workers(), run.pace.most_operations), (4, Some(1003)));
}

#[test]
fn a_warm_up_may_be_shorter_than_the_run() {
    let run = run(&format!("modrate -B 3 -d 5 -M 0.5 {MODIFY}"));
    assert_eq!((run.pace.warm_up, run.pace.longest), (Duration::from_secs(3), Some(Duration::from_secs(5))));
    assert_eq!(run.pace.rate, Some(0.5));
}

#[test]
fn classic_counts_within_each_worker() {
    assert_eq!(run(&format!("modrate --classic {MODIFY}")).numbering, Numbering::PerWorker);
}
