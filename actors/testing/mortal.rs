//! A process that dies at a chosen step: of then on neither store nor provider hears of it.

use pravo_store::{Answer, Error, MemoryObjects, Object, Objects, Version, Written};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts the steps of a process over store and providers.
pub(crate) struct Life {
    steps: AtomicU64,
    dies_at: Option<u64>,
    dead: AtomicBool,
}

impl Life {
    pub(crate) fn new(dies_at: Option<u64>) -> Self {
        Self {
            steps: AtomicU64::new(0),
            dies_at,
            dead: AtomicBool::new(false),
        }
    }

    /// Takes one step; whether the process still lives.
    pub(crate) fn step(&self) -> bool {
        let step = self.steps.fetch_add(1, Ordering::SeqCst);
        if self.dies_at == Some(step) {
            self.dead.store(true, Ordering::SeqCst);
        }
        !self.is_dead()
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::SeqCst)
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::SeqCst)
    }
}

/// The state as a mortal process reaches it.
pub(crate) struct Mortal {
    objects: Arc<MemoryObjects>,
    life: Arc<Life>,
    /// The key of an object that can't be written.
    refuses: Option<String>,
}

impl Mortal {
    pub(crate) fn new(
        objects: Arc<MemoryObjects>,
        life: Arc<Life>,
        refuses: Option<String>,
    ) -> Self {
        Self {
            objects,
            life,
            refuses,
        }
    }

    fn write(&self, key: &str) -> Result<(), Error> {
        if self.refuses.as_deref() == Some(key) {
            return Err(Error::Io {
                what: format!("write {key}"),
                source: std::io::Error::other("the disk is full"),
            });
        }
        self.breathe()
    }

    fn breathe(&self) -> Result<(), Error> {
        if self.life.step() {
            return Ok(());
        }
        Err(Error::Io {
            what: "go on".to_owned(),
            source: std::io::Error::other("the process is dead"),
        })
    }
}

impl Objects for Mortal {
    fn place(&self) -> &str {
        self.objects.place()
    }

    fn prepare(&self) -> Answer<'_, ()> {
        Box::pin(async move {
            self.breathe()?;
            self.objects.prepare().await
        })
    }

    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Object>> {
        Box::pin(async move {
            self.breathe()?;
            self.objects.get(key).await
        })
    }

    fn create<'a>(&'a self, key: &'a str, bytes: Vec<u8>) -> Answer<'a, Written> {
        Box::pin(async move {
            self.write(key)?;
            self.objects.create(key, bytes).await
        })
    }

    fn replace<'a>(
        &'a self,
        key: &'a str,
        bytes: Vec<u8>,
        version: &'a Version,
    ) -> Answer<'a, Written> {
        Box::pin(async move {
            self.write(key)?;
            self.objects.replace(key, bytes, version).await
        })
    }

    fn delete<'a>(&'a self, key: &'a str, version: &'a Version) -> Answer<'a, bool> {
        Box::pin(async move {
            self.breathe()?;
            self.objects.delete(key, version).await
        })
    }

    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Vec<String>> {
        Box::pin(async move {
            self.breathe()?;
            self.objects.list(prefix).await
        })
    }
}
