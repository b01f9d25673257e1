//! The books of a walk: which nodes are settled, with which values, and what follows for the rest.

mod judge;
mod memory;

use crate::estate::Estate;
use crate::known::Known;
use crate::specified::Specified;
use pravo_plan::reach::ReadCause;
use pravo_plan::{OutputValue, Reason};
use pravo_spec::saved::Proof;
use pravo_spec::{OutputDecl, SpecErrors};
use pravo_state::{Address, Data, Lock, Record, Time, hash};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

/// What a walk starts from.
#[derive(Clone)]
pub(crate) struct WalkInput {
    /// The records as they are now.
    pub(crate) records: Known,
    /// Locks that stopped applies left, by address.
    pub(crate) left_locks: Arc<HashMap<Address, Lock>>,
    /// Records that this plan has read already.
    pub(crate) read: Arc<HashSet<Address>>,
    /// Records that a read of this plan found to differ.
    pub(crate) drifted: Arc<HashSet<Address>>,
    /// Answers that data sources gave to this plan: the hash of the configuration, and the answer.
    pub(crate) answers: Arc<HashMap<Address, (String, Arc<Data>)>>,
    /// The present moment, the same for the whole plan.
    pub(crate) now: Time,
}

/// A provider instance with its configuration.
#[derive(Clone, Debug)]
pub(crate) struct ProviderNow {
    pub(crate) key: String,
    pub(crate) config: Arc<Data>,
    /// Where it points; nothing when it points nowhere, or is not wholly known.
    pub(crate) digest: Option<String>,
}

impl ProviderNow {
    pub(crate) fn is_known(&self) -> bool {
        self.config.is_wholly_known()
    }
}

/// Work on one node.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The configuration, with unknown parts.
    pub(crate) config: Data,
    /// Its hash, when it is wholly known.
    pub(crate) hash: Option<String>,
    /// Why the node is planned; nothing when only its record is read.
    pub(crate) causes: Vec<Reason>,
    /// Why its record is read.
    pub(crate) read: Option<ReadCause>,
    /// The instance that does it.
    pub(crate) provider: ProviderNow,
}

/// What follows for a node, now that everything it depends on is settled.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Its record stands for it. Settled.
    Skipped,
    /// Its record stands for it, but other edges have to be written. Settled.
    Edges,
    /// A data source whose answer of this plan is known from an earlier walk. Settled.
    Answered {
        config: Data,
        hash: String,
        answer: Arc<Data>,
    },
    /// It is worked on; whoever does it settles it.
    Reach(Box<Task>),
    /// It can't be asked before the apply: a data source that waits, or a new resource whose
    /// provider waits. Settled with what is known.
    Deferred {
        config: Data,
        planned: Data,
        causes: Vec<Reason>,
    },
    /// Its configuration is wrong. Settled.
    Failed(SpecErrors),
    /// Its provider can't be asked about it yet. Settled.
    Waits { provider: String, on: Vec<Address> },
    /// Something it depends on failed. Settled.
    Blocked,
}

/// A judgement on one node.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) place: usize,
    pub(crate) verdict: Verdict,
}

/// What became of a node that was worked on.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// Its record stands for it.
    Same,
    /// This is what it will be; `pending` when an apply has to make it so.
    Planned { object: Arc<Data>, pending: bool },
    /// It failed.
    Failed,
}

#[derive(Clone, Debug)]
enum Settled {
    Open,
    Same,
    Value(Arc<Data>),
    Failed,
}

struct Book {
    settled: Settled,
    /// An apply has a change to make here, so values of it may change.
    pending: bool,
    /// The value stands in the specification.
    filled: bool,
    /// How many direct dependencies are not settled.
    waiting: usize,
    /// The values of everything above it stand in the specification.
    above: bool,
    /// The digest of all it is made of; nothing while a part of it has to be applied first.
    inputs: Option<Proof>,
}

/// The specification and the books.
pub(crate) struct Desk {
    spec: Box<dyn Specified>,
    estate: Arc<Estate>,
    input: WalkInput,
    books: Vec<Book>,
    ranks: Vec<usize>,
    ready: BinaryHeap<Reverse<usize>>,
    providers: HashMap<String, ProviderNow>,
}

