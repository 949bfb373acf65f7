//! One call in five programming languages. The body is a separate part, so that the page's script can replace it.

/// A call in one language.
pub(super) struct Snippet {
    pub(super) language: &'static str,
    pub(super) before: String,
    pub(super) body: &'static str,
    pub(super) after: &'static str,
    /// How the script must escape a body: `shell`, `php`, or not at all.
    pub(super) quote: &'static str,
}

/// A call of `url` with `body`, which must not contain a single quote.
pub(super) fn of(url: &str, body: &'static str) -> [Snippet; 5] {
    let snippet = |language, quote, before: String, after| Snippet { language, before, body, after, quote };
    [
        snippet(
            "curl",
            "shell",
            format!(
                "curl --silent --show-error {url} \\\n  --header \"Authorization: Bearer $KURAKA_TOKEN\" \\\n  \
                 --header 'Accept: application/json' \\\n  --header 'Content-Type: application/json' \\\n  --data '"
            ),
            "'",
        ),
        snippet(
            "JavaScript",
            "",
            format!(
                "const answer = await fetch(\"{url}\", {{\n  method: \"POST\",\n  headers: {{\n    \
                 \"Authorization\": `Bearer ${{process.env.KURAKA_TOKEN}}`,\n    \"Accept\": \"application/json\",\n    \
                 \"Content-Type\": \"application/json\",\n  }},\n  body: JSON.stringify("
            ),
            "),\n});\nconsole.log(answer.status, await answer.json());",
        ),
        snippet(
            "Python",
            "",
            format!(
                "import json, os, urllib.error, urllib.request\n\nrequest = urllib.request.Request(\n    \"{url}\",\n    \
                 method=\"POST\",\n    headers={{\n        \"Authorization\": \"Bearer \" + os.environ[\"KURAKA_TOKEN\"],\n        \
                 \"Accept\": \"application/json\",\n        \"Content-Type\": \"application/json\",\n    }},\n    data=json.dumps("
            ),
            ").encode(),\n)\ntry:\n    answer = urllib.request.urlopen(request, timeout=15)\n\
             except urllib.error.HTTPError as refusal:\n    answer = refusal\nprint(answer.status, json.load(answer))",
        ),
        snippet(
            "PHP",
            "php",
            format!(
                "<?php\n$call = curl_init('{url}');\ncurl_setopt_array($call, [\n    CURLOPT_POST => true,\n    \
                 CURLOPT_RETURNTRANSFER => true,\n    CURLOPT_TIMEOUT => 15,\n    CURLOPT_HTTPHEADER => [\n        \
                 'Authorization: Bearer ' . getenv('KURAKA_TOKEN'),\n        'Accept: application/json',\n        \
                 'Content-Type: application/json',\n    ],\n    CURLOPT_POSTFIELDS => '"
            ),
            "',\n]);\n$body = curl_exec($call);\necho curl_getinfo($call, CURLINFO_RESPONSE_CODE), ' ', $body, \"\\n\";",
        ),
        snippet(
            "Rust",
            "",
            format!(
                "// reqwest = {{ version = \"0.13\", features = [\"blocking\"] }}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
                 let answer = reqwest::blocking::Client::new()\n        .post(\"{url}\")\n        \
                 .bearer_auth(std::env::var(\"KURAKA_TOKEN\")?)\n        .header(\"Accept\", \"application/json\")\n        \
                 .header(\"Content-Type\", \"application/json\")\n        .body(r#\""
            ),
            "\"#)\n        .send()?;\n    println!(\"{} {}\", answer.status(), answer.text()?);\n    Ok(())\n}",
        ),
    ]
}
