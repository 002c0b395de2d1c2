//! Connections that users share, against a server that does what it likes.

use super::script::{
    BIND_DONE, DELETE_DONE, MODIFY_DONE, Peer, SEARCH_DONE, Stand, bind, delete, entry, modify, result,
    search,
};
use loadgen_model::failure::Detail;
use loadgen_model::ldap::Ask;
use loadgen_model::{Failure, FailureKind};
use std::future::Future;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;

async fn here<T>(test: impl Future<Output = T>) -> T {
    tokio::task::LocalSet::new().run_until(test).await
}

fn text(failure: &Failure) -> String {
    match &failure.detail {
        Detail::Static(text) => (*text).to_owned(),
        Detail::Text(text) => text.to_string(),
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn answers_find_their_operations_in_whatever_order_they_come() {
    here(async {
        let stand = Stand::new(Some((1, 4)), &[search(), search(), search(), modify()], None).await;
        let users: Vec<_> = (0..4).map(|index| stand.ask(index)).collect();
        let mut peer = stand.accept().await;
        let ids = peer.ids(4).await;
        let mut said = [entry(ids[2]), entry(ids[1]), result(ids[3], MODIFY_DONE, 0, b"")].concat();
        said.extend([entry(ids[2]), result(ids[2], SEARCH_DONE, 0, b"")].concat());
        said.extend([result(ids[0], SEARCH_DONE, 0, b""), result(ids[1], SEARCH_DONE, 0, b"")].concat());
        // In pieces, so that messages are cut anywhere.
        for piece in said.chunks(7) {
            peer.stream.write_all(piece).await.unwrap();
            tokio::task::yield_now().await;
        }
        let mut received = 0;
        for user in users {
            let (done, traffic) = user.await.unwrap();
            assert_eq!(done, Ok(()));
            received += traffic.received;
        }
        assert_eq!(received, said.len() as u64, "each byte belongs to one operation");
        assert_eq!(stand.counts(), [1, 0, 3, 0]);
    })
    .await;
}

#[tokio::test]
async fn who_finds_no_place_waits_for_one() {
    here(async {
        let stand = Stand::new(Some((1, 2)), &[modify()], None).await;
        let users: Vec<_> = (0..6).map(|_| stand.ask(0)).collect();
        let mut peer = stand.accept().await;
        for _ in 0..3 {
            let ids = peer.ids(2).await;
            let more = tokio::time::timeout(Duration::from_millis(30), peer.next()).await;
            assert!(more.is_err(), "two at once, not three");
            for id in ids {
                peer.say(id, MODIFY_DONE, 0).await;
            }
        }
        for user in users {
            assert_eq!(user.await.unwrap().0, Ok(()));
        }
    })
    .await;
}

#[tokio::test]
async fn what_takes_too_long_is_abandoned_and_its_late_answer_thrown_away() {
    here(async {
        let stand = Stand::new(Some((1, 2)), &[modify()], None).await;
        let (late, other) = (stand.ask(0), stand.ask(0));
        let mut peer = stand.accept().await;
        let ids = peer.ids(2).await;
        late.abort();
        assert!(late.await.unwrap_err().is_cancelled());
        let (_, tag, named) = peer.next().await;
        assert_eq!((tag, named), (0x50, vec![ids[0] as u8]), "RFC 4511 section 4.11");
        let next = stand.ask(0);
        let id = peer.next().await.0;
        assert!(!ids.contains(&id));
        peer.say(ids[0], MODIFY_DONE, 80).await;
        peer.say(id, MODIFY_DONE, 0).await;
        peer.say(ids[1], MODIFY_DONE, 0).await;
        assert_eq!(next.await.unwrap().0, Ok(()));
        assert_eq!(other.await.unwrap().0, Ok(()));
        assert_eq!(stand.counts(), [1, 0, 2, 0]);
    })
    .await;
}

/// What becomes of three operations on a connection that is in use already, when the server says this and closes:
/// how each failed, and how many connections were lost. A further operation finds a new connection.
async fn after(said: impl AsyncFnOnce(&mut Peer, i64)) -> (Vec<Failure>, u64) {
    here(async {
        let stand = Stand::new(Some((1, 4)), &[modify()], None).await;
        let first = stand.ask(0);
        let mut peer = stand.accept().await;
        let id = peer.next().await.0;
        peer.say(id, MODIFY_DONE, 0).await;
        first.await.unwrap().0.unwrap();
        let users: Vec<_> = (0..3).map(|_| stand.ask(0)).collect();
        let ids = peer.ids(3).await;
        said(&mut peer, ids[1]).await;
        drop(peer);
        let mut failures = Vec::new();
        for user in users {
            failures.push(user.await.unwrap().0.unwrap_err());
        }
        let next = stand.ask(0);
        let mut peer = stand.accept().await;
        let id = peer.next().await.0;
        peer.say(id, MODIFY_DONE, 0).await;
        assert_eq!(next.await.unwrap().0, Ok(()));
        let [opened, lost, ..] = stand.counts();
        assert_eq!(opened, 2);
        (failures, lost)
    })
    .await
}

#[tokio::test]
async fn a_notice_of_disconnection_fails_all_that_is_in_flight_with_its_text() {
    let (failures, lost) = after(async |peer, _| {
        peer.stream.write_all(&result(0, 0x78, 52, b"bye")).await.unwrap();
    })
    .await;
    assert_eq!((failures.len(), lost), (3, 1));
    for failure in failures {
        assert_eq!(failure.kind, FailureKind::Reset);
        assert_eq!(text(&failure), "notice of disconnection: 52 unavailable: bye");
    }
}

#[tokio::test]
async fn what_is_no_ldap_ends_the_connection() {
    for garbage in
        [&b"HTTP/1.1 400 Bad Request\r\n"[..], b"\x30\x84\xff\xff\xff\xff", b"\x30\x03\x02\x01\x07"]
    {
        let (failures, lost) = after(async |peer, _| peer.stream.write_all(garbage).await.unwrap()).await;
        assert!(failures.iter().all(|failure| failure.kind == FailureKind::Protocol), "{failures:?}");
        assert_eq!(lost, 0, "it was given up here");
    }
    // An answer that nobody asked for, one of the wrong kind, and one too many.
    let unasked = async |peer: &mut Peer, _| peer.say(1 << 20, MODIFY_DONE, 0).await;
    assert_eq!(after(unasked).await.0[0].kind, FailureKind::Protocol);
    let wrong = async |peer: &mut Peer, id| peer.say(id, SEARCH_DONE, 0).await;
    assert_eq!(after(wrong).await.0[1].kind, FailureKind::Protocol);
}

#[tokio::test]
async fn half_a_message_is_no_answer() {
    let (failures, lost) = after(async |peer, id| {
        let whole = result(id, MODIFY_DONE, 0, b"");
        peer.stream.write_all(&whole[..whole.len() / 2]).await.unwrap();
    })
    .await;
    assert_eq!((failures.len(), lost), (3, 1));
    assert!(failures.iter().all(|failure| failure.kind == FailureKind::Reset), "{failures:?}");
}

#[tokio::test]
async fn a_lost_connection_is_bound_again_and_what_changes_nothing_is_sent_again() {
    here(async {
        let stand = Stand::new(Some((1, 4)), &[search(), modify(), bind()], Some(2)).await;
        let first = stand.ask(0);
        let mut peer = stand.accept().await;
        let (id, tag, content) = peer.next().await;
        assert_eq!((tag, content), (0x60, b"\x02\x01\x03\x04\x08cn=admin\x80\x06secret".to_vec()));
        peer.say(id, BIND_DONE, 0).await;
        let id = peer.next().await.0;
        peer.say(id, SEARCH_DONE, 0).await;
        assert_eq!(first.await.unwrap().0, Ok(()));
        let (searches, change) = ([stand.ask(0), stand.ask(0)], stand.ask(1));
        peer.ids(3).await;
        drop(peer);
        let mut peer = stand.accept().await;
        let (id, tag, _) = peer.next().await;
        assert_eq!(tag, 0x60, "the new connection is bound as the old one was");
        peer.say(id, BIND_DONE, 0).await;
        for id in peer.ids(2).await {
            peer.say(id, SEARCH_DONE, 0).await;
        }
        for search in searches {
            assert_eq!(search.await.unwrap().0, Ok(()));
        }
        assert_eq!(change.await.unwrap().0.unwrap_err().kind, FailureKind::Reset);
        let [opened, lost, _, resent] = stand.counts();
        assert_eq!((opened, lost, resent), (2, 1, 2));
    })
    .await;
}

#[tokio::test]
async fn a_bind_of_a_connection_that_is_refused_fails_those_that_need_it() {
    for shared in [Some((1, 1)), None] {
        here(async {
            let stand = Stand::new(shared, &[modify(), bind()], Some(1)).await;
            let user = stand.ask(0);
            let mut peer = stand.accept().await;
            let id = peer.next().await.0;
            peer.say(id, BIND_DONE, 49).await;
            let failure = user.await.unwrap().0.unwrap_err();
            assert_eq!(failure.kind, FailureKind::Status);
            assert_eq!(text(&failure), "49 invalidCredentials, to the bind of a new connection");
        })
        .await;
    }
}

#[tokio::test]
async fn a_connection_can_be_all_that_is_asked_for() {
    for shared in [Some((2, 3)), None] {
        here(async {
            let stand = Stand::new(shared, &[Ask::Connect, bind()], Some(1)).await;
            for _ in 0..2 {
                let user = stand.ask(0);
                let mut peer = stand.accept().await;
                let (id, tag, _) = peer.next().await;
                assert_eq!(tag, 0x60);
                peer.say(id, BIND_DONE, 0).await;
                assert_eq!(user.await.unwrap().0, Ok(()));
            }
            assert_eq!(stand.counts(), [2, 0, 0, 0], "one after another on each of them");
        })
        .await;
    }
}

#[tokio::test]
async fn users_that_share_connections_do_not_bind_them() {
    here(async {
        let stand = Stand::new(Some((1, 1)), &[bind(), Ask::Unbind], None).await;
        for index in 0..2 {
            let failure = stand.ask(index).await.unwrap().0.unwrap_err();
            assert!(text(&failure).contains("neither bind nor unbind"), "{failure:?}");
        }
    })
    .await;
}

/// The buffer of what is to be sent asserts its bound.
#[tokio::test]
async fn a_server_that_does_not_read_holds_users_up_and_loses_nothing() {
    const USERS: usize = 64;
    here(async {
        let stand = Stand::new(Some((1, USERS as u32)), &[delete(100_000)], None).await;
        let users: Vec<_> = (0..USERS).map(|_| stand.ask(0)).collect();
        let mut peer = stand.accept().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        for id in peer.ids(USERS).await {
            peer.say(id, DELETE_DONE, 0).await;
        }
        let mut sent = 0;
        for user in users {
            let (done, traffic) = user.await.unwrap();
            assert_eq!(done, Ok(()));
            sent += traffic.sent;
        }
        assert!(sent > 6_400_000, "{sent}");
    })
    .await;
}
