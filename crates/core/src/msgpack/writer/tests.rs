use proptest::prelude::*;

use super::*;
use jsonx_testing::cases;

#[test]
fn a_slice_is_written_to_its_last_byte() {
    let all = |writer: &mut Writer<Fixed<'_>>| -> Result<(), WriteError> {
        writer.uint(300)?;
        writer.int(-300)?;
        writer.float(0.1)?;
        writer.str("twelve bytes")?;
        writer.ext(1, &[0; 4])?;
        writer.array(20)
    };
    let mut growing = Writer::growing();
    growing.uint(300).unwrap();
    growing.int(-300).unwrap();
    growing.float(0.1).unwrap();
    growing.str("twelve bytes").unwrap();
    growing.ext(1, &[0; 4]).unwrap();
    growing.array(20).unwrap();
    let expected = growing.into_vec();
    for size in 0..expected.len() + 10 {
        let mut buffer = vec![0; size];
        let mut writer = Writer::new(&mut buffer);
        let written = all(&mut writer);
        assert_eq!(written.is_ok(), size >= expected.len());
        assert!(expected.starts_with(writer.written()));
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    /// One call for many numbers writes the same as as many calls, for every capacity; if they do not fit, nothing.
    #[test]
    fn many_numbers_are_written_as_one_by_one(
        values in prop::collection::vec((any::<i64>(), 0..64_u32), 0..40),
        small in 0..40_usize,
        room in 0..360_usize,
    ) {
        // Includes runs of one-byte numbers.
        let ints = values.iter().enumerate().map(|(at, &(value, shift))| match at < small {
            true => value >> 58,
            false => value >> shift,
        });
        let ints: Vec<i64> = ints.collect();
        let uints: Vec<u64> = ints.iter().map(|&value| value.unsigned_abs()).collect();
        let floats: Vec<f64> = ints.iter().map(|&value| f64::from_bits(value as u64)).collect();
        let mut each = [Writer::growing(), Writer::growing(), Writer::growing()];
        for at in 0..ints.len() {
            each[0].int(ints[at]).unwrap();
            each[1].uint(uints[at]).unwrap();
            each[2].float(floats[at]).unwrap();
        }
        let mut together = [Writer::growing(), Writer::growing(), Writer::growing()];
        together[0].ints(&ints).unwrap();
        together[1].uints(&uints).unwrap();
        together[2].floats(&floats).unwrap();
        for (which, (each, together)) in each.into_iter().zip(together).enumerate() {
            let expected = each.into_vec();
            prop_assert_eq!(&together.into_vec(), &expected);
            for size in [room, expected.len(), expected.len().saturating_sub(1)] {
                let mut buffer = vec![0; size];
                let mut writer = Writer::new(&mut buffer);
                let written = match which {
                    0 => writer.ints(&ints),
                    1 => writer.uints(&uints),
                    _ => writer.floats(&floats),
                };
                prop_assert_eq!(written.is_ok(), size >= expected.len());
                let is_written = written.is_ok();
                prop_assert_eq!(writer.written(), if is_written { &expected[..] } else { b"" });
            }
        }
    }
}
