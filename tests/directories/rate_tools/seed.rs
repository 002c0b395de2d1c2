//! The two command lines of modrate's reference page. Changed are the names of server, files and manager, the number
//! of users, and how long they run.

use crate::support::command::{Done, Folder};
use crate::support::directory::{Directory, PASSWORD};
use crate::support::opendj::OPENDJ;
use crate::support::rate_tool::{total, typed};
use crate::support::stores;

fn check(done: &Done) {
    assert_eq!(done.code, 0, "{done:?}");
    let [operations, _, failed] = total(done);
    assert!(operations > 100 && failed == 0, "{done:?}");
    let dashes = "-".repeat(79);
    let header = format!(
        "{dashes}\n\
         |     Throughput    |                 Response Time                |          | \n\
         |    (ops/second)   |                (milliseconds)                |          | \n\
         |   recent  average |   recent  average    99.9%   99.99%  99.999% |  err/sec | \n{dashes}\n"
    );
    assert_eq!(done.stdout.get(..header.len()), Some(&*header), "{done:?}");
    assert_eq!(done.stdout.lines().count(), 6, "one row: {done:?}");
}

/// The first one has no end: `-d` is added.
fn short(directory: &Directory) {
    let port = directory.secure_url.rsplit_once(':').unwrap().1;
    let line = format!(
        "modrate -p {port} -Z -X -D '{}' -w password \
         -F -c 4 -t 4 -b 'uid=user.{{1}},ou=people,dc=example,dc=com' -d 2 \
         -g 'rand(0,9)' -g 'randstr(16)' 'description:{{2}}'",
        directory.manager
    );
    check(&typed(&Folder::new(), &line).run());
}

fn long(directory: &Directory) {
    let folder = Folder::new();
    let store = stores::trust(&folder, &directory.authority, "PKCS12");
    let pin = folder.write("keystore.pin", format!("{PASSWORD}\n"));
    let port = directory.secure_url.rsplit_once(':').unwrap().1;
    let line = format!(
        "modrate --hostname localhost --port {port} --useSsl \
         --usePkcs12TrustStore {} --trustStorePassword:file {} \
         --bindDn '{}' --bindPassword password --noRebind --numConnections 4 --numConcurrentRequests 4 \
         --maxDuration 2 \
         --argument 'rand(0,9)' --targetDn 'uid=user.{{1}},ou=people,dc=example,dc=com' \
         --argument 'randstr(16)' 'description:{{2}}'",
        store.display(),
        pin.display(),
        directory.manager
    );
    check(&typed(&folder, &line).run());
}

#[test]
fn both_command_lines_of_the_page_work_on_opendj() {
    let opendj = OPENDJ.with_others();
    short(&opendj.directory);
    long(&opendj.directory);
    assert_eq!(opendj.directory.read("uid=user.1,ou=people,dc=example,dc=com", "description")[0].len(), 16);
}
