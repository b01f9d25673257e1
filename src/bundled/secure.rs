//! Randomness of the system's secure source.

use crate::kit::Fault;

/// Random bytes.
///
/// # Errors
/// That the system has none to give.
pub(crate) fn bytes(count: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = vec![0; count];
    fill(&mut bytes)?;
    Ok(bytes)
}

/// Random numbers below limits, drawn from the system in blocks.
#[derive(Default)]
pub(crate) struct Draws {
    block: Vec<u8>,
}

impl Draws {
    /// A number from 0 to below `limit`, each as likely. `limit` is 1 or more.
    ///
    /// # Errors
    /// That the system has no randomness to give.
    pub(crate) fn below(&mut self, limit: u64) -> Result<u64, Fault> {
        let limit = limit.max(1);
        let fair = u64::MAX - u64::MAX % limit;
        loop {
            let drawn = self.next()?;
            if drawn < fair {
                return Ok(drawn % limit);
            }
        }
    }

    /// One of the items, each as likely; nothing when there are none.
    ///
    /// # Errors
    /// That the system has no randomness to give.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Result<Option<&'a T>, Fault> {
        let index = self.below(items.len() as u64)?;
        Ok(items.get(index as usize))
    }

    /// Brings items into a random order, each order as likely.
    ///
    /// # Errors
    /// That the system has no randomness to give.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) -> Result<(), Fault> {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1)? as usize;
            items.swap(last, other);
        }
        Ok(())
    }

    /// A number of 64 bits.
    ///
    /// # Errors
    /// That the system has no randomness to give.
    pub(crate) fn next(&mut self) -> Result<u64, Fault> {
        if self.block.len() < 8 {
            self.block = bytes(512)?;
        }
        let rest = self.block.split_off(self.block.len() - 8);
        Ok(rest.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)))
    }
}

/// A number from 0 to 2^63 - 1 in decimal.
///
/// # Errors
/// That the system has no randomness to give.
pub(crate) fn decimal() -> Result<String, Fault> {
    Ok((Draws::default().next()? >> 1).to_string())
}

fn fill(bytes: &mut [u8]) -> Result<(), Fault> {
    getrandom::fill(bytes).map_err(|error| {
        Fault::error(
            "The system gives no random bytes",
            format!("Its secure source answered: {error}."),
        )
    })
}

#[cfg(test)]
mod tests;
