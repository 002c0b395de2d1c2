//! The original's table: every figure that its author published comes out again.

use loadgen_report::classic;

use crate::{golden, sample, seed};

/// The published figures of one row, in order.
fn check_row(table: &str, figures: &str) {
    let name = figures.split_whitespace().next().unwrap();
    let line = table.lines().find(|line| line.starts_with(name)).unwrap();
    let found: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(found, figures.split_whitespace().collect::<Vec<_>>());
}

fn check_lines(table: &str, lines: &[&str]) {
    for expected in lines {
        assert!(table.lines().any(|line| line == *expected), "no line {expected:?} in\n{table}");
    }
}

const HEADER: &str = "Operation                          TxTotal  AccmTime  Thrshold    TxPass  PassTime   TxExced  ExcdTime    TxFail  Failtime    CbdPsOps     ThrdOps      Avrms/op   Success    Exceed      Fail";

#[test]
fn four_cores() {
    let table = classic::table(&seed::four_cores());
    golden::check("classic-four-cores", &table);
    let expected = [
        "Job Started with 16 threads on Thu Jun 25 15:43:06 UTC 2015...and completed Thu Jun 25 15:55:17 UTC 2015",
        HEADER,
        "authenticate-openam-user-object     16000011130.598s     200ms    15967911065.405s       321   65.193s         0    0.000s   230.888/s    14.430/s   69.298ms/op    99.80%     0.20%     0.00%",
        "logout-openam-user-object           160000  545.667s     100ms    159639  541.514s        40    4.153s       321    0.000s  4716.820/s   294.801/s    3.392ms/op    99.77%     0.03%     0.20%",
        "Job lapsed time =       731276ms",
        "Passed Accum time =     11606919ms",
        "Total Threads =         16",
        "Thread group size =     0",
        "Launch interval =       0ms",
        "Transaction goal =      320000",
        "Transction actual =     319318",
        "Successful ops/s =      440.176",
        "Ops/s during job =      436.659",
        "Success rate =          99.79%",
        "Total sleep sec =       0.000",
        "Based on following workloads:",
        "\tWorkload: authenticate-read-logout-user-object with 160000 loops; Percent load = 100.00%",
        "\tTasks used:",
        "\t\tauthenticate-openam-user-object",
        "\t\tlogout-openam-user-object",
        "Target environment(s): one 4xcore 7GB Ubuntu 14.04 VM in Azure Apache Tomcat 7.59, JDK8, OpenAM 12.0.0 with 200,000 users",
        "Load generator: one 2xcore Ubuntu 14.04 VM in Azure on same vnet at OpenAM server (example.com)",
    ];
    assert_eq!(table.lines().take(expected.len()).collect::<Vec<_>>(), expected);
}

#[test]
fn eight_cores() {
    let table = classic::table(&seed::eight_cores());
    golden::check("classic-eight-cores", &table);
    let expected = [
        "Job Started with 16 threads on Thu Jun 25 19:54:52 UTC 2015...and completed Thu Jun 25 20:02:00 UTC 2015",
        HEADER,
        "authenticate-openam-user-object     160000 6389.917s     200ms    159632 6313.170s       368   76.747s         0    0.000s   404.569/s    25.286/s   39.548ms/op    99.77%     0.23%     0.00%",
        "logout-openam-user-object           160000  443.919s     100ms    159632  443.919s         0    0.000s       368    0.000s  5753.554/s   359.597/s    2.781ms/op    99.77%     0.00%     0.23%",
        "Job lapsed time =       428219ms",
        "Passed Accum time =     6757089ms",
        "Total Threads =         16",
        "Thread group size =     0",
        "Launch interval =       0ms",
        "Transaction goal =      320000",
        "Transction actual =     319264",
        "Successful ops/s =      755.980",
        "Ops/s during job =      745.562",
        "Success rate =          99.77%",
        "Total sleep sec =       0.000",
    ];
    assert_eq!(table.lines().take(expected.len()).collect::<Vec<_>>(), expected);
}