impl Desk {
    pub(crate) fn new(spec: Box<dyn Specified>, estate: Arc<Estate>) -> Self {
        let mut ranks = vec![0; estate.sorted.len()];
        for (rank, place) in estate.sorted.iter().enumerate() {
            ranks[*place] = rank;
        }
        Self {
            spec,
            estate,
            input: WalkInput {
                records: Known::default(),
                left_locks: Arc::default(),
                read: Arc::default(),
                drifted: Arc::default(),
                answers: Arc::default(),
                now: Time::from(std::time::SystemTime::UNIX_EPOCH),
            },
            books: Vec::new(),
            ranks,
            ready: BinaryHeap::new(),
            providers: HashMap::new(),
        }
    }

    /// Starts a walk and judges everything that nothing worked on stands before.
    pub(crate) fn begin(&mut self, input: WalkInput) -> Vec<Judged> {
        self.load(input);
        self.judge_ready()
    }

    /// Takes the records, with nothing settled.
    pub(crate) fn load(&mut self, input: WalkInput) {
        self.input = input;
        self.providers.clear();
        self.ready.clear();
        self.books.clear();
        for place in 0..self.estate.nodes.len() {
            let waiting = self.estate.graph.upstream(place).len();
            self.books.push(Book {
                settled: Settled::Open,
                pending: false,
                filled: false,
                waiting,
                above: false,
                inputs: None,
            });
            if waiting == 0 {
                self.ready.push(Reverse(self.ranks[place]));
            }
        }
    }

    /// Settles a node, and judges what that sets free.
    pub(crate) fn settle(&mut self, place: usize, outcome: Outcome) -> Vec<Judged> {
        self.enter(place, outcome);
        self.judge_ready()
    }

    /// Takes the values that an apply gave a node.
    pub(crate) fn keep(&mut self, address: &Address, object: Arc<Data>) {
        let Some(place) = self.estate.place(address) else {
            return;
        };
        let book = &mut self.books[place];
        book.settled = Settled::Value(object);
        book.pending = false;
        book.filled = false;
        book.inputs = None;
        // An instance whose configuration reads the node may be known now.
        self.providers.retain(|_, provider| provider.is_known());
    }

    fn enter(&mut self, place: usize, outcome: Outcome) {
        let book = &mut self.books[place];
        (book.settled, book.pending) = match outcome {
            Outcome::Same => (Settled::Same, false),
            Outcome::Planned { object, pending } => (Settled::Value(object), pending),
            Outcome::Failed => (Settled::Failed, false),
        };
        for down in self.estate.graph.downstream(place) {
            let book = &mut self.books[*down];
            book.waiting -= 1;
            if book.waiting == 0 {
                self.ready.push(Reverse(self.ranks[*down]));
            }
        }
    }

    fn judge_ready(&mut self) -> Vec<Judged> {
        let mut all = Vec::new();
        while let Some(Reverse(rank)) = self.ready.pop() {
            let place = self.estate.sorted[rank];
            let verdict = self.judge(place);
            let outcome = match &verdict {
                Verdict::Skipped | Verdict::Edges => Some(Outcome::Same),
                Verdict::Answered { answer, .. } => Some(Outcome::Planned {
                    object: Arc::clone(answer),
                    pending: false,
                }),
                Verdict::Deferred { planned, .. } => Some(Outcome::Planned {
                    object: Arc::new(planned.clone()),
                    pending: true,
                }),
                Verdict::Failed(_) | Verdict::Waits { .. } | Verdict::Blocked => {
                    Some(Outcome::Failed)
                }
                Verdict::Reach(_) => None,
            };
            if let Some(outcome) = outcome {
                self.enter(place, outcome);
            }
            // Of most nodes of an estate there is nothing more to say.
            if !matches!(verdict, Verdict::Skipped | Verdict::Blocked) {
                all.push(Judged { place, verdict });
            }
        }
        all
    }

    fn record(&self, place: usize) -> Option<&Record> {
        let address = &self.estate.nodes[place].decl.address;
        self.input.records.get(address).map(|kept| &kept.value)
    }

    /// The values of a node as its readers see them; nothing while there are none.
    fn value(&self, place: usize) -> Result<Option<Arc<Data>>, SpecErrors> {
        match &self.books[place].settled {
            Settled::Value(object) => Ok(Some(Arc::clone(object))),
            Settled::Failed => Ok(None),
            Settled::Same | Settled::Open => {
                let node = &self.estate.nodes[place];
                let fits = |r: &&Record| r.schema_version == node.typed.schema.version;
                let Some(record) = self.record(place).filter(fits) else {
                    return Ok(None);
                };
                let object = node.typed.object(record).map_err(|problem| {
                    SpecErrors::one(format!("the record of {}: {problem}", record.addr))
                })?;
                Ok(Some(Arc::new(object)))
            }
        }
    }

