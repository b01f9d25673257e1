//! `list`: slices, checks and sums of lists, sorting by a comparator struct.

use super::strings::repeat_count;
use crate::builtin::call::Call;
use crate::builtin::host::{Data, Equality, Failure, Handle, Host, Outcome, Part, Place, Scalar};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{
    ANY, INT, LIST, Member, NUMBER, Package, function, schema_function,
};
use crate::number::{Decimal, Number};
use std::cmp::Ordering;

pub(super) static PACKAGE: Package = Package {
    path: "list",
    members: MEMBERS,
    source: SOURCE,
};

/// The comparators; the `less` of each stands where the reference has it, as errors print its
/// position.
const SOURCE: &str = "
{
	Comparer: {
		T:    _
		x:    T
		y:    T
		less: bool
	}
	Ascending: {
		Comparer
		T:    number | string
		x:    T
		y:    T
		less: x < y
	}
	Descending: {
		Comparer
		T:    number | string
		x:    T
		y:    T
		less: x > y
	}
}
";

/// What an element of a result takes before it is evaluated.
const ELEMENT_BYTES: usize = 32;

static MEMBERS: &[Member] = &[
    function("Drop", &[LIST, INT], Kind::LIST, |c| {
        let (list, n) = (c.list(0)?, index(c.int(1)?)?);
        Ok(Data::values(list.into_iter().skip(n)))
    }),
    function("FlattenN", &[ANY, INT], Kind::LIST, flatten),
    function("Repeat", &[LIST, INT], Kind::LIST, |c| {
        let (list, count) = (c.list(0)?, repeat_count(c.int(1)?)?);
        c.room(count.saturating_mul(list.len()), ELEMENT_BYTES)?;
        Ok(Data::values(list.repeat(count)))
    }),
    function("Concat", &[LIST], Kind::LIST, concat),
    function("Take", &[LIST, INT], Kind::LIST, |c| {
        let (list, n) = (c.list(0)?, index(c.int(1)?)?);
        Ok(Data::values(list.into_iter().take(n)))
    }),
    function("Slice", &[LIST, INT, INT], Kind::LIST, slice),
    function("Reverse", &[LIST], Kind::LIST, |c| {
        Ok(Data::values(c.list(0)?.into_iter().rev()))
    }),
    function("MinItems", &[LIST, INT], Kind::BOOL, min_items),
    function("MaxItems", &[LIST, INT], Kind::BOOL, max_items),
    function("UniqueItems", &[LIST], Kind::BOOL, unique_items),
    function("Contains", &[LIST, ANY], Kind::BOOL, |c| {
        let (list, value) = (c.list(0)?, c.concrete(1)?);
        let found = list
            .into_iter()
            .any(|item| c.host.equal(value, item) != Equality::Different);
        Ok(found.into())
    }),
    schema_function("MatchN", &[LIST, ANY, ANY], Kind::BOOL, match_n),
    function("Avg", &[LIST], Kind::NUMBER, |c| {
        let list = not_empty(c.decimals(0)?)?;
        let count = Decimal::from_u64(list.len() as u64);
        computed(fold(list, Decimal::ZERO, Decimal::add)?.quo_reduced(&count))
    }),
    function("Max", &[LIST], Kind::NUMBER, |c| {
        extreme(c, Ordering::Greater)
    }),
    function("Min", &[LIST], Kind::NUMBER, |c| extreme(c, Ordering::Less)),
    function("Product", &[LIST], Kind::NUMBER, |c| {
        Ok(Data::decimal(fold(
            c.decimals(0)?,
            Decimal::from_i64(1),
            Decimal::mul,
        )?))
    }),
    function("Range", &[NUMBER, NUMBER, NUMBER], Kind::LIST, range),
    function("Sum", &[LIST], Kind::NUMBER, |c| {
        Ok(Data::decimal(fold(
            c.decimals(0)?,
            Decimal::ZERO,
            Decimal::add,
        )?))
    }),
    function("Sort", &[LIST, ANY], Kind::LIST, sort),
    function("SortStable", &[LIST, ANY], Kind::LIST, sort),
    function("SortStrings", &[LIST], Kind::LIST, |c| {
        let mut list = c.strings(0)?;
        list.sort_unstable();
        Ok(Data::strings(list))
    }),
    function("IsSorted", &[LIST, ANY], Kind::BOOL, is_sorted),
    function("IsSortedStrings", &[LIST], Kind::BOOL, |c| {
        Ok(c.strings(0)?.is_sorted().into())
    }),
];

fn index(n: i64) -> Result<usize, Failure> {
    usize::try_from(n).or_else(|_| Failure::fatal("negative index"))
}

fn slice(c: &mut Call<'_>) -> Outcome {
    let (list, from, to) = (c.list(0)?, c.int(1)?, c.int(2)?);
    let start = index(from)?;
    if from > to {
        return Failure::fatal(format!("invalid index: {from} > {to}"));
    }
    match list.get(start..usize::try_from(to).unwrap_or(usize::MAX)) {
        Some(part) => Ok(Data::values(part.iter().copied())),
        None => Failure::fatal("slice bounds out of range"),
    }
}