#[test]
fn directory() {
    let table = classic::table(&seed::directory());
    golden::check("classic-directory", &table);
    for row in [
        "read-opendj-user-object 40000 211.088s 400ms 39991 211.023s 0 0.000s 9 0.065s 758.041/s 189.510/s 5.277ms/op 99.98% 0.00% 0.02%",
        "query-opendj-user-objects 4000 34.814s 400ms 3999 34.809s 0 0.000s 1 0.005s 459.536/s 114.884/s 8.704ms/op 99.97% 0.00% 0.03%",
        "create-opendj-user-object 40 1.803s 400ms 40 1.803s 0 0.000s 0 0.000s 88.741/s 22.185/s 45.075ms/op 100.00% 0.00% 0.00%",
        "update-opendj-new-user-object 40 1.032s 200ms 38 0.596s 2 0.436s 0 0.000s 255.034/s 63.758/s 15.684ms/op 95.00% 5.00% 0.00%",
        "read-opendj-new-user-object 80 1.277s 200ms 76 1.277s 0 0.000s 4 0.000s 238.058/s 59.514/s 16.803ms/op 95.00% 0.00% 5.00%",
    ] {
        check_row(&table, row);
    }
    check_lines(
        &table,
        &[
            "Job lapsed time =       66399ms",
            "Passed Accum time =     249508ms",
            "Total Threads =         4",
            "Thread group size =     0",
            "Launch interval =       1000ms",
            "Transaction goal =      44160",
            "Transction actual =     44144",
            "Successful ops/s =      707.697",
            "Ops/s during job =      664.829",
            "Success rate =          99.96%",
            "Total sleep sec =       12.179",
            "\tWorkload: read-user-object with 40000 loops; Percent load = 90.33%",
            "\tWorkload: query-user-objects with 4000 loops; Percent load = 9.03%",
            "\tWorkload: create-and-update-user-object with 40 loops; Percent load = 0.63%",
        ],
    );
}

#[test]
fn ramped() {
    let table = classic::table(&seed::ramped());
    golden::check("classic-ramped", &table);
    for row in [
        "authenticate-openam-user-object 8000 195.228s 200ms 7932 181.388s 68 13.840s 0 0.000s 1399.343/s 43.729/s 22.868ms/op 99.15% 0.85% 0.00%",
        "validate-openam-user-session 16000 42.684s 100ms 15861 42.376s 3 0.308s 136 0.000s 11977.346/s 374.292/s 2.672ms/op 99.13% 0.02% 0.85%",
        "logout-openam-user-object 8000 25.430s 100ms 7927 25.223s 2 0.207s 71 0.000s 10056.854/s 314.277/s 3.182ms/op 99.09% 0.03% 0.89%",
    ] {
        check_row(&table, row);
    }
    check_lines(
        &table,
        &[
            "Job Started with 32 threads on Fri Jun 26 17:33:06 UTC 2015...and completed Fri Jun 26 19:09:41 UTC 2015",
            "Job lapsed time =       5795471ms",
            "Passed Accum time =     248987ms",
            "Total Threads =         32",
            "Thread group size =     1",
            "Launch interval =       10000ms",
            "Transaction goal =      32000",
            "Transction actual =     31720",
            "Successful ops/s =      4076.679",
            "Ops/s during job =      5.473",
            "Success rate =          99.13%",
            "Total sleep sec =       174473.266",
            "\tWorkload: authenticate-read-logout-user-object with 8000 loops; Percent load = 100.00%",
            "Ramp-up                 CbdPsOps and Successful ops/s are not valid",
        ],
    );
    assert!(table.contains("Concurrency u =         0.00134"), "{table}");
}

