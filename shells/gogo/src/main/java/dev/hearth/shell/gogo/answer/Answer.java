package dev.hearth.shell.gogo.answer;

/** Output of a command, as text and as JSON. Immutable. */
public interface Answer {
    /** Whole lines, wrapped to the page's width at word boundaries if possible. */
    String text(Page page);

    /** One JSON value, without a line end. */
    String json();

    /** Creates an output of plain text; {@code key} is its name in JSON. */
    static Answer words(String key, String words) {
        return new Answer() {
            @Override
            public String text(Page page) {
                return String.join("\n", Wrapping.lines(words, page.width())) + "\n";
            }

            @Override
            public String json() {
                return "{" + Json.quote(key) + ":" + Json.quote(words) + "}";
            }
        };
    }
}
