package dev.hearth.shell.gogo.answer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One value, as text and as JSON, with a tone for its colour. Immutable. */
public record Value(String shown, String json, Tone tone) {
    /** Colour of a value. */
    public enum Tone {
        PLAIN,
        GOOD,
        BAD
    }

    public static Value of(String text) {
        return new Value(text, Json.quote(text), Tone.PLAIN);
    }

    public static Value of(long number) {
        return new Value(Long.toString(number), Long.toString(number), Tone.PLAIN);
    }

    public static Value of(boolean flag) {
        return new Value(flag ? "yes" : "no", Boolean.toString(flag), Tone.PLAIN);
    }

    public static Value of(List<String> texts) {
        return new Value(
                String.join(", ", texts),
                Json.array(texts.stream().map(Json::quote).toList()),
                Tone.PLAIN);
    }

    public static Value of(Map<String, String> named) {
        Map<String, String> quoted = new LinkedHashMap<>();
        named.forEach((name, text) -> quoted.put(name, Json.quote(text)));
        return new Value(
                named.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" ")),
                Json.object(quoted),
                Tone.PLAIN);
    }

    /** Returns the same value with other text. */
    public Value shownAs(String words) {
        return new Value(words, json, tone);
    }

    public Value good() {
        return new Value(shown, json, Tone.GOOD);
    }

    public Value bad() {
        return new Value(shown, json, Tone.BAD);
    }

    /** Returns {@code part} of the text, coloured if the page has colours. */
    String painted(String part, Page page) {
        if (!page.colours() || part.isBlank()) {
            return part;
        }
        return switch (tone) {
            case PLAIN -> part;
            case GOOD -> "\u001b[32m" + part + "\u001b[0m";
            case BAD -> "\u001b[31m" + part + "\u001b[0m";
        };
    }
}
