//! Compare (RFC 4511, 4.10).

use super::code::Code;
use super::matching::equal;
use super::reply::Outcome;
use super::{Call, bad_name};

impl Call<'_> {
    pub(super) fn compare(&mut self, dn: &[u8], attribute: &[u8], value: &[u8]) -> Result<Outcome, Outcome> {
        self.dn.read(dn).map_err(bad_name)?;
        let place = self.entries.place(self.dn);
        if !self.entries.show(&place, self.image) {
            return Err(self.entries.missing(self.dn));
        }
        self.check_assertion()?;
        let mut values = self.image.values(attribute).ok_or_else(|| Outcome::new(Code::NoSuchAttribute))?;
        let is_password = equal(attribute, b"userPassword");
        let is_same = values.any(|found| if is_password { found == value } else { equal(found, value) });
        Ok(Outcome::new(if is_same { Code::CompareTrue } else { Code::CompareFalse }))
    }
}
