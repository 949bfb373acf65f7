//! The provinces and districts of Peru, in INEI's numbering and spelling.

/// By code: code, department, province, district.
const SOURCE: &str = include_str!("../../data/ubigeo_inei.csv");

const COUNT: usize = 1892;

#[derive(Clone, Copy)]
pub(super) struct District {
    pub(super) code: u32,
    /// Where the rest of its line begins in [`SOURCE`].
    rest: u32,
}

/// By code. The compiler parses the table.
#[expect(clippy::indexing_slicing, reason = "a wrong index does not compile")]
pub(super) static DISTRICTS: [District; COUNT] = {
    let source = SOURCE.as_bytes();
    let mut districts = [District { code: 0, rest: 0 }; COUNT];
    let (mut count, mut at) = (0, 0);
    while count < districts.len() {
        // The first line is the header.
        while source[at] != b'\n' {
            at += 1;
        }
        at += 1;
        let mut code = 0;
        while source[at] != b',' {
            code = code * 10 + (source[at] - b'0') as u32;
            at += 1;
        }
        at += 1;
        districts[count] = District { code, rest: at as u32 };
        count += 1;
    }
    districts
};

impl District {
    /// Province and district; every line has them.
    pub(super) fn names(&self) -> Option<(&'static str, &'static str)> {
        let line = SOURCE.get(self.rest as usize..)?.lines().next()?;
        let (_department, names) = line.split_once(',')?;
        names.split_once(',')
    }
}
