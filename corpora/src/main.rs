//! `corpora SHAPE SIZE`: writes a sample document.

use jsonx_corpora::{DEFAULT_SEED, Shape, generate, parse_size};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: corpora SHAPE SIZE [--seed N] [-o FILE]

Writes a JSON document of SHAPE, of at most SIZE bytes, to FILE or to stdout.
The same SHAPE, SIZE and seed give the same bytes on every machine.

SHAPE  nested, numbers, escapes, russian, pretty, minified, order-book (JSON Lines),
       tweets, mixed
SIZE   a whole number of bytes; K, M, G are powers of 1000 and Ki, Mi, Gi of 1024";

struct Request {
    shape: Shape,
    size: u64,
    seed: u64,
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|argument| argument == "-h" || argument == "--help")
    {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let request = match parse(&arguments) {
        Ok(request) => request,
        Err(message) => {
            eprintln!("corpora: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&request) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("corpora: {error}");
            ExitCode::from(4)
        }
    }
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut words = Vec::new();
    let (mut seed, mut file) = (DEFAULT_SEED, None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => {
                let value = arguments.next().ok_or("--seed needs a number")?;
                seed = value
                    .parse()
                    .map_err(|_| format!("not a seed: {value:?}"))?;
            }
            "-o" => {
                file = Some(PathBuf::from(
                    arguments.next().ok_or("-o needs a file name")?,
                ))
            }
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            word => words.push(word),
        }
    }
    let [shape, size] = words[..] else {
        return Err(format!(
            "a shape and a size are needed, {} given",
            words.len()
        ));
    };
    let shape = shape.parse().map_err(|error| format!("{error}"))?;
    let size = parse_size(size).ok_or_else(|| format!("not a size: {size:?}"))?;
    Ok(Request {
        shape,
        size,
        seed,
        file,
    })
}

fn run(request: &Request) -> io::Result<()> {
    // `generate` writes chunks of 64 KiB, so neither output needs a buffer; stdout's line buffer would split JSON Lines into
    // lines.
    match &request.file {
        Some(path) => {
            let mut file = File::create(path).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })?;
            generate(request.shape, request.size, request.seed, &mut file)?;
        }
        None => {
            let mut out = io::BufWriter::with_capacity(1 << 17, io::stdout().lock());
            generate(request.shape, request.size, request.seed, &mut out)?;
            out.flush()?;
        }
    }
    Ok(())
}
