use super::super::Consumed;
use super::*;
use std::io::Write;
use std::os::fd::OwnedFd;

/// A reader of a pipe into which `text` is written `size` bytes at a time.
fn piped(text: &[u8], size: usize) -> Reader {
    let (reader, mut writer) = io::pipe().unwrap();
    let pieces: Vec<Vec<u8>> = text.chunks(size).map(<[u8]>::to_vec).collect();
    std::thread::spawn(move || pieces.iter().try_for_each(|piece| writer.write_all(piece)));
    Reader::counting(File::from(OwnedFd::from(reader)))
}

fn numbered_lines(bytes: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < bytes {
        text.extend_from_slice(format!("line {}\n", text.len()).as_bytes());
    }
    text
}

#[test]
fn binary_input_does_not_wait_for_more() {
    let (reader, mut writer) = io::pipe().unwrap();
    let mut reader = Reader::counting(File::from(OwnedFd::from(reader)));
    reader.set_binary();
    let mut to_write = [&b"\xef\xbb"[..], b"\xbf\x01", b"\xef", b"\x02\x03"].into_iter();
    writer.write_all(to_write.next().unwrap()).unwrap();
    writer.write_all(to_write.next().unwrap()).unwrap();
    let (mut windows, mut marked) = (Vec::new(), false);
    let mut writer = Some(writer);
    reader
        .each_window(u64::MAX, &mut marked, &mut |window| -> io::Result<_> {
            windows.push(window.bytes().to_vec());
            // The next bytes are written only after these have arrived.
            match to_write.next() {
                Some(next) => writer.as_mut().unwrap().write_all(next)?,
                None => drop(writer.take()),
            }
            Ok(window.bytes().len().into())
        })
        .unwrap();
    assert!(marked);
    assert_eq!(windows, [&b"\x01"[..], b"\xef", b"\x02\x03", b""]);
}

#[test]
fn windows_of_a_pipe_join_to_what_was_written() {
    let text = numbered_lines(1 << 20);
    for size in [1000, 65_536, 1 << 20] {
        let (mut all, mut marked) = (Vec::new(), false);
        piped(&text, size)
            .each_window(
                u64::MAX,
                &mut marked,
                &mut |window| -> io::Result<Consumed> {
                    assert_eq!(window.offset(), all.len() as u64);
                    let bytes = window.bytes();
                    let enough = bytes.len() >= BLOCK || bytes.ends_with(b"\n");
                    assert!(window.is_last() || enough);
                    let taken = if window.is_last() {
                        bytes.len()
                    } else {
                        bytes.len() / BLOCK * BLOCK
                    };
                    all.extend_from_slice(&bytes[..taken]);
                    Ok(taken.into())
                },
            )
            .unwrap();
        assert!(all == text && !marked, "{size}");
    }
}

#[test]
fn requested_bytes_are_kept_and_positions_are_known() {
    let text = numbered_lines(3 << 20);
    let keep_from = 100_000;
    piped(&text, 70_000)
        .each_window(
            u64::MAX,
            &mut false,
            &mut |window| -> io::Result<Consumed> {
                let end = window.offset() + window.bytes().len() as u64;
                if end > keep_from {
                    assert!(
                        window.buffered(keep_from, end)
                            == Some(&text[keep_from as usize..end as usize])
                    );
                    assert_eq!(window.buffered(keep_from, end + 1), None);
                    let line = text[..keep_from as usize]
                        .iter()
                        .filter(|&&byte| byte == b'\n')
                        .count() as u64
                        + 1;
                    assert_eq!(window.position(keep_from).map(|place| place.0), Some(line));
                }
                Ok(Consumed {
                    bytes: window.bytes().len() / BLOCK * BLOCK,
                    keep_from,
                })
            },
        )
        .unwrap();
}

#[test]
fn memory_does_not_grow_with_the_input() {
    let text = numbered_lines(5 << 20);
    let mut reader = piped(&text, 100_000);
    let mut seen = 0;
    reader
        .each_window(
            u64::MAX,
            &mut false,
            &mut |window| -> io::Result<Consumed> {
                seen = window.offset() + window.bytes().len() as u64;
                Ok((window.bytes().len() / BLOCK * BLOCK).into())
            },
        )
        .unwrap();
    assert_eq!((seen, reader.buffer.len()), (text.len() as u64, LENGTH));
    // The text shown in a message is before the window and still in the buffer.
    let (buffered, offset, _) = reader.buffered();
    assert!(buffered.len() > TAIL && buffered == &text[offset as usize..]);
}

#[test]
fn a_small_file_that_is_longer_than_it_says_is_read_to_its_end() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"[1, 2, 3]").unwrap();
    let mut reader = Reader::new(Arc::new(file.reopen().unwrap()), 0, 0, 9);
    let text = numbered_lines(1 << 20);
    file.write_all(&text).unwrap();
    let mut read = 0;
    reader
        .each_window(
            u64::MAX,
            &mut false,
            &mut |window| -> io::Result<Consumed> {
                read += window.bytes().len();
                Ok(window.bytes().len().into())
            },
        )
        .unwrap();
    assert_eq!(read, 9 + text.len());
}
