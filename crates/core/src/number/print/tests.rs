use super::{push_ecmascript, push_float, push_integer};
use jsonx_testing::cases;
use proptest::prelude::*;

fn printed(print: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = b"[".to_vec();
    print(&mut out);
    String::from_utf8(out.split_off(1)).unwrap()
}

/// As `serde_json` prints it but for the sign of an exponent, and with as many digits as the standard library.
fn check(ours: &str, standard: &str, oracle: &str) {
    let digits = |text: &str| {
        let mantissa = text.split('e').next().unwrap_or_default();
        let digits = mantissa.replace(['.', '-'], "");
        digits.trim_matches('0').len()
    };
    assert_eq!(ours, oracle.replace('+', ""));
    assert_eq!(digits(ours), digits(standard), "{ours} {standard}");
}

fn check_f64(value: f64) {
    let ours = printed(|out| push_float(value, out));
    assert_eq!(ours.parse(), Ok(value));
    check(
        &ours,
        &format!("{value:?}"),
        &serde_json::to_string(&value).unwrap(),
    );
    let javascript = ryu_js::Buffer::new().format(value).to_owned();
    assert_eq!(printed(|out| push_ecmascript(value, out)), javascript);
}

fn check_f32(value: f32) {
    let ours = printed(|out| push_float(value, out));
    assert_eq!(ours.parse(), Ok(value));
    check(
        &ours,
        &format!("{value:?}"),
        &serde_json::to_string(&value).unwrap(),
    );
}

#[test]
fn ties_round_to_even() {
    let tie = |quarters: u32| quarters as f32 / 4.0;
    assert_eq!(printed(|out| push_float(tie(8_563_241), out)), "2140810.2");
    assert_eq!(printed(|out| push_float(tie(8_563_243), out)), "2140810.8");
}

#[test]
fn ecmascript_changes_its_layout_at_these_powers() {
    for (value, expected) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1e20, "100000000000000000000"),
        (123_456_789_012_345_680_000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.25e21, "-1.25e+21"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (-1.5e-7, "-1.5e-7"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e+308"),
    ] {
        assert_eq!(printed(|out| push_ecmascript(value, out)), expected);
    }
}

#[test]
fn floats_are_printed_with_the_fewest_digits() {
    // Each exponent with the fractions next to powers of two, and some patterns.
    for exponent in 0..0x7ff_u64 {
        for fraction in [
            0,
            1,
            2,
            3,
            0x8_0000_0000_0000,
            0x5_5555_5555_5555,
            0xf_ffff_ffff_fffe,
            0xf_ffff_ffff_ffff,
        ] {
            check_f64(f64::from_bits(exponent << 52 | fraction));
            check_f64(-f64::from_bits(exponent << 52 | fraction));
        }
    }
    for exponent in 0..0xff_u32 {
        for fraction in [0, 1, 2, 3, 0x40_0000, 0x55_5555, 0x7f_fffe, 0x7f_ffff] {
            check_f32(f32::from_bits(exponent << 23 | fraction));
            check_f32(-f32::from_bits(exponent << 23 | fraction));
        }
    }
    // Each power of ten, and its neighbors.
    for exponent in -330..309 {
        let value: f64 = format!("1e{exponent}").parse().unwrap();
        for value in [value, value.next_up(), value.next_down(), 123_456.0 * value] {
            if value.is_finite() {
                check_f64(value);
            }
        }
    }
    for value in [
        0.1,
        0.3,
        2.0 / 3.0,
        9_007_199_254_740_993.0,
        1e15,
        1e16,
        1e17,
        1e-4,
        9.9e-5,
        5e-324,
    ] {
        check_f64(value);
        check_f32(value as f32);
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_float(bits: u64) {
        let (double, single) = (f64::from_bits(bits), f32::from_bits(bits as u32));
        if double.is_finite() {
            check_f64(double);
        }
        if single.is_finite() {
            check_f32(single);
        }
    }

    #[test]
    fn short_decimals(digits in 0_u64..10_000_000_000, exponent in -30..28) {
        check_f64(format!("{digits}e{exponent}").parse().unwrap());
        check_f32(format!("{digits}e{exponent}").parse().unwrap());
    }

    #[test]
    fn any_integer(value: u64, shift in 0..64) {
        let value: u64 = value >> shift;
        prop_assert_eq!(printed(|out| push_integer(value, out)), value.to_string());
        let value = value as i64;
        prop_assert_eq!(printed(|out| push_integer(value, out)), value.to_string());
    }
}

#[test]
fn ends_of_integers() {
    for power in 0..20 {
        let power = 10_u64.pow(power);
        for value in [
            power - 1,
            power,
            power + 1,
            power.wrapping_mul(9),
            u64::MAX / power,
        ] {
            assert_eq!(printed(|out| push_integer(value, out)), value.to_string());
        }
    }
    for value in [0, -1, i64::MIN, i64::MAX] {
        assert_eq!(printed(|out| push_integer(value, out)), value.to_string());
    }
}
