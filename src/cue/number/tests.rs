//! Decimals against recorded answers, and their algebra.

use super::parse::parse_decimal;
use super::{ArithmeticError, Decimal, Number, parse_literal};
use proptest::prelude::*;
use std::cmp::Ordering;

fn number(text: &str) -> Number {
    let literal = |text| parse_literal(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    // in the language a minus is an operator before a literal
    text.strip_prefix('-')
        .map_or_else(|| literal(text), |positive| literal(positive).neg())
}

#[test]
fn literals_and_operations_answer_as_recorded() {
    let cases = include_str!("../../../tests/cue/number/answers.txt");
    let mut count = 0;
    for line in cases
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let (input, want) = line.split_once(" = ").expect("a case is INPUT = ANSWER");
        let words: Vec<&str> = input.split(' ').collect();
        assert_eq!(answer(&words), want, "{input}");
        count += 1;
    }
    assert!(count > 100, "the cases are read");
}

fn answer(words: &[&str]) -> String {
    let show = |n: Number| format!("{} {}", if n.is_int() { "int" } else { "float" }, n.token());
    let arithmetic = |r: Result<Number, ArithmeticError>| match r {
        Ok(n) => show(n),
        Err(e) => format!("! {e}"),
    };
    let whole = |r: Option<Number>| r.map_or_else(|| "! division by zero".to_owned(), show);
    match *words {
        [literal] if literal.starts_with('-') => show(number(literal)),
        [literal] => match parse_literal(literal) {
            Ok(n) => show(n),
            Err(e) => format!("! {e}"),
        },
        [a, op, b] => {
            let (a, b) = (number(a), number(b));
            match op {
                "+" => arithmetic(a.add(&b)),
                "-" => arithmetic(a.sub(&b)),
                "*" => arithmetic(a.mul(&b)),
                "/" => arithmetic(a.quo(&b)),
                "div" => whole(a.int_div(&b)),
                "mod" => whole(a.int_mod(&b)),
                "quo" => whole(a.int_quo(&b)),
                "rem" => whole(a.int_rem(&b)),
                "cmp" => format!("{}", a.value.order(&b.value) as i8),
                _ => panic!("unknown operator {op}"),
            }
        }
        _ => panic!("unknown case {words:?}"),
    }
}

fn any_decimal() -> impl Strategy<Value = Decimal> {
    ("[1-9][0-9]{0,50}|0", -60i32..60, any::<bool>()).prop_map(|(digits, exponent, negative)| {
        parse_decimal(&format!(
            "{}{digits}e{exponent}",
            if negative { "-" } else { "" }
        ))
        .expect("within the limits")
    })
}

proptest! {
    #[test]
    fn text_reads_back(d in any_decimal()) {
        prop_assert_eq!(parse_decimal(&d.to_scientific()), Some(d));
    }

    #[test]
    fn plain_text_has_the_same_value(d in any_decimal()) {
        let back = parse_decimal(&d.to_plain()).expect("plain digits");
        prop_assert_eq!(back.order(&d), Ordering::Equal);
    }

    #[test]
    fn sum_and_product_commute(a in any_decimal(), b in any_decimal()) {
        prop_assert_eq!(a.add(&b), b.add(&a));
        prop_assert_eq!(a.mul(&b), b.mul(&a));
    }

    #[test]
    fn results_have_at_most_34_digits(a in any_decimal(), b in any_decimal()) {
        for result in [a.add(&b), a.sub(&b), a.mul(&b), a.quo(&b)].into_iter().flatten() {
            prop_assert!(result.digits() <= 34);
        }
    }

    #[test]
    fn order_agrees_with_the_sign_of_the_difference(a in any_decimal(), b in any_decimal()) {
        let difference = a.sub(&b).expect("within the limits");
        prop_assert_eq!(a.order(&b), difference.sign().cmp(&0));
    }

    #[test]
    fn small_products_are_exact(a in any::<i32>(), b in any::<i32>()) {
        let product = Decimal::from_i64(a.into()).mul(&Decimal::from_i64(b.into()));
        prop_assert_eq!(product, Ok(Decimal::from_i64(i64::from(a) * i64::from(b))));
    }

    #[test]
    fn integer_divisions_fit_together(a in any::<i64>(), b in any::<i64>()) {
        prop_assume!(b != 0);
        let (x, y) = (Decimal::from_i64(a), Decimal::from_i64(b));
        let whole = |d: Option<Decimal>| d.and_then(|d| d.to_bigint()).expect("not zero");
        let (div, modulo) = (whole(x.int_div(&y)), whole(x.int_mod(&y)));
        let (quo, rem) = (whole(x.int_quo(&y)), whole(x.int_rem(&y)));
        prop_assert_eq!(div * b + &modulo, a.into());
        prop_assert!(modulo >= 0.into() && modulo < b.unsigned_abs().into());
        prop_assert_eq!(quo * b + &rem, a.into());
        prop_assert!(rem.sign() == num_bigint::Sign::NoSign || (rem.sign() == num_bigint::Sign::Minus) == (a < 0));
    }

    #[test]
    fn floats_survive(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        prop_assert_eq!(Decimal::from_f64(value).to_f64(), value);
    }
}
