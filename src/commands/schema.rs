//! `loadgen schema`: the JSON Schema of a format.

use super::{Failed, print};
use crate::arguments::{Schema, SchemaOf};

/// Prints a schema.
pub(crate) fn schema(schema: &Schema) -> Result<u8, Failed> {
    let schema = match schema.format {
        SchemaOf::Job => loadgen_model::format::schema(),
        SchemaOf::Report => loadgen_report::json::schema(),
    };
    print(&format!("{schema:#}\n"))?;
    Ok(0)
}
