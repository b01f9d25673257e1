//! Values as texts: plain, and by the verbs of `printf`.

use super::value::Value;
use crate::builtin::float_format::format_float;
use crate::builtin::packages::binary::hex_text;
use crate::builtin::quote_go;

fn float(value: f64, verb: u8, precision: i64) -> String {
    format_float(value, verb, precision, 64).unwrap_or_default()
}

/// A value as `%v` prints it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Missing | Value::Nil => "<nil>".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n, _) => n.to_string(),
        Value::Big(digits) => digits.to_string(),
        Value::Float(x) => general(*x),
        Value::Str(s) => s.to_string(),
        Value::Bytes(b) => bracketed(b.iter().map(u8::to_string)),
        Value::List(items) => crate::print::deeper(|| bracketed(items.iter().map(plain))),
        Value::Map(fields) => crate::print::deeper(|| {
            let parts = fields.iter().map(|(k, v)| format!("{k}:{}", plain(v)));
            format!("map{}", bracketed(parts))
        }),
    }
}

/// The shortest digits; an exponent from 21 digits on and below four zeros.
fn general(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "NaN".to_owned()
        } else if x > 0.0 {
            "+Inf".to_owned()
        } else {
            "-Inf".to_owned()
        };
    }
    let shortest = float(x, b'e', -1);
    let exponent: i32 = shortest
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    if (-4..21).contains(&exponent) {
        float(x, b'f', -1)
    } else {
        shortest
    }
}

fn bracketed(parts: impl Iterator<Item = String>) -> String {
    format!("[{}]", parts.collect::<Vec<_>>().join(" "))
}

/// Blanks stand between operands when neither is a string.
pub(super) fn print(args: &[Value]) -> String {
    let mut out = String::new();
    let is_text = |v: &Value| matches!(v, Value::Str(_));
    for (i, arg) in args.iter().enumerate() {
        if i > 0 && !is_text(arg) && !is_text(&args[i - 1]) {
            out.push(' ');
        }
        out.push_str(&plain(arg));
    }
    out
}

pub(super) fn println(args: &[Value]) -> String {
    let mut out = args.iter().map(plain).collect::<Vec<_>>().join(" ");
    out.push('\n');
    out
}

/// Flags, width and precision of a verb.
#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

impl Spec {
    fn pad(&self, text: &str, number: bool) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        if missing == 0 {
            return text.to_owned();
        }
        if self.minus {
            return format!("{text}{}", " ".repeat(missing));
        }
        if !self.zero {
            return format!("{}{text}", " ".repeat(missing));
        }
        let zeros = "0".repeat(missing);
        match text.strip_prefix(['-', '+']) {
            Some(digits) if number => format!("{}{zeros}{digits}", &text[..1]),
            _ => format!("{zeros}{text}"),
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

/// Formats values by a pattern.
pub(super) fn printf(pattern: &str, args: &[Value]) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars().peekable();
    let mut next = 0;
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = chars.peek().copied() {
            match flag {
                '-' => spec.minus = true,
                '+' => spec.plus = true,
                '#' => spec.sharp = true,
                ' ' => spec.space = true,
                '0' => spec.zero = true,
                _ => break,
            }
            chars.next();
        }
        spec.width = number(&mut chars);
        if chars.peek() == Some(&'.') {
            chars.next();
            spec.precision = Some(number(&mut chars).unwrap_or(0));
        }
        let Some(verb) = chars.next() else {
            out.push_str("%!(NOVERB)");
            break;
        };
        if verb == '%' {
            out.push('%');
        } else if let Some(arg) = args.get(next) {
            next += 1;
            out.push_str(&formatted(verb, arg, &spec));
        } else {
            out.push_str(&format!("%!{verb}(MISSING)"));
        }
    }
    if next < args.len() {
        let extra: Vec<String> = args[next..]
            .iter()
            .map(|a| match a {
                Value::Missing | Value::Nil => "<nil>".to_owned(),
                other => format!("{}={}", other.type_name(), plain(other)),
            })
            .collect();
        out.push_str(&format!("%!(EXTRA {})", extra.join(", ")));
    }
    out
}

fn number(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<usize> {
    let mut found = None;
    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
        chars.next();
        // more than any text would be padded to
        found = Some((found.unwrap_or(0) * 10 + digit as usize).min(1_000_000));
    }
    found
}

