//! The crate wtf8 as a peer. The protocol is described in ../../../README.md.
//!
//! The crate reads no bytes: "nor can it decode WTF-8 from arbitrary bytes", says its documentation. So
//! every operation begins with code units. It gives no bytes either, except to a `Hasher`.

use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, Write};
use wtf8::{CodePoint, Wtf8, Wtf8Buf};

/// Keeps what is written to it: the bytes of a string, and the FF or FE that ends them.
#[derive(Default)]
struct Recorder(Vec<u8>);

impl Hasher for Recorder {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

fn bytes_of(string: &Wtf8) -> Vec<u8> {
    let mut recorder = Recorder::default();
    string.hash(&mut recorder);
    recorder.0.pop();
    recorder.0
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

fn parse(digits: &str) -> Vec<u16> {
    digits
        .as_bytes()
        .chunks(4)
        .map(|unit| u16::from_str_radix(std::str::from_utf8(unit).unwrap(), 16).unwrap())
        .collect()
}

/// Appends code units one by one, each a code point of its own.
fn push_each(units: &[u16]) -> Wtf8Buf {
    let mut string = Wtf8Buf::new();
    for unit in units {
        string.push(CodePoint::from_u32(u32::from(*unit)).unwrap());
    }
    string
}

/// Joins two strings. The first unit says how many of the others are the first string's.
fn concat(units: &[u16]) -> Wtf8Buf {
    let (first, second) = units[1..].split_at(usize::from(units[0]));
    let mut string = Wtf8Buf::from_ill_formed_utf16(first);
    string.push_wtf8(&Wtf8Buf::from_ill_formed_utf16(second));
    string
}

fn answer(name: &str, units: &[u16]) -> Option<String> {
    let from_units = || Wtf8Buf::from_ill_formed_utf16(units);
    Some(match name {
        "about" => "wtf8 0.1.0".to_string(),
        "wtf8.encode" => hex(&bytes_of(&from_units())),
        "wtf8.push" => hex(&bytes_of(&push_each(units))),
        "wtf8.concat" => hex(&bytes_of(&concat(units))),
        "wtf8.lossy" => hex(from_units().to_string_lossy().as_bytes()),
        "wtf8.units" => from_units()
            .to_ill_formed_utf16()
            .map(|unit| format!("{:04x}", unit))
            .collect(),
        _ => return None,
    })
}

fn main() -> io::Result<()> {
    let input = io::stdin();
    let mut output = io::BufWriter::new(io::stdout());
    for line in input.lock().lines() {
        let line = line?;
        if line.is_empty() {
            output.flush()?;
            continue;
        }
        let mut words = line.splitn(2, ' ');
        let name = words.next().unwrap_or_default();
        match answer(name, &parse(words.next().unwrap_or_default())) {
            Some(result) => writeln!(output, "ok {}", result)?,
            None => writeln!(output, "unknown {}", name)?,
        }
    }
    output.flush()
}
