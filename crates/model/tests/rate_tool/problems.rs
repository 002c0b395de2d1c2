//! What is said of command lines that cannot be run.

use crate::{World, read, refusal, store};
use loadgen_model::format::rate_tool::USAGE_EXIT;

fn check(line: &str, expected: &[&str]) {
    let refused = read(line, &World::default()).unwrap_err();
    let said: Vec<String> = refused.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said, expected, "{line}");
    assert_eq!(refused.exit, USAGE_EXIT, "{line}");
}

#[test]
fn the_originals_usage_errors_are_refused() {
    check(
        "modrate --nosuch -b a b:c",
        &["error: `modrate` has no option `--nosuch`; see `loadgen modrate --help`"],
    );
    check("authrate -F -D a -w b", &["error: `authrate` has no option `-F`; see `loadgen authrate --help`"]);
    check("authrate -f -m 5", &["error: nothing says who binds; add `--bindDn` or `--saslOption mech=...`"]);
    check(
        "modrate description:x",
        &["error: `--targetDn` is missing; add `--targetDn` with a name or its template"],
    );
    check(
        "modrate -t 2 -b a b:c",
        &[
            "error: `--numConcurrentRequests` is 2, but connections are bound before each operation; add `--noRebind`: \
         a bind must not overlap other operations of its connection",
        ],
    );
    check(
        "modrate -F -c 4 -t 4 -m 10 -b a b:c",
        &[
            "error: `--maxIterations` is 10, less than the 16 operations under way at once; write a greater number, or \
         use fewer connections or requests",
        ],
    );
    check(
        "modrate -Z -q -b a b:c",
        &["error: both `--useSsl` and `--useStartTls` are given; keep one of them"],
    );
    check(
        "modrate -X -P trust -b a b:c",
        &["error: more than one option says which certificates are trusted; keep one of `--trustAll`, \
         `--useJvmTrustStore` and the trust store"],
    );
}

#[test]
fn arguments_and_templates_are_checked_before_the_run() {
    check(
        "modrate -b 'a%d' -g 'rand(0,zz)' b:x",
        &[
            "error: the argument `rand(0,zz)` names neither two whole numbers nor a file; write two numbers without \
         thousands separators, such as `rand(0,1999)`, or the name of a file",
        ],
    );
    check(
        "modrate -b 'a%d' -g 'rand(0,20)' 'b:%3$s'",
        &[
            "error: in the value of `b` `%3$s` asks for argument 3 of 1; count `--argument` options from 1; `{}` and \
         `%s` take the next one",
        ],
    );
    check(
        "modrate -b 'a{0}' -g 'rand(0,20)' 'b:{}{}'",
        &[
            "error: in the value of `b` `{}` asks for argument 2 of 1; count `--argument` options from 1; `{}` and \
         `%s` take the next one",
            "error: in `--targetDn` `{0}` asks for argument 0; count `--argument` options from 1; `{}` and \
         `%s` take the next one",
        ],
    );
    check(
        "modrate -b 'a%d' -g 'randstr(4)' 'b:x'",
        &[
            "error: in `--targetDn` `%d` wants a number, but argument 1 is text; count `--argument` options from 1; \
         `{}` and `%s` take the next one",
        ],
    );
    check(
        "modrate -b 'a%d%q' -g 'rand(5,4)' 'b:x'",
        &[
            "error: in the argument `rand(5,4)` 5 is above 4; write the smaller number first",
            "error: in `--targetDn` `%q` is no placeholder beside `%d` and `%s`; a percent sign is `%%`; count \
         `--argument` options from 1; `{}` and `%s` take the next one",
        ],
    );
    check(
        "modrate -b a -g 'inc(/none)' -g 'randstr(x)' -g 'randstr(4,[z-a])' b:x",
        &[
            "error: the file of the argument `inc(/none)` cannot be read: no such file; name a file that is there, \
         with a value on each line",
            "error: the length in the argument `randstr(x)` is not a whole number from 0 to 1048576; write \
         `randstr(16)`",
            "error: the character set in the argument `randstr(4,[z-a])` has the range `[z-a]`, which ends before it \
         begins; write single characters and ranges such as `[a-z]`",
        ],
    );
    check(
        "modrate -b a --classic -g 'rand(4,4)' b:x",
        &[
            "error: the argument `rand(4,4)` leaves no number, because `--classic` excludes the upper end; write a \
         greater upper end",
        ],
    );
    check(
        "searchrate -b a -D '{1}' -w x -B 5 -d 5 '{1}'",
        &[
            "error: `--maxDuration` is 5 s, all of it within the warm-up of 5 s; write a greater duration: it includes \
         the warm-up",
            "error: in the filter `{1}` asks for argument 1 of 0; count `--argument` options from 1; `{}` and `%s` take \
         the next one",
        ],
    );
}

