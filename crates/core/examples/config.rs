//! Reads the config of a server. What is wrong with it, in its form or in its meaning, is shown with its line.
//!
//!     cargo run -p jsonx-core --example config -- FILE

use std::net::SocketAddr;
use std::process::ExitCode;
use std::{env, fs};

use jsonx_core::jsonc::Dialect;
use jsonx_core::{Error, ReadOptions, Spanned};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    listen: SocketAddr,
    workers: Spanned<u16>,
}

fn parse(text: &str) -> Result<Config, Error> {
    // With comments and trailing commas.
    let config: Config = ReadOptions::default()
        .dialect(Dialect::Jsonc)
        .from_str(text)?;
    if config.workers.value == 0 {
        let error = config.workers.error("expected at least one worker");
        return Err(error.in_text(text.as_bytes()));
    }
    Ok(config)
}

fn main() -> ExitCode {
    let path = env::args().nth(1).unwrap_or("config.json".to_owned());
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    match parse(&text) {
        Ok(config) => {
            println!(
                "{} workers listen on {}",
                config.workers.value, config.listen
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprint!("{path}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_shown() {
        let text = "{\n  \"listen\": \"127.0.0.1:8080\", // local\n  \"workers\": 4,\n}\n";
        let config = parse(text).unwrap();
        assert_eq!((config.listen.port(), config.workers.value), (8080, 4));

        let message =
            |old: &str, new: &str| format!("{:#}", parse(&text.replace(old, new)).err().unwrap());
        assert_eq!(
            message("4,", "0,"),
            "\
error: expected at least one worker
 --> 3:14
  |
3 |   \"workers\": 0,
  |              ^
"
        );
        assert_eq!(
            message("\"127.0.0.1:8080\"", "8080"),
            "\
error: expected socket address, found 8080
 --> 2:13 (.listen)
  |
2 |   \"listen\": 8080, // local
  |             ^
"
        );
        assert!(message("workers", "worker").starts_with("error: unknown field `worker`"));
        assert!(message("4,", "").contains(" --> 4:1\n"));
    }
}