#[test]
fn short() {
    let table = classic::table(&seed::short());
    golden::check("classic-short", &table);
    for row in [
        "authenticate-openam-admin 40 0.816s 400ms 40 0.816s 0 0.000s 0 0.000s 196.078/s 49.020/s 20.400ms/op 100.00% 0.00% 0.00%",
        "create-openam-user-object-post 40 1.015s 800ms 40 1.015s 0 0.000s 0 0.000s 157.635/s 39.409/s 25.375ms/op 100.00% 0.00% 0.00%",
        "logout-openam-admin 40 0.440s 100ms 40 0.440s 0 0.000s 0 0.000s 363.636/s 90.909/s 11.000ms/op 100.00% 0.00% 0.00%",
    ] {
        check_row(&table, row);
    }
    check_lines(
        &table,
        &[
            "Job lapsed time =       617ms",
            "Passed Accum time =     2271ms",
            "Total Threads =         4",
            "Transaction goal =      120",
            "Transction actual =     120",
            "Successful ops/s =      211.361",
            "Ops/s during job =      194.489",
            "Success rate =          100.00%",
            "Total sleep sec =       0.000",
            "\tWorkload: adminuser-authenticate-createuser-logout with 40 loops; Percent load = 100.00%",
        ],
    );
}

#[test]
fn nothing_passed_and_nothing_asked_for() {
    let mut report = seed::short();
    let task = &mut report.tasks[0];
    (task.passed, task.failed, task.passed_s, task.failed_s) = (0, 40, 0.0, 0.02);
    report.tasks[1].requests = 0;
    report.tasks[1].passed = 0;
    report.tasks[2].passed_s = 0.0;
    report.tasks[2].threshold_ms = None;
    let table = classic::table(&report);
    golden::check("classic-nothing-passed", &table);
    check_row(
        &table,
        "authenticate-openam-admin 40 0.020s 400ms 0 0.000s 0 0.000s 40 0.020s - - - 0.00% 0.00% 100.00%",
    );
    check_row(
        &table,
        "logout-openam-admin 40 0.000s - 40 0.000s 0 0.000s 0 0.000s - - 0.000ms/op 100.00% 0.00% 0.00%",
    );
    let rows = table.lines().filter(|line| line.starts_with("create-openam-user-object-post"));
    assert_eq!(rows.count(), 0, "a task that was never asked for has no row");
}

#[test]
fn skipped_count_as_failed_above_and_apart_below() {
    let mut report = seed::four_cores();
    let logout = &mut report.tasks[1];
    (logout.failed, logout.skipped, logout.requests) = (0, 321, 159_679);
    report.totals.skipped = 321;
    let table = classic::table(&report);
    golden::check("classic-skipped", &table);
    check_row(
        &table,
        "logout-openam-user-object 160000 545.667s 100ms 159639 541.514s 40 4.153s 321 0.000s 4716.820/s 294.801/s 3.392ms/op 99.77% 0.03% 0.20%",
    );
    check_lines(&table, &["Transaction goal =      320000"]);
    assert!(table.contains("0 failed, 321 skipped"), "{table}");
}

#[test]
fn a_task_of_two_workloads_is_one_row() {
    let table = classic::table(&sample::passed());
    golden::check("classic-two-workloads", &table);
    let above = table.split("Job lapsed").next().unwrap();
    assert_eq!(above.lines().filter(|line| line.starts_with("login ")).count(), 1);
    assert!(above.contains("     12745"), "12,345 + 400");
    assert!(!above.contains("create-user"), "set-up is not part of the original's table");
    assert!(!table.contains("Workload: off"));
    assert!(
        table.contains("\tWorkload: lookup with 12345 loops"),
        "iterations begun where none were asked for"
    );
}

#[test]
fn a_run_that_never_got_going_divides_by_nothing() {
    let mut report = seed::short();
    (report.load.users, report.run.elapsed_s) = (0, 0.0);
    report.tasks.clear();
    let table = classic::table(&report);
    check_lines(
        &table,
        &[
            "Transaction goal =      0",
            "Successful ops/s =      -",
            "Ops/s during job =      -",
            "Success rate =          -",
        ],
    );
    assert!(!table.contains("NaN") && !table.contains("inf"), "{table}");
}
