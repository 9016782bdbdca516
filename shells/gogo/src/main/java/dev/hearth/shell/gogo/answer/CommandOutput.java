package dev.hearth.shell.gogo.answer;

/** Output of a command, as text and as JSON. Immutable. */
public interface CommandOutput {
    /**
     * Returns the output as complete lines. Long lines are wrapped to the width of the page, at word boundaries if
     * possible.
     */
    String text(PageFormat page);

    /** Returns the output as one JSON value, without a line end. */
    String json();

    /**
     * Creates an output that consists of the plain text {@code words}. In JSON it is an object whose only field, named
     * {@code key}, contains the text.
     */
    static CommandOutput words(String key, String words) {
        return new CommandOutput() {
            @Override
            public String text(PageFormat page) {
                return String.join("\n", TextWrapping.lines(words, page.width())) + "\n";
            }

            @Override
            public String json() {
                return "{" + AsciiJson.quote(key) + ":" + AsciiJson.quote(words) + "}";
            }
        };
    }
}