/// The elements of a value that must be a list.
fn elements_of(c: &mut Call<'_>, value: Handle) -> Result<Vec<Handle>, Failure> {
    if let Some(elements) = c.host.elements(value).map_err(Failure::Error)? {
        return Ok(elements.items);
    }
    if let Some(error) = c.host.error(value) {
        return Err(Failure::Error(error));
    }
    Err(c.misfit(value, Kind::LIST))
}

fn concat(c: &mut Call<'_>) -> Outcome {
    let mut out = Vec::new();
    for list in c.list(0)? {
        c.room(out.len(), ELEMENT_BYTES)?;
        out.extend(elements_of(c, list)?);
    }
    Ok(Data::values(out))
}

fn flatten(c: &mut Call<'_>) -> Outcome {
    let list = c.concrete(0)?;
    let depth = c.int(1)?;
    let mut out = Vec::new();
    // lists still to be walked, innermost last
    let mut stack = vec![(elements_of(c, list)?.into_iter(), depth)];
    while let Some((items, depth)) = stack.last_mut() {
        let depth = *depth;
        let Some(item) = items.next() else {
            stack.pop();
            continue;
        };
        let inner = if depth == 0 {
            None
        } else {
            c.host.elements(item).map_err(Failure::Error)?
        };
        match inner {
            Some(inner) => stack.push((inner.items.into_iter(), depth - 1)),
            None => out.push(item),
        }
    }
    Ok(Data::values(out))
}

fn min_items(c: &mut Call<'_>) -> Outcome {
    let (list, n) = (c.elements(0)?, c.int(1)?);
    let count = list.items.len();
    if count as i64 >= n {
        return Ok(true.into());
    }
    let text = format!("len(list) < MinItems({n}) ({count} < {n})");
    Err(Failure::Invalid {
        text,
        at: Vec::new(),
        incomplete: list.open,
    })
}

fn max_items(c: &mut Call<'_>) -> Outcome {
    let (list, n) = (c.elements(0)?, c.int(1)?);
    let count = list.items.len();
    if count as i64 <= n {
        return Ok(true.into());
    }
    Failure::invalid(format!("len(list) > MaxItems({n}) ({count} > {n})"))
}

fn unique_items(c: &mut Call<'_>) -> Outcome {
    let list = c.list(0)?;
    let Some((i, j, equality)) = first_equal(c.host, &list) else {
        return Ok(true.into());
    };
    let value = list[i];
    let text = match c.host.scalar(value) {
        Some(_) => format!(
            "equal value ({}) at position {i} and {j}",
            c.host.text(value)
        ),
        None => format!("equal values at position {i} and {j}"),
    };
    Err(Failure::Invalid {
        text,
        at: Vec::new(),
        incomplete: equality == Equality::SoFar,
    })
}

/// The first pair that is equal for good, else the last one that is equal so far.
fn first_equal(host: &mut dyn Host, list: &[Handle]) -> Option<(usize, usize, Equality)> {
    let scalars: Vec<Option<Scalar>> = list.iter().map(|v| host.scalar(*v)).collect();
    if scalars.iter().all(Option::is_some) {
        return first_equal_scalar(scalars.into_iter().flatten());
    }
    let mut found = None;
    for i in 0..list.len() {
        for j in i + 1..list.len() {
            match host.equal(list[i], list[j]) {
                Equality::Different => {}
                Equality::Final => return Some((i, j, Equality::Final)),
                Equality::SoFar => found = Some((i, j, Equality::SoFar)),
            }
        }
    }
    found
}

/// Compares by a key of the value, so that long lists stay linear.
fn first_equal_scalar(scalars: impl Iterator<Item = Scalar>) -> Option<(usize, usize, Equality)> {
    let mut places: std::collections::HashMap<Vec<u8>, Vec<usize>> = Default::default();
    let mut best: Option<(usize, usize)> = None;
    for (j, scalar) in scalars.enumerate() {
        let places = places.entry(scalar_key(scalar)).or_default();
        if let Some(&i) = places.first() {
            let pair = (i, j);
            best = Some(best.map_or(pair, |b| b.min(pair)));
        }
        places.push(j);
    }
    best.map(|(i, j)| (i, j, Equality::Final))
}

/// Equal for scalars that unification would take as the same value: `1` and `1.0` are not.
fn scalar_key(scalar: Scalar) -> Vec<u8> {
    match scalar {
        Scalar::Null => vec![0],
        Scalar::Bool(value) => vec![1, u8::from(value)],
        Scalar::Number(number) => {
            let kind = if number.is_int() { 2 } else { 3 };
            let negative_zero = number.value.is_zero() && number.value.is_negative();
            let value = if negative_zero {
                number.value.abs()
            } else {
                number.value
            };
            let mut key = vec![kind];
            key.extend(value.reduced().to_scientific().bytes());
            key
        }
        Scalar::String(text) => [&[4], text.as_bytes()].concat(),
        Scalar::Bytes(bytes) => [&[5], &bytes[..]].concat(),
    }
}

