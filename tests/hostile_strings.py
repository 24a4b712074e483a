"""Names that try to become markup, code, formulas or commands somewhere on the way."""

HOSTILE = [
    "</script>", "</script><script>alert(1)</script>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>", "<svg/onload=alert`1`>", "\"><img src=x onerror=alert(1)>", "'><img src=x onerror=alert(1)>",
    "<iframe src=javascript:alert(1)>", "<a href=javascript:alert(1)>x</a>", "javascript:alert(1)", "data:text/html,<b>",
    "<body onload=alert(1)>", "<style>*{display:none}</style>", "</style><script>alert(1)</script>", "<!-- ", "-->",
    "<![CDATA[", "]]>", "<math><mtext></mtext></math>", "<template><script>alert(1)</script></template>", "{{7*7}}",
    "${alert(1)}", "`${alert(1)}`", "{@html '<b>'}", "\\u003cscript\\u003e", "\\x3cscript\\x3e", "%3Cscript%3E", "&lt;script&gt;",
    "&#60;script&#62;", "=cmd|'/c calc'!A0", "=HYPERLINK(\"http://example.invalid\")", "+1+1", "-1+1", "@SUM(A1)", "=1+1",
    "'; DROP TABLE visits; --", "\" OR 1=1 --", "$(touch hacked)", "`touch hacked`", "| touch hacked", "../../etc/passwd",
    "line\u2028separator", "paragraph\u2029separator", "\u202egnp.exe", "\ufeffbom", "zero\u200bwidth", "emoji 🙂", "שלום", "ﷺ",
    "quote\"quote", "apostrophe's", "back\\slash", "\\", "{\"json\": true}", "null", "NaN", "__proto__", "constructor", "toString",
]
