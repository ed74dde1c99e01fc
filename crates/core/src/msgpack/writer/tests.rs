use super::*;

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