    /// Makes sure that the values of these nodes, and of those above them, stand in the
    /// specification.
    fn fill(&mut self, places: &[usize]) -> Result<(), SpecErrors> {
        for place in self.not_filled_above(places) {
            self.fill_one(place)?;
        }
        for place in places {
            self.fill_one(*place)?;
        }
        Ok(())
    }

    fn fill_one(&mut self, place: usize) -> Result<(), SpecErrors> {
        if self.books[place].filled {
            return Ok(());
        }
        if let Some(object) = self.value(place)? {
            let node = &self.estate.nodes[place];
            self.spec
                .fill(&node.decl.address, &node.typed.schema, &object)?;
        }
        self.books[place].filled = true;
        Ok(())
    }

    /// What lies above these nodes and was not filled for them yet, in an order that follows the
    /// edges: a node that was judged without its configuration has left it out.
    fn not_filled_above(&mut self, places: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open: Vec<usize> = places.to_vec();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut self.books[place].above, true) {
                let upstream = self.estate.graph.upstream(place);
                found.extend_from_slice(upstream);
                open.extend_from_slice(upstream);
            }
        }
        found.sort_by_key(|place| self.ranks[*place]);
        found.dedup();
        found
    }

    fn fill_addresses(&mut self, addresses: &[Address]) -> Result<(), SpecErrors> {
        let places: Vec<usize> = addresses
            .iter()
            .filter_map(|a| self.estate.place(a))
            .collect();
        self.fill(&places)
    }

    /// The configuration of a node.
    pub(crate) fn desire(&mut self, address: &Address) -> Result<Data, SpecErrors> {
        let estate = Arc::clone(&self.estate);
        let Some(place) = estate.place(address) else {
            return Err(SpecErrors::one(format!("{address} is not declared")));
        };
        self.fill(estate.graph.upstream(place))?;
        let node = &estate.nodes[place];
        let config = self.spec.desired(address, &node.typed.schema)?;
        Ok(pravo_plan::normal::canonical(
            &node.typed.schema.block,
            config,
        ))
    }

    /// A provider instance as it is configured by what is settled.
    pub(crate) fn provider(&mut self, key: &str) -> Result<ProviderNow, SpecErrors> {
        if let Some(provider) = self.providers.get(key) {
            return Ok(provider.clone());
        }
        let estate = Arc::clone(&self.estate);
        let Some(instance) = estate.instances.get(key) else {
            return Err(SpecErrors::one(format!("there is no provider {key}")));
        };
        self.fill_addresses(&instance.dependencies)?;
        let schema = &instance.config.schema;
        let config = self.spec.provider_config(key, schema)?;
        let digest = if config.is_wholly_known() {
            hash::provider_config(&config, &schema.block)
                .map_err(|problem| SpecErrors::one(format!("provider {key}: {problem}")))?
        } else {
            None
        };
        let provider = ProviderNow {
            key: key.to_owned(),
            config: Arc::new(config),
            digest,
        };
        if provider.is_known() {
            self.keep_provider(key, provider.digest.clone());
        }
        self.providers.insert(key.to_owned(), provider.clone());
        Ok(provider)
    }

    /// All outputs, and saves what was proved. The recorded ones stand where nothing they are made
    /// of changed.
    pub(crate) fn outputs(
        &mut self,
        recorded: &BTreeMap<String, OutputValue>,
    ) -> BTreeMap<String, Result<OutputValue, SpecErrors>> {
        let mut values = BTreeMap::new();
        for decl in Arc::clone(&self.estate).outputs.iter() {
            let name = decl.address.to_string();
            let value = match recorded.get(&name).filter(|old| self.is_proved(decl, old)) {
                Some(old) => Ok(old.clone()),
                None => self.output(decl, &name),
            };
            values.insert(name, value);
        }
        if let Err(error) = self.spec.save() {
            tracing::debug!(%error, "the evaluation could not be saved");
        }
        values
    }

    fn output(&mut self, decl: &OutputDecl, name: &str) -> Result<OutputValue, SpecErrors> {
        self.fill_addresses(&decl.dependencies)?;
        let output = self.spec.output(name)?;
        let output = OutputValue {
            value: output.value,
            sensitive: output.sensitive,
        };
        self.prove_output(decl, &output);
        Ok(output)
    }
}