fn match_n(c: &mut Call<'_>) -> Outcome {
    let list = c.list(0)?;
    let (wanted, schema) = (c.handle(1), c.handle(2));
    let count = list
        .into_iter()
        .filter(|item| c.host.matches(schema, *item))
        .count();
    if c.host.accepts(wanted, &Data::from(count)) {
        return Ok(true.into());
    }
    Err(Failure::Unfit {
        template: "{} matches {} list items, want {}",
        parts: vec![Part::Value(schema), Part::Count(count), Part::Value(wanted)],
        at: vec![Place::Parts(schema), Place::Parts(wanted)],
    })
}

fn not_empty(list: Vec<Decimal>) -> Result<Vec<Decimal>, Failure> {
    if list.is_empty() {
        Failure::fatal("empty list")
    } else {
        Ok(list)
    }
}

fn computed<E: std::fmt::Display>(result: Result<Decimal, E>) -> Outcome {
    result
        .map(Data::decimal)
        .or_else(|e| Failure::fatal(e.to_string()))
}

fn fold<E: std::fmt::Display>(
    list: Vec<Decimal>,
    start: Decimal,
    f: fn(&Decimal, &Decimal) -> Result<Decimal, E>,
) -> Result<Decimal, Failure> {
    list.iter()
        .try_fold(start, |sum, x| f(x, &sum))
        .or_else(|e| Failure::fatal(e.to_string()))
}

fn extreme(c: &mut Call<'_>, wanted: Ordering) -> Outcome {
    let list = not_empty(c.decimals(0)?)?;
    let best = list
        .into_iter()
        .reduce(|best, x| if x.order(&best) == wanted { x } else { best });
    Ok(Data::decimal(best.unwrap_or(Decimal::ZERO)))
}

fn range(c: &mut Call<'_>) -> Outcome {
    let (start, limit, step) = (c.decimal(0)?, c.decimal(1)?, c.decimal(2)?);
    if step.is_zero() {
        return Failure::fatal("step must be non zero");
    }
    let down = step.is_negative();
    match (down, start.order(&limit)) {
        (false, Ordering::Greater) => {
            return Failure::fatal("end must be greater than start when step is positive");
        }
        (true, Ordering::Less) => {
            return Failure::fatal("end must be less than start when step is negative");
        }
        _ => {}
    }
    let before_end = if down {
        Ordering::Greater
    } else {
        Ordering::Less
    };
    let mut out = Vec::new();
    let mut at = start;
    while at.order(&limit) == before_end {
        let next = step.add(&at).or_else(|e| Failure::fatal(e.to_string()))?;
        if next.order(&at) == Ordering::Equal || out.len() > 10_000_000 {
            return Failure::fatal("list.Range has too many elements");
        }
        out.push(Data::Number(Number::from_result(at)));
        at = next;
    }
    Ok(Data::List(out))
}

/// Insertion-sorted blocks of 20, merged stably; stops at the first failing comparison.
fn sort(c: &mut Call<'_>) -> Outcome {
    let list = c.list(0)?;
    let comparator = c.concrete(1)?;
    if c.host.field(comparator, "less").is_none() {
        return Failure::fatal("field not found: less");
    }
    let mut less = |x: Handle, y: Handle| match c.host.less(comparator, x, y) {
        Some(result) => result,
        None => Failure::fatal("field not found: less"),
    };
    Ok(Data::values(merge_sort(list, &mut less)?))
}

fn merge_sort(
    mut list: Vec<Handle>,
    less: &mut dyn FnMut(Handle, Handle) -> Result<bool, Failure>,
) -> Result<Vec<Handle>, Failure> {
    const BLOCK: usize = 20;
    for block in list.chunks_mut(BLOCK) {
        for i in 1..block.len() {
            let mut j = i;
            while j > 0 && less(block[j], block[j - 1])? {
                block.swap(j, j - 1);
                j -= 1;
            }
        }
    }
    let mut width = BLOCK;
    while width < list.len() {
        let mut out = Vec::with_capacity(list.len());
        for pair in list.chunks(width * 2) {
            let (a, b) = pair.split_at(width.min(pair.len()));
            let (mut i, mut j) = (0, 0);
            while i < a.len() && j < b.len() {
                if less(b[j], a[i])? {
                    out.push(b[j]);
                    j += 1;
                } else {
                    out.push(a[i]);
                    i += 1;
                }
            }
            out.extend_from_slice(&a[i..]);
            out.extend_from_slice(&b[j..]);
        }
        list = out;
        width *= 2;
    }
    Ok(list)
}

fn is_sorted(c: &mut Call<'_>) -> Outcome {
    let list = c.list(0)?;
    let comparator = c.concrete(1)?;
    // a comparator that fails counts as "not less", and as less right after its first error
    for pair in list.windows(2).rev() {
        match c.host.less(comparator, pair[1], pair[0]) {
            Some(Ok(false)) => {}
            Some(Ok(true) | Err(_)) => return Ok(false.into()),
            None => return Ok(true.into()),
        }
    }
    Ok(true.into())
}
