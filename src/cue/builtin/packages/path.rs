//! `path`: file paths as texts, for the operating system given.

use crate::builtin::call::Call;
use crate::builtin::host::{Data, Failure};
use crate::builtin::kind::Kind;
use crate::builtin::registry::{
    Constraint, LIST, Member, Package, Parameter, STRING, constant, function,
};

mod pattern;
mod system;

use system::System;

/// Whether a pattern of shells matches a whole name. The error is a fault of the pattern.
pub(in crate::builtin) fn unix_matches(pattern: &str, name: &str) -> Result<bool, &'static str> {
    pattern::matches(pattern, name, System::Unix)
}

const UNIX_TEXT: &str = "*\"unix\" | \"windows\" | \"plan9\" | \"aix\" | \"android\" | \"darwin\" | \"dragonfly\" | \"freebsd\" | \"hurd\" | \"illumos\" | \"ios\" | \"js\" | \"linux\" | \"nacl\" | \"netbsd\" | \"openbsd\" | \"solaris\" | \"zos\"";
const REQUIRED_TEXT: &str = "\"unix\" | \"windows\" | \"plan9\" | \"aix\" | \"android\" | \"darwin\" | \"dragonfly\" | \"freebsd\" | \"hurd\" | \"illumos\" | \"ios\" | \"js\" | \"linux\" | \"nacl\" | \"netbsd\" | \"openbsd\" | \"solaris\" | \"zos\"";
const WINDOWS_TEXT: &str = "*\"windows\" | \"unix\" | \"plan9\" | \"aix\" | \"android\" | \"darwin\" | \"dragonfly\" | \"freebsd\" | \"hurd\" | \"illumos\" | \"ios\" | \"js\" | \"linux\" | \"nacl\" | \"netbsd\" | \"openbsd\" | \"solaris\" | \"zos\"";

static UNIX: Constraint = Constraint {
    text: UNIX_TEXT,
    default_text: "\"unix\"",
};
static REQUIRED: Constraint = Constraint {
    text: REQUIRED_TEXT,
    default_text: "",
};
static WINDOWS: Constraint = Constraint {
    text: WINDOWS_TEXT,
    default_text: "\"windows\"",
};

const OS_VALUE: Parameter = Parameter {
    kind: Kind::STRING,
    constraint: Some(&UNIX),
};
const REQUIRED_VALUE: Parameter = Parameter {
    kind: Kind::STRING,
    constraint: Some(&REQUIRED),
};
const WINDOWS_VALUE: Parameter = Parameter {
    kind: Kind::STRING,
    constraint: Some(&WINDOWS),
};

pub(super) static PACKAGE: Package = Package {
    path: "path",
    members: MEMBERS,
    source: "",
};

static MEMBERS: &[Member] = &[
    function("Split", &[STRING, OS_VALUE], Kind::LIST, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        let at = os.split_at(&path);
        Ok(Data::strings([&path[..at], &path[at..]]))
    }),
    function("SplitList", &[STRING, REQUIRED_VALUE], Kind::LIST, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(Data::strings(os.split_list(&path)))
    }),
    function("Join", &[LIST, OS_VALUE], Kind::STRING, |c| {
        let (elements, os) = (c.strings(0)?, system(c, 1)?);
        Ok(os.join(&elements).into())
    }),
    function("Match", &[STRING, STRING, OS_VALUE], Kind::BOOL, |c| {
        let (pattern, name, os) = (c.string(0)?, c.string(1)?, system(c, 2)?);
        match pattern::matches(&pattern, &name, os) {
            Ok(found) => Ok(found.into()),
            Err(text) => Failure::fatal(text),
        }
    }),
    function("Clean", &[STRING, OS_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(os.clean(&path).into())
    }),
    function("ToSlash", &[STRING, REQUIRED_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(if os == System::Windows {
            path.replace('\\', "/")
        } else {
            path
        }
        .into())
    }),
    function("FromSlash", &[STRING, REQUIRED_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(os.with_separators(path).into())
    }),
    function("Ext", &[STRING, OS_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        let last = path.rfind(|ch| os.separates(ch)).map_or(0, |i| i + 1);
        let name = &path[last..];
        Ok(name.rfind('.').map_or("", |i| &name[i..]).into())
    }),
    function("Resolve", &[STRING, STRING, OS_VALUE], Kind::STRING, |c| {
        let (dir, sub, os) = (c.string(0)?, c.string(1)?, system(c, 2)?);
        if os.is_absolute(&sub) {
            return Ok(os.clean(&sub).into());
        }
        Ok(os.join(&[os.clean(&dir), sub]).into())
    }),
    function("Rel", &[STRING, STRING, OS_VALUE], Kind::STRING, |c| {
        let (base, target, os) = (c.string(0)?, c.string(1)?, system(c, 2)?);
        match os.relative(&base, &target) {
            Some(path) => Ok(path.into()),
            None => Failure::fatal(format!("Rel: can't make {target} relative to {base}")),
        }
    }),
    function("Base", &[STRING, OS_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(os.base(&path).into())
    }),
    function("Dir", &[STRING, OS_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(os.dir(&path).into())
    }),
    function("IsAbs", &[STRING, OS_VALUE], Kind::BOOL, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(os.is_absolute(&path).into())
    }),
    constant("Unix", "\"unix\""),
    function("VolumeName", &[STRING, WINDOWS_VALUE], Kind::STRING, |c| {
        let (path, os) = (c.string(0)?, system(c, 1)?);
        Ok(path[..os.volume_length(&path)].into())
    }),
    constant("Windows", "\"windows\""),
    constant("Plan9", "\"plan9\""),
];

fn system(c: &mut Call<'_>, i: usize) -> Result<System, Failure> {
    Ok(match c.string(i)?.as_str() {
        "windows" => System::Windows,
        "plan9" => System::Plan9,
        _ => System::Unix,
    })
}
