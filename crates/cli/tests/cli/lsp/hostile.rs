//! Messages that no client should send. The server still responds after each.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, position, range, uri};
use super::{METHODS, editor};

/// Whether the server still works.
fn lives(client: &mut Client, folder: &std::path::Path) {
    let path = folder.join("alive.json");
    client.open(&path, "json", "[1,]");
    loop {
        let findings = client.wait("textDocument/publishDiagnostics");
        if findings["uri"] == uri(&path) {
            assert_eq!(findings["diagnostics"][0]["code"], "trailing-comma");
            return;
        }
    }
}

#[test]
fn no_message_ends_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bodies: [Vec<u8>; 12] = [
        b"".to_vec(),
        b"nonsense".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"{}".to_vec(),
        b"\xFF\xFE".to_vec(),
        b"{\"method\": 1, \"id\": {}}".to_vec(),
        b"{\"method\": \"textDocument/definition\", \"id\": 1e999}".to_vec(),
        b"{\"method\": \"textDocument/didOpen\", \"params\": null}".to_vec(),
        b"{\"method\": \"$/cancelRequest\", \"params\": {\"id\": [1]}}".to_vec(),
        b"{\"id\": 1, \"result\": null}".to_vec(),
        format!("{{\"method\": \"x\", \"params\": {deep}}}").into_bytes(),
    ];
    for body in bodies {
        client.send_bytes(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        client.send_bytes(&body);
        lives(&mut client, folder.path());
    }
    for bytes in [
        "\r\n\r\nX: y\r\n\r\n",
        "Content-Length: x\r\n\r\n",
        "{\"a\": 1}\r\n",
    ] {
        client.send_bytes(bytes.as_bytes());
        lives(&mut client, folder.path());
    }
}

#[test]
fn every_request_may_be_about_anything() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    let deep = format!("{}{}", "{\"a\":[".repeat(20_000), "]}".repeat(20_000));
    let texts = [
        "",
        "\u{feff}[1]",
        "{",
        "{\"a\": \"\\ud800\"}",
        "\r\r\n\u{1F600}",
        &deep,
    ];
    let far = u64::MAX;
    for text in texts {
        client.open(&path, "json", text);
        for name in METHODS {
            for (start, end) in [
                ((0, 0), (0, 0)),
                ((far, far), (0, 0)),
                ((0, 3), (far, far)),
                ((0, 200), (0, 1)),
            ] {
                let params = json!({
                    "textDocument": {"uri": uri(&path)},
                    "position": position(start.0, start.1),
                    "positions": [position(start.0, start.1), {}],
                    "range": range(start, end),
                    "context": {"diagnostics": []},
                });
                let _ = client.answer(&format!("textDocument/{name}"), params);
            }
            for params in [
                json!(null),
                json!([]),
                json!({"textDocument": {"uri": 1}}),
                json!({"textDocument": {"uri": "x:"}}),
            ] {
                assert!(
                    client
                        .answer(&format!("textDocument/{name}"), params)
                        .is_err()
                );
            }
        }
        for command in [
            "jsonx.copyPath",
            "jsonx.jumpToPath",
            "jsonx.repair",
            "jsonx.minify",
            "jsonx.sort",
            "x",
        ] {
            for arguments in [
                json!([]),
                json!([1]),
                json!([uri(&path), 1]),
                json!([uri(&path), position(far, far), "x"]),
                json!([uri(&path), "$..["]),
            ] {
                let _ = client.answer(
                    "workspace/executeCommand",
                    json!({"command": command, "arguments": arguments}),
                );
            }
        }
        for change in [
            json!([{"range": range((far, far), (0, 0)), "text": "x"}]),
            json!([{"range": {"start": 1}, "text": "x"}, {"text": 1}, 5]),
            json!("x"),
        ] {
            client.change(&path, 1, change);
        }
        lives(&mut client, folder.path());
    }
}

#[test]
fn the_order_of_messages_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::raw(folder.path(), &[]);
    let asked = json!({"textDocument": {"uri": "file:///a"}, "position": position(0, 0)});
    let error = client
        .answer("textDocument/definition", asked.clone())
        .unwrap_err();
    assert_eq!(error["code"], -32002);
    client.ask("initialize", json!({"capabilities": {}}));
    assert_eq!(
        client.answer("initialize", json!({})).unwrap_err()["code"],
        -32600
    );
    assert_eq!(
        client.answer("nothing", json!({})).unwrap_err()["code"],
        -32601
    );
    assert_eq!(
        client.answer("textDocument/definition", asked).unwrap_err()["code"],
        -32602
    );
    client.ask("shutdown", Value::Null);
    assert_eq!(
        client.answer("shutdown", json!({})).unwrap_err()["code"],
        -32600
    );
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), Some(0));

    let mut client = Client::start(folder.path(), &["--stdio"], editor());
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), Some(1));
    let client = Client::start(folder.path(), &[], editor());
    assert_eq!(client.end(), Some(1));
}

#[test]
fn stale_versions_and_cancelled_requests_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    // Long enough that later messages wait while it is processed.
    let long = format!("[{}1]", "1,".repeat(200_000));
    client.open(&path, "json", &long);
    std::thread::sleep(Duration::from_millis(20));
    let params = json!({"textDocument": {"uri": uri(&path)}});
    client.change(&path, 5, json!([{"text": "[1,]"}]));
    client.change(&path, 4, json!([{"text": "[1"}]));
    client.send(&json!({"id": "x", "method": "textDocument/formatting", "params": params}));
    client.send(&json!({"method": "$/cancelRequest", "params": {"id": "x"}}));
    let answer = loop {
        let message = client.receive().unwrap();
        if message["id"] == "x" {
            break message;
        }
        client.others.push(message);
    };
    // The response may precede the cancellation; the text is invalid.
    let code = answer["error"]["code"].as_i64().unwrap();
    assert!(code == -32800 || code == -32803, "{answer}");
    loop {
        let findings = client.wait("textDocument/publishDiagnostics");
        if findings["version"] == 5 {
            assert_eq!(findings["diagnostics"][0]["code"], "trailing-comma");
            return;
        }
        assert_eq!(findings["version"], 1);
    }
}

#[test]
fn a_text_about_cancellation_cancels_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::start(folder.path(), &[], editor());
    let path = folder.path().join("a.json");
    client.open(&path, "json", "");
    client.published();
    client.change(&path, 2, json!([{"text": "[\"$/cancelRequest\",]"}]));
    assert_eq!(client.published()[0]["code"], "trailing-comma");

    // A late cancellation does not affect the next request with the same id.
    client.send(&json!({"method": "$/cancelRequest", "params": {"id": 2}}));
    lives(&mut client, folder.path());
    let symbols = client.about(&path, "documentSymbol", json!({}));
    assert_eq!(symbols[0]["detail"], "\"$/cancelRequest\"");
}
