//! Numbers and literals at every position in a block: alone, at its boundaries, and across them.

use crate::kernel::Kernel;
use crate::window::{Options, validate_with};

const RIGHT: &[&str] = &[
    "0",
    "7",
    "10",
    "-1",
    "-0",
    "1.5",
    "0.05",
    "1e5",
    "1E+5",
    "2.5e-10",
    "true",
    "false",
    "null",
    "0,0",
    "true,10",
    "10,true",
    "null,-1",
    "false,false,false",
    "1,2.5,true,3",
    "123456789012345678901234567890",
];

const WRONG: &[&str] = &[
    "01",
    "00",
    "-01",
    "-",
    "+1",
    "1.",
    ".5",
    "1e",
    "1e+",
    "0x1",
    "1.2.3",
    "--1",
    "1-",
    "true1",
    "1true",
    "truex",
    "tru",
    "nul",
    "fals",
    "falsey",
    "nulltrue",
    "true0,1",
    "10,01",
    "true,01",
    "01,true",
    "true,tru",
    "null,nul",
    "TRUE",
    "t",
    "1,null2",
    "10\u{e9}",
    "true\u{7f}",
];

#[test]
fn at_every_position_in_a_block() {
    let all = RIGHT.iter().map(|text| (text, true));
    for (scalars, valid) in all.chain(WRONG.iter().map(|text| (text, false))) {
        for before in 0..130 {
            let text = format!("[{}{scalars}\n]", " ".repeat(before));
            for kernel in Kernel::available() {
                let checked = validate_with(text.as_bytes(), Options::default().kernel(kernel));
                assert_eq!(checked.is_ok(), valid, "{kernel:?} {before} {scalars}");
            }
        }
    }
}
