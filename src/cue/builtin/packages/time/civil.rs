//! The calendar.

/// A time of day in a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) year: i64,
    /// From 1.
    pub(super) month: u32,
    /// From 1.
    pub(super) day: u32,
    pub(super) hour: u32,
    pub(super) minute: u32,
    pub(super) second: u32,
    pub(super) nanosecond: u32,
    /// Seconds east of Greenwich.
    pub(super) offset: i64,
    /// Abbreviation of the zone; empty if it has none.
    pub(super) zone: String,
}

/// Days since 1970 of a date.
pub(super) fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let shifted = i64::from((month + 9) % 12);
    let of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn date_of(days: i64) -> (i64, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1) as u32;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    } as u32;
    (year + era * 400 + i64::from(month <= 2), month, day)
}

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) fn days_in(month: u32, year: i64) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Moment {
    pub(super) fn from_unix(seconds: i64, nanosecond: u32) -> Self {
        let days = seconds.div_euclid(86_400);
        let of_day = seconds.rem_euclid(86_400) as u32;
        let (year, month, day) = date_of(days);
        Self {
            year,
            month,
            day,
            hour: of_day / 3600,
            minute: of_day / 60 % 60,
            second: of_day % 60,
            nanosecond,
            offset: 0,
            zone: "UTC".into(),
        }
    }

    /// Seconds since 1970.
    pub(super) fn unix(&self) -> i64 {
        let days = days_of(self.year, self.month, self.day);
        let of_day = self.hour * 3600 + self.minute * 60 + self.second;
        days.wrapping_mul(86_400) + i64::from(of_day) - self.offset
    }

    pub(super) fn in_utc(&self) -> Self {
        Self::from_unix(self.unix(), self.nanosecond)
    }

    /// 0 is Sunday.
    pub(super) fn weekday(&self) -> usize {
        (days_of(self.year, self.month, self.day) + 4).rem_euclid(7) as usize
    }

    /// Day of the year, from 1.
    pub(super) fn day_of_year(&self) -> i64 {
        days_of(self.year, self.month, self.day) - days_of(self.year, 1, 1) + 1
    }
}
