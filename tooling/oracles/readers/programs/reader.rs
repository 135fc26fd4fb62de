//! Rust's strings as a reader: reader lossy|strict [--lines]. ../README.md has the protocol.
use std::io::{self, BufRead, Read, Write};

fn read(bytes: &[u8], mode: &str) -> Option<String> {
    if mode == "lossy" {
        return Some(String::from_utf8_lossy(bytes).into_owned());
    }
    String::from_utf8(bytes.to_vec()).ok()
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let mode = &args[1];
    if args.len() > 2 {
        let mut out = io::stdout();
        for line in io::stdin().lock().lines() {
            let digits = line?;
            let bytes: Vec<u8> = (0..digits.len() / 2)
                .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap_or(0))
                .collect();
            match read(&bytes, mode) {
                Some(text) => {
                    let hex: String = text.bytes().map(|byte| format!("{:02x}", byte)).collect();
                    writeln!(out, "{}", hex)?;
                }
                None => writeln!(out, "-")?,
            }
            out.flush()?;
        }
        return Ok(());
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    match read(&bytes, mode) {
        Some(text) => io::stdout().write_all(text.as_bytes()),
        None => std::process::exit(1),
    }
}
