//! What a planned object may hold.

use super::equal::{at, at_index, at_key, element, equal, is_null, items, keys, part};
use super::{Report, Violation};
use pravo_proto::value::canonical;
use pravo_state::{Attribute, AttributeKind, AttributePath, Block, Data, NestedBlock, Nesting};

/// What a plan breaks: it may set what the configuration leaves to the provider, and keep a prior
/// value that means the same as the configured one; everything else must be as configured. Neither
/// configuration nor plan is null: a delete has no such plan.
pub fn check_plan(block: &Block, prior: &Data, config: &Data, planned: &Data) -> Vec<Violation> {
    let mut report = Report::default();
    let root = AttributePath::default();
    let of = block.implied_type();
    let all = [prior, config, planned].map(|value| canonical(value, &of));
    match all {
        [Ok(prior), Ok(config), Ok(planned)] => {
            report.block(&root, block, [&prior, &config, &planned]);
            super::values::report_write_only(&mut report, block, &planned);
        }
        [prior, config, planned] => {
            for error in [prior.err(), config.err(), planned.err()]
                .into_iter()
                .flatten()
            {
                report.add(&error.path(), error.problem);
            }
        }
    }
    report.0
}

/// Prior, configured and planned value of one place.
type Three<'a> = [&'a Data; 3];

fn parts<'a>(three: Three<'a>, name: &str) -> Three<'a> {
    three.map(|value| part(value, name))
}

fn elements(three: Three<'_>, index: usize) -> Three<'_> {
    three.map(|value| element(value, index))
}

impl Report {
    fn block(&mut self, path: &AttributePath, block: &Block, three: Three<'_>) {
        let [_, config, planned] = three;
        match (is_null(config), is_null(planned)) {
            (true, true) => return,
            (false, true) => return self.add(path, "planned to be absent, but it is configured"),
            (true, false) => return self.add(path, "planned to exist, but it is not configured"),
            (false, false) => {}
        }
        for attribute in &block.attributes {
            let name = &attribute.name;
            self.attribute(&at(path, name), attribute, parts(three, name));
        }
        for nested in &block.blocks {
            let name = &nested.name;
            self.nested_block(&at(path, name), nested, parts(three, name));
        }
    }

    fn attribute(&mut self, path: &AttributePath, attribute: &Attribute, three: Three<'_>) {
        let [prior, config, planned] = three;
        let kept = equal(planned, prior) && !is_null(prior) && !is_null(config);
        let free = attribute.computed && (!attribute.optional || is_null(config));
        if equal(planned, config) || kept || free {
            return;
        }
        if is_null(config) {
            return self.add(
                path,
                "planned a value for an attribute that is not configured and not computed",
            );
        }
        if is_null(planned) && attribute.write_only {
            return;
        }
        match &attribute.kind {
            AttributeKind::Nested(nesting, attributes) => {
                self.nested_attribute(path, *nesting, attributes, three);
            }
            AttributeKind::Value(_) => {
                self.add(path, "planned a value that differs from the configured one");
            }
        }
    }

    fn nested_attribute(
        &mut self,
        path: &AttributePath,
        nesting: Nesting,
        attributes: &[Attribute],
        three: Three<'_>,
    ) {
        let [_, config, planned] = three;
        if is_null(config) != is_null(planned) {
            let problem = match is_null(planned) {
                true => "planned to be absent, but it is configured",
                false => "planned to exist, but it is not configured",
            };
            return self.add(path, problem);
        }
        if *planned == Data::Unknown {
            return self.add(path, "planned as unknown, but it is configured");
        }
        let object = |report: &mut Self, path: &AttributePath, three: Three<'_>| {
            for attribute in attributes {
                let name = &attribute.name;
                report.attribute(&at(path, name), attribute, parts(three, name));
            }
        };
        match nesting {
            Nesting::Single | Nesting::Group => object(self, path, three),
            Nesting::List => self.list(path, three, object),
            Nesting::Map => self.map(path, three, object),
            Nesting::Set => self.set_length(path, config, planned),
        }
    }

    fn nested_block(&mut self, path: &AttributePath, nested: &NestedBlock, three: Three<'_>) {
        let [_, config, planned] = three;
        if equal(planned, config) {
            return;
        }
        if *config == Data::Unknown || *planned == Data::Unknown {
            return self.add(path, "planned blocks that differ from the configured ones");
        }
        let many = !matches!(nested.nesting, Nesting::Single | Nesting::Group);
        if many && is_null(planned) {
            return self.add(path, "planned no value for blocks");
        }
        let block = |report: &mut Self, path: &AttributePath, three: Three<'_>| match three[2] {
            Data::Unknown => report.add(path, "planned a block that is unknown as a whole"),
            _ => report.block(path, &nested.block, three),
        };
        match nested.nesting {
            Nesting::Single | Nesting::Group => block(self, path, three),
            Nesting::List => self.list(path, three, block),
            Nesting::Map => self.map(path, three, block),
            Nesting::Set => {
                if items(planned).contains(&Data::Unknown) {
                    self.add(path, "planned a block that is unknown as a whole");
                }
            }
        }
    }

    fn list(
        &mut self,
        path: &AttributePath,
        three: Three<'_>,
        one: impl Fn(&mut Self, &AttributePath, Three<'_>),
    ) {
        let [_, config, planned] = three;
        if *config == Data::Unknown {
            return;
        }
        let (wanted, found) = (items(config).len(), items(planned).len());
        if wanted != found {
            return self.add(
                path,
                format!("planned {found} elements, configured are {wanted}"),
            );
        }
        for index in 0..found {
            one(self, &at_index(path, index), elements(three, index));
        }
    }

    fn map(
        &mut self,
        path: &AttributePath,
        three: Three<'_>,
        one: impl Fn(&mut Self, &AttributePath, Three<'_>),
    ) {
        let [_, config, planned] = three;
        if *config == Data::Unknown {
            return;
        }
        if keys(config) != keys(planned) {
            return self.add(path, "planned other keys than the configured ones");
        }
        for key in keys(planned) {
            one(self, &at_key(path, key), parts(three, key));
        }
    }

    /// The elements of a set have no names to compare them by, so only their number counts. Equal
    /// elements fall together, and unknown ones may turn out to be equal.
    fn set_length(&mut self, path: &AttributePath, config: &Data, planned: &Data) {
        if *config == Data::Unknown {
            return;
        }
        let most = items(config).len();
        let found = items(planned).len();
        let certain = items(config).iter().all(Data::is_wholly_known)
            && items(planned).iter().all(Data::is_wholly_known);
        if found > most || certain && found != most || found == 0 && most > 0 {
            self.add(
                path,
                format!("planned {found} elements, configured are {most}"),
            );
        }
    }
}