fn formatted(verb: char, value: &Value, spec: &Spec) -> String {
    if verb == 'T' {
        return spec.pad(value.type_name(), false);
    }
    match (verb, value) {
        (_, Value::Missing | Value::Nil) if verb == 'v' => spec.pad("<nil>", false),
        ('v', Value::Str(s)) if spec.sharp => spec.pad(&quote_go(s), false),
        ('v', Value::Int(n, _)) => spec.pad(&integer(*n, 10, spec), true),
        ('v', Value::Float(x)) if spec.precision.is_none() => spec.pad(
            &format!(
                "{}{}",
                if spec.plus && *x >= 0.0 { "+" } else { "" },
                general(*x)
            ),
            true,
        ),
        ('v' | 's', Value::Str(s)) => spec.pad(&cut(s, spec), false),
        ('v', other) => spec.pad(&plain(other), false),
        ('s', Value::Bytes(b)) => spec.pad(&cut(&String::from_utf8_lossy(b), spec), false),
        ('q', Value::Str(s)) => spec.pad(&quote_go(&cut(s, spec)), false),
        ('q', Value::Bytes(b)) => spec.pad(&quote_go(&String::from_utf8_lossy(b)), false),
        ('t', Value::Bool(b)) => spec.pad(&b.to_string(), false),
        ('d', Value::Int(n, _)) => spec.pad(&integer(*n, 10, spec), true),
        ('d', Value::Big(digits)) => spec.pad(digits, true),
        ('b', Value::Int(n, _)) => spec.pad(&integer(*n, 2, spec), true),
        ('o', Value::Int(n, _)) => spec.pad(&integer(*n, 8, spec), true),
        ('x', Value::Int(n, _)) => spec.pad(&integer(*n, 16, spec), true),
        ('X', Value::Int(n, _)) => spec.pad(&integer(*n, 16, spec).to_uppercase(), true),
        ('x', Value::Str(s)) => spec.pad(&hex_text(s.as_bytes()), false),
        ('X', Value::Str(s)) => spec.pad(&hex_text(s.as_bytes()).to_uppercase(), false),
        ('x', Value::Bytes(b)) => spec.pad(&hex_text(b), false),
        ('c', Value::Int(n, _)) => spec.pad(&character(*n).to_string(), false),
        ('q', Value::Int(n, _)) => spec.pad(&format!("'{}'", character(*n)), false),
        ('U', Value::Int(n, _)) => spec.pad(&format!("U+{n:04X}"), false),
        ('e' | 'E' | 'f' | 'F' | 'g' | 'G', Value::Float(x)) => real(verb, *x, spec),
        (_, Value::List(items)) => bracketed(items.iter().map(|i| formatted(verb, i, spec))),
        (_, Value::Map(fields)) => {
            let parts = fields.iter().map(|(k, v)| {
                let key = formatted(verb, &Value::Str(k.clone()), spec);
                format!("{key}:{}", formatted(verb, v, spec))
            });
            format!("map{}", bracketed(parts))
        }
        (_, Value::Missing | Value::Nil) => format!("%!{verb}(<nil>)"),
        (_, other) => format!("%!{verb}({}={})", other.type_name(), plain(other)),
    }
}

fn cut(text: &str, spec: &Spec) -> String {
    match spec.precision {
        Some(n) => text.chars().take(n).collect(),
        None => text.to_owned(),
    }
}

fn character(n: i64) -> char {
    u32::try_from(n)
        .ok()
        .and_then(char::from_u32)
        .unwrap_or('\u{fffd}')
}

fn integer(n: i64, base: u32, spec: &Spec) -> String {
    let magnitude = n.unsigned_abs();
    let digits = match base {
        2 => format!("{magnitude:b}"),
        8 => format!("{magnitude:o}"),
        16 => format!("{magnitude:x}"),
        _ => magnitude.to_string(),
    };
    let prefix = match (spec.sharp, base) {
        (true, 2) => "0b",
        (true, 8) => "0",
        (true, 16) => "0x",
        _ => "",
    };
    let zeros = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    format!("{}{prefix}{}{digits}", spec.sign(n < 0), "0".repeat(zeros))
}

fn real(verb: char, x: f64, spec: &Spec) -> String {
    let precision = match (spec.precision, verb) {
        (Some(n), _) => n as i64,
        (None, 'g' | 'G') => -1,
        (None, _) => 6,
    };
    let verb = if verb == 'F' { b'f' } else { verb as u8 };
    let text = if x.is_finite() {
        float(x, verb, precision)
    } else {
        general(x)
    };
    let sign = if x >= 0.0 && !text.starts_with('+') {
        spec.sign(false)
    } else {
        ""
    };
    spec.pad(&format!("{sign}{text}"), true)
}