#[test]
fn all_problems_are_said_at_once() {
    check(
        "modrate --hostnam x -p 99999 -e 101 -i 0 --strategy modfy description",
        &[
            "error: `modrate` has no option `--hostnam`; did you mean `--hostname`?",
            "error: `--statInterval` is `0`; write a number from 1 to 1000000000, without separators",
            "error: `--percentile` is `101`; write a number from 0 to 100, such as 99.9",
            "error: `--targetDn` is missing; add `--targetDn` with a name or its template",
            "error: modification 1 names no attribute; write `ATTRIBUTE:VALUE`",
            "error: `--strategy` is `modfy`; did you mean `modify`?",
            "error: `--port` is `99999`; write a number from 1 to 65535, without separators",
        ],
    );
}

#[test]
fn addrates_thresholds_must_fit() {
    check(
        "addrate -C off -s 10",
        &[
            "error: there is a threshold, but `--deleteMode off` deletes nothing; leave out `--deleteSizeThreshold` and \
         `--deleteAgeThreshold`, or choose another mode",
            "error: nothing says which entries to add; write the name of a template file behind the options",
        ],
    );
    assert!(refusal("addrate -C random -a 10").contains("`--deleteMode random` does not go by age"));
    assert!(refusal("addrate -s 10 -a 10").contains("there are two thresholds"));
}

#[test]
fn stores_that_cannot_be_used_are_said_with_all_else() {
    let world = World::default().file("keys", store("keytool.jks")).file("picture", "GIF89a");
    let check = |options: &str, expected: &[&str]| {
        let refused = read(&format!("modrate {options} -b a b:c"), &world).unwrap_err();
        let said: Vec<String> = refused.problems.iter().map(ToString::to_string).collect();
        assert_eq!(said, expected, "{options}");
    };
    check(
        "-c 0 -Z -P gone -K picture",
        &[
            "error: `--numConnections` is `0`; write a number from 1 to 65535, without separators",
            "error: cannot read `/here/gone`: there is no such file; name a file made by keytool or openssl",
            "error: `/here/picture` is neither PKCS#12, JKS, JCEKS nor PEM; name a file made by keytool or openssl",
        ],
    );
    check(
        "-q -P keys -T hunter2 -K keys -W changeit -N third",
        &[
            "error: `/here/keys` does not open with this password, or is damaged; give the password that it was made with",
            "error: `/here/keys` has no key `third`; it has `first`, `second`",
        ],
    );
    check("-q -X -K keys", &["error: `/here/keys` has several keys; name one of them: `first`, `second`"]);
    check(
        "-q -X -K keys -N first",
        &[
            "error: `/here/keys` needs its password, which is not given; give the password that it was made with",
        ],
    );
}

#[test]
fn what_cannot_be_done_here_is_refused() {
    check(
        "searchrate -Z --usePkcs11KeyStore -b a b=c",
        &[
            "error: `--usePkcs11KeyStore` needs Java; export the key to a PKCS#12 file and use `--usePkcs12KeyStore`",
        ],
    );
    check(
        "authrate -o mech=PLAN -w x -f",
        &["error: the SASL mechanism `PLAN` is not known; did you mean `PLAIN`?"],
    );
    check(
        "authrate -o mech=gssapi -o kdc=a -w x -f",
        &[
            "error: the SASL mechanism `GSSAPI` is not supported: it needs Kerberos tickets; use SCRAM-SHA-256, \
         DIGEST-MD5 or PLAIN with a password, or EXTERNAL with a client certificate",
            "warning: the SASL option `kdc` is not used: it is for GSSAPI; remove it",
        ],
    );
    check(
        "authrate -o mech=CRAM-MD5 -o authid=a -o authzid=b -o realm=c -w x -f",
        &[
            "error: CRAM-MD5 has no `authzid`; remove that `--saslOption`",
            "error: CRAM-MD5 has no `realm`; remove that `--saslOption`",
        ],
    );
    check(
        "authrate -o authid=u:a -w x -f",
        &["error: no `--saslOption` names the mechanism; add `--saslOption mech=PLAIN` or another one"],
    );
    check(
        "searchrate -D cn=admin -b a b=c",
        &[
            "error: `--bindPassword` is not given and cannot be asked for; give it with `--bindPassword:env` or \
         `--bindPassword:file`",
        ],
    );
    check(
        "searchrate -p",
        &[
            "error: `--port` needs a value; write the value behind it",
            "error: `--baseDn` is missing; add `--baseDn` with a name or its template",
            "error: nothing says what to search for; write a filter behind the options, such as `(uid=user.{})`",
        ],
    );
}
