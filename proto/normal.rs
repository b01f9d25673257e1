//! The one form of values that are equal: text in Unicode's composed form, sets in one order and
//! without equal elements.

use pravo_state::{Data, Type};
use std::borrow::Cow;
use std::cmp::Ordering;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Text in Unicode's composed form (NFC). Every text and name of a value is held in it.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The order of the elements of a set: false before true, numbers by value, text by its bytes,
/// unknown values after known ones, null last.
pub fn set_order(a: &Data, b: &Data) -> Ordering {
    rank(a).cmp(&rank(b)).then_with(|| a.cmp(b))
}

fn rank(value: &Data) -> u8 {
    match value {
        Data::Null => 2,
        Data::Unknown => 1,
        Data::Dynamic(_, inner) => rank(inner),
        _ => 0,
    }
}

/// Sorts the elements of a set and drops those that equal another; an unknown value equals nothing.
pub fn sort_set(items: &mut Vec<Data>) {
    items.sort_by(set_order);
    items.dedup_by(|a, b| a == b && a.is_wholly_known());
}

/// Puts a value into its one form under a type: text composed, sets sorted and without equal
/// elements. What does not fit the type stays as it is.
pub fn value(value: Data, kind: &Type) -> Data {
    match (value, kind) {
        (Data::String(inner), _) => Data::String(match text(&inner) {
            Cow::Borrowed(_) => inner,
            Cow::Owned(composed) => composed,
        }),
        (Data::List(items), Type::Set(inner)) => {
            let mut items: Vec<Data> = items.into_iter().map(|i| self::value(i, inner)).collect();
            sort_set(&mut items);
            Data::List(items)
        }
        (Data::List(items), Type::List(inner)) => {
            Data::List(items.into_iter().map(|i| self::value(i, inner)).collect())
        }
        (Data::List(items), Type::Tuple(kinds)) if items.len() == kinds.len() => {
            let pairs = items.into_iter().zip(kinds);
            Data::List(pairs.map(|(i, kind)| self::value(i, kind)).collect())
        }
        (Data::List(items), _) => {
            let any = |i| self::value(i, &Type::Dynamic);
            Data::List(items.into_iter().map(any).collect())
        }
        (Data::Map(entries), kind) => {
            let entry = |(name, inner): (String, Data)| {
                let name = text(&name).into_owned();
                let kind = match kind {
                    Type::Map(inner) => inner,
                    Type::Object(attributes, _) => attributes.get(&name).unwrap_or(&Type::Dynamic),
                    _ => &Type::Dynamic,
                };
                (name, self::value(inner, kind))
            };
            Data::Map(entries.into_iter().map(entry).collect())
        }
        (Data::Dynamic(own, inner), _) => {
            let inner = self::value(*inner, &own);
            Data::Dynamic(own, Box::new(inner))
        }
        (other, _) => other,
    }
}
