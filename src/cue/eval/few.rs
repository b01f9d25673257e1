//! Lists that mostly have one entry, or none.

use std::ops::{Deref, DerefMut};

/// A list of which the first entry needs no memory of its own.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) enum Few<T> {
    #[default]
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Few<T> {
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        match self {
            Few::Many(list) => list.push(item),
            Few::None => *self = Few::One(item),
            Few::One(_) => {
                let mut list = Vec::with_capacity(2);
                if let Few::One(first) = std::mem::take(self) {
                    list.push(first);
                }
                list.push(item);
                *self = Few::Many(list);
            }
        }
    }

    /// The bytes that it takes outside of itself, used or not.
    pub(crate) fn room(&self) -> usize {
        match self {
            Few::Many(list) => list.capacity() * size_of::<T>(),
            _ => 0,
        }
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(item) => std::slice::from_ref(item),
            Few::Many(list) => list,
        }
    }
}

impl<T> DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Few::None => &mut [],
            Few::One(item) => std::slice::from_mut(item),
            Few::Many(list) => list,
        }
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(mut list: Vec<T>) -> Few<T> {
        match list.len() {
            0 | 1 => list.pop().map_or(Few::None, Few::One),
            _ => Few::Many(list),
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Few<T> {
        let mut few = Few::None;
        few.extend(items);
        few
    }
}

impl<T> Extend<T> for Few<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = std::iter::Chain<std::option::IntoIter<T>, std::vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self {
            Few::None => (None, Vec::new()),
            Few::One(item) => (Some(item), Vec::new()),
            Few::Many(list) => (None, list),
        };
        one.into_iter().chain(many)
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Few<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn it_holds_what_a_list_holds() {
        for len in 0..5u8 {
            let mut list: Vec<u8> = (0..len).collect();
            let mut few: Few<u8> = list.iter().copied().collect();
            assert_eq!(few, Few::from(list.clone()));
            few.push(9);
            list.push(9);
            few.iter_mut().zip(&mut list).for_each(|(x, y)| {
                *x += 1;
                *y += 1;
            });
            assert_eq!(&few[..], &list[..]);
            assert_eq!((&few).into_iter().count(), list.len());
            assert_eq!(few.room() >= list.len(), list.len() > 1);
            assert_eq!(few.into_iter().collect::<Vec<_>>(), list);
        }
    }
}
