//! As much XML as Whydah's messages need: the text of the first element of a name, and escaping.

/// The unescaped text of the first element of that name; `None` when there is none.
pub(super) fn text(xml: &str, element: &str) -> Option<String> {
    let mut rest = xml;
    loop {
        let at = rest.find('<')?;
        rest = &rest[at + 1..];
        let Some(after) = rest.strip_prefix(element) else { continue };
        let is_whole_name = after.starts_with(|next: char| next == '>' || next.is_whitespace());
        if !is_whole_name {
            continue;
        }
        let content = &after[after.find('>')? + 1..];
        let text = &content[..content.find('<')?];
        return Some(unescaped(text.trim()));
    }
}

fn unescaped(text: &str) -> String {
    let named = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    named.replace("&#39;", "'").replace("&amp;", "&")
}

/// The text as it may stand in XML and HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_whole_names_only() {
        let xml = "<a><username2>x</username2><username a='1'> user.7 &amp; &lt;co&gt; </username></a>";
        assert_eq!(text(xml, "username").unwrap(), "user.7 & <co>");
        assert_eq!((text(xml, "name"), text("<name>", "name"), text("<name", "name")), (None, None, None));
    }
}
