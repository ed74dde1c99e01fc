//! `docs/clusters.md`: the commands as mappers of lines, in Spark if Java and PySpark are installed.

use std::process::{Command, Stdio};

use crate::{Folder, piped};

const GOOD: &str =
    "{\"user\": {\"id\": 1}, \"status\": 200}\n{\"user\": {\"id\": 2}, \"status\": 404}\n";
const BROKEN: &str = "{\"user\": {\"id\": 3}, \"status\": 200}\n{\"user\"\n{\"user\": {\"id\": 5}, \"status\": 500}\n";

/// The programs of the guide, with test folders.
const SPARK: &str = r#"
import glob, os, subprocess
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
logs = spark.sparkContext.textFile("logs/*.jsonl", 4)
assert logs.getNumPartitions() >= 4, logs.getNumPartitions()
users = logs.pipe("jsonx get .user.id --input jsonl --skip-invalid", env=dict(os.environ))
print("users", sorted(users.collect()))
rows = logs.pipe("jsonx jq '[.user.id, .status]' --tsv --input jsonl --skip-invalid", env=dict(os.environ))
print("rows", sorted(rows.collect()))

def findings(path):
    ran = subprocess.run(
        ["jsonx", "validate", "--reporter", "concise", path], stdout=subprocess.PIPE, text=True
    )
    return ran.stdout.splitlines()

paths = sorted(glob.glob("logs/*.jsonl"))
files = spark.sparkContext.parallelize(paths, len(paths))
for line in files.flatMap(findings).collect():
    print("finding", line)
spark.stop()
"#;

fn is_there(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    let ran = command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    ran.status().is_ok_and(|status| status.success())
}

/// The folder with the logs, and `PATH` with the program.
fn logs() -> (Folder, String) {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.path("logs")).unwrap();
    std::fs::write(folder.path("logs/a.jsonl"), GOOD).unwrap();
    std::fs::write(folder.path("logs/b.jsonl"), BROKEN).unwrap();
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_jsonx"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", binary.parent().unwrap().display());
    (folder, path)
}

#[test]
fn a_mapper_prints_fields_of_valid_records() {
    let mapper = ["get", ".user.id", "--input", "jsonl", "--skip-invalid"];
    let ran = piped(&mapper, BROKEN);
    assert_eq!((ran.out.as_str(), ran.code), ("3\n5\n", 0));
    // An empty partition is not an error.
    assert_eq!(piped(&mapper, "").code, 1);
}

#[test]
fn spark_pipes_partitions_and_names_the_broken_record() {
    if !is_there("java", &["-version"]) || !is_there("python3", &["-c", "import pyspark"]) {
        eprintln!("skipped: Java and PySpark are not installed");
        return;
    }
    let (folder, path) = logs();
    let ran = Command::new("python3")
        .args(["-c", SPARK])
        .current_dir(folder.path(""))
        .env("PATH", path)
        .output()
        .expect("python3");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success(),
        "{out}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    for line in [
        "users ['1', '2', '3', '5']",
        "rows ['1\\t200', '2\\t404', '3\\t200', '5\\t500']",
        "finding logs/b.jsonl:2:",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
}
