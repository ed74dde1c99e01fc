//! Reads a config file into a struct. What is wrong with it, in its form or in its meaning, is shown with its line.
//!
//!     cargo run -p jsonx-core --features serde --example config -- FILE

use std::error::Error;

use jsonx_core::Spanned;
use jsonx_core::position::locate;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config<'a> {
    #[serde(borrow)]
    servers: Vec<Server<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Server<'a> {
    name: &'a str,
    port: Spanned<u16>,
}

/// The messages about a config, one for each mistake in its meaning; that in its form, if there is one.
fn check(text: &str) -> Vec<String> {
    let config: Config<'_> = match jsonx_core::from_str(text) {
        Ok(config) => config,
        Err(error) => return vec![error.render(text.as_bytes())],
    };
    let privileged = config
        .servers
        .iter()
        .filter(|server| server.port.value < 1024);
    let messages = privileged.map(|server| {
        let place = locate(text.as_bytes(), server.port.span().start);
        let (name, port) = (server.name, server.port.value);
        format!(
            "{}:{}: {name}: port {port} needs privileges\n",
            place.line, place.column
        )
    });
    messages.collect()
}

const SAMPLE: &str = r#"{
  "servers": [
    {"name": "front", "port": 80},
    {"name": "back", "port": 8080}
  ]
}
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args()
        .nth(1)
        .filter(|name| std::path::Path::new(name).is_file())
    {
        Some(name) => print!("{}", check(&std::fs::read_to_string(name)?).concat()),
        None => {
            assert_eq!(check(SAMPLE), ["3:31: front: port 80 needs privileges\n"]);
            let wrong = SAMPLE.replace("8080", "80800");
            assert_eq!(
                check(&wrong).concat(),
                "error: expected u16, found 80800\n --> 4:30 (.servers[1].port)\n  |\n4 |     {\"name\": \
                 \"back\", \"port\": 80800}\n  |                              ^\n"
            );
            print!("{}", check(&wrong).concat());
        }
    }
    Ok(())
}
