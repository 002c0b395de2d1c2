//! The declaration of records.

/// Declares a record of a file: a struct, its decoder and its JSON Schema.
///
/// A field's key is its name unless `= "other"` says otherwise; an `Option` may be left out; the doc comments
/// are the descriptions in the schema; `..name: Record` takes the keys of another record into this one.
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident {
            $( $(#[doc = $field_doc:literal])* $field:ident $(= $key:literal)? : $type:ty, )*
            $( ..$rest:ident : $rest_type:ty, )?
        }
        $( rules: [$($rule:expr),* $(,)?] )?
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Default)]
        #[allow(dead_code, reason = "some keys are there for people alone")]
        $vis struct $name {
            $( $(#[doc = $field_doc])* pub(crate) $field: $type, )*
            $( pub(crate) $rest: $rest_type, )?
        }

        impl $crate::format::decode::fields::Record for $name {
            fn take(fields: &mut $crate::format::decode::fields::Fields<'_>) -> Option<Self> {
                $( let $field = <$type as $crate::format::decode::fields::Field>::take(
                    fields,
                    $crate::format::decode::record::key!($field $($key)?),
                ); )*
                $( let $rest = <$rest_type as $crate::format::decode::fields::Record>::take(fields); )?
                $( $( fields.check(&$rule); )* )?
                Some(Self { $( $field: $field?, )* $( $rest: $rest?, )? })
            }

            fn describe(
                shape: &mut $crate::format::decode::shape::Shape,
                definitions: &mut $crate::format::decode::shape::Definitions,
            ) {
                $( shape.property(
                    $crate::format::decode::record::key!($field $($key)?),
                    &[$($field_doc),*],
                    <$type as $crate::format::decode::fields::Field>::REQUIRED,
                    <$type as $crate::format::decode::fields::Field>::schema(definitions),
                ); )*
                $( <$rest_type as $crate::format::decode::fields::Record>::describe(shape, definitions); )?
                $( $( shape.rule(&$rule); )* )?
            }
        }

        impl $crate::format::decode::Decode for $name {
            const EXPECTED: &'static str = "a map";

            fn accepts(node: &$crate::format::node::Node) -> bool {
                node.map().is_some()
            }

            fn decode(
                node: &$crate::format::node::Node,
                problems: &mut $crate::format::problems::Problems,
            ) -> Option<Self> {
                if !Self::accepts(node) {
                    return $crate::format::decode::wrong_kind::<Self>(node, problems);
                }
                let mut fields = $crate::format::decode::fields::Fields::new(node, problems)?;
                let record = <Self as $crate::format::decode::fields::Record>::take(&mut fields);
                fields.finish();
                record
            }

            fn schema(
                definitions: &mut $crate::format::decode::shape::Definitions,
            ) -> serde_json::Value {
                definitions.refer(stringify!($name), |definitions| {
                    let mut shape = $crate::format::decode::shape::Shape::default();
                    <Self as $crate::format::decode::fields::Record>::describe(&mut shape, definitions);
                    shape.finish(&[$($doc),*])
                })
            }
        }
    };
}

/// The key of a field: its name, or what is given instead.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

pub(crate) use {key, record};
