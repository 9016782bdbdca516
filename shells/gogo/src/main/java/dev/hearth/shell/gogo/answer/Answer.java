package dev.hearth.shell.gogo.answer;

/** What a command answers. Immutable. */
public interface Answer {
    /** Whole lines, each within the page where words allow it. */
    String text(Page page);

    /** One JSON value, without an end of line. */
    String json();

    /** A text of its own; {@code key} names it for programs. */
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
