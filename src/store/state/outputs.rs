//! The outputs of a state: one object that changes by compare-and-swap.

use super::State;
use crate::{Error, Written};
use pravo_state::{OutputChanges, Outputs};

/// The key of the outputs.
const OUTPUTS: &str = "outputs.json";

/// How often a merge starts over when other commands come between.
const ROUNDS: usize = 100;

impl State {
    /// The recorded outputs; nothing where no apply has written any.
    ///
    /// # Errors
    /// An object that can't be read or is broken.
    pub async fn outputs(&self) -> Result<Option<Outputs>, Error> {
        let Some(object) = self.objects.get(OUTPUTS).await? else {
            return Ok(None);
        };
        let outputs = Outputs::parse(&object.bytes);
        outputs
            .map(Some)
            .map_err(|problem| self.broken(OUTPUTS, problem))
    }

    /// Merges what a run changed into the outputs as they are at that moment, and makes the object,
    /// also empty, where there is none. The answer is what is recorded now; nothing is written when
    /// nothing changes.
    ///
    /// # Errors
    /// An object that can't be read or written, or is broken.
    pub async fn merge_outputs(&self, changes: &OutputChanges) -> Result<Outputs, Error> {
        for _ in 0..ROUNDS {
            let kept = self.objects.get(OUTPUTS).await?;
            let (mut outputs, version) = match &kept {
                None => (Outputs::default(), None),
                Some(object) => {
                    let outputs = Outputs::parse(&object.bytes)
                        .map_err(|problem| self.broken(OUTPUTS, problem))?;
                    (outputs, Some(&object.version))
                }
            };
            let before = outputs.clone();
            outputs.merge(changes);
            if version.is_some() && outputs == before {
                return Ok(outputs);
            }
            let written = match version {
                None => self.create(OUTPUTS, outputs.to_text()).await?,
                Some(version) => self.replace(OUTPUTS, outputs.to_text(), version).await?,
            };
            if let Written::Done(_) = written {
                return Ok(outputs);
            }
        }
        Err(Error::Busy {
            file: self.shown(OUTPUTS),
        })
    }
}
