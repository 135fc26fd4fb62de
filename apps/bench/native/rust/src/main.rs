//! The crates: native-peers PEER OPERATION FROM [TO]. See ../../README.md for the protocol.
use std::borrow::Cow;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

/// Answers commands until stdin ends. `once` returns nothing where it refuses its input.
fn serve<Input, Output>(
    read: impl Fn(&[u8]) -> Input,
    once: impl Fn(&Input) -> Option<Output>,
    bytes_of: impl Fn(&Output) -> Vec<u8>,
) {
    let mut inputs: Vec<Input> = Vec::new();
    let mut next = 0;
    let mut answer = std::io::stdout();
    writeln!(answer, "ready").unwrap();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
        match command {
            "load" => {
                inputs = records(&std::fs::read(argument).unwrap())
                    .into_iter()
                    .map(&read)
                    .collect();
                next = 0;
                writeln!(answer, "loaded {}", inputs.len())
            }
            "check" => match check(&inputs, &once, &bytes_of) {
                Ok((length, hash)) => writeln!(answer, "gives {length} {hash:08x}"),
                Err(index) => writeln!(answer, "refuses {index}"),
            },
            "time" => {
                let calls: u64 = argument.parse().unwrap();
                let start = Instant::now();
                for _ in 0..calls {
                    if next == inputs.len() {
                        next = 0;
                    }
                    black_box(once(black_box(&inputs[next])));
                    next += 1;
                }
                writeln!(answer, "took {}", start.elapsed().as_nanos())
            }
            _ => panic!("unknown command {line}"),
        }
        .unwrap();
    }
}

/// A file is its records, each after its length: four bytes, little-endian.
fn records(mut file: &[u8]) -> Vec<&[u8]> {
    let mut list = Vec::new();
    while let Some((length, rest)) = file.split_first_chunk::<4>() {
        let (record, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        list.push(record);
        file = rest;
    }
    list
}

/// The length of all outputs together, and their FNV-1a.
fn check<Input, Output>(
    inputs: &[Input],
    once: impl Fn(&Input) -> Option<Output>,
    bytes_of: impl Fn(&Output) -> Vec<u8>,
) -> Result<(usize, u32), usize> {
    let (mut length, mut hash) = (0, 0x811c_9dc5_u32);
    for (index, input) in inputs.iter().enumerate() {
        let bytes = bytes_of(&once(input).ok_or(index)?);
        length += bytes.len();
        for byte in bytes {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    Ok((length, hash))
}

fn units(bytes: &[u8]) -> Vec<u16> {
    bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the input is UTF-8")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let from_bytes = <[u8]>::to_vec;
    let to_bytes = Vec::<u8>::clone;
    let is_valid = |valid: &bool| vec![u8::from(*valid)];
    match words[..] {
        ["encoding_rs", "decode", "utf-8"] => serve(
            from_bytes,
            |bytes| {
                let mut units = vec![0; bytes.len()];
                let length =
                    encoding_rs::mem::convert_utf8_to_utf16_without_replacement(bytes, &mut units)?;
                units.truncate(length);
                Some(units)
            },
            |units| units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        ),
        ["encoding_rs", "encode", "utf-8"] => serve(
            units,
            |units| {
                let mut bytes = vec![0; units.len() * 3];
                let length = encoding_rs::mem::convert_utf16_to_utf8(units, &mut bytes);
                bytes.truncate(length);
                Some(bytes)
            },
            to_bytes,
        ),
        ["encoding_rs", "validate", "utf-8"] => serve(
            from_bytes,
            |bytes| Some(encoding_rs::Encoding::utf8_valid_up_to(bytes) == bytes.len()),
            is_valid,
        ),
        ["simdutf8", "validate", "utf-8"] => serve(
            from_bytes,
            |bytes| Some(simdutf8::basic::from_utf8(bytes).is_ok()),
            is_valid,
        ),
        ["simd_cesu8", "transcode", "cesu-8", "utf-8"] => serve(
            from_bytes,
            |bytes| simd_cesu8::decode_strict(bytes).ok().map(Cow::into_owned),
            |text| text.as_bytes().to_vec(),
        ),
        ["simd_cesu8", "transcode", "mutf-8", "utf-8"] => serve(
            from_bytes,
            |bytes| {
                simd_cesu8::mutf8::decode_strict(bytes)
                    .ok()
                    .map(Cow::into_owned)
            },
            |text| text.as_bytes().to_vec(),
        ),
        ["simd_cesu8", "transcode", "utf-8", "cesu-8"] => serve(
            text,
            |text| Some(simd_cesu8::encode(text).into_owned()),
            to_bytes,
        ),
        ["simd_cesu8", "transcode", "utf-8", "mutf-8"] => serve(
            text,
            |text| Some(simd_cesu8::mutf8::encode(text).into_owned()),
            to_bytes,
        ),
        ["cesu8", "transcode", "cesu-8", "utf-8"] => serve(
            from_bytes,
            |bytes| cesu8::from_cesu8(bytes).ok().map(Cow::into_owned),
            |text| text.as_bytes().to_vec(),
        ),
        ["cesu8", "transcode", "mutf-8", "utf-8"] => serve(
            from_bytes,
            |bytes| cesu8::from_java_cesu8(bytes).ok().map(Cow::into_owned),
            |text| text.as_bytes().to_vec(),
        ),
        ["cesu8", "transcode", "utf-8", "cesu-8"] => serve(
            text,
            |text| Some(cesu8::to_cesu8(text).into_owned()),
            to_bytes,
        ),
        ["cesu8", "transcode", "utf-8", "mutf-8"] => serve(
            text,
            |text| Some(cesu8::to_java_cesu8(text).into_owned()),
            to_bytes,
        ),
        _ => panic!("no such peer: {}", words.join(" ")),
    }
}
