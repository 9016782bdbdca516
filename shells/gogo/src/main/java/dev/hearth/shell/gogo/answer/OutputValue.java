package dev.hearth.shell.gogo.answer;

import dev.hearth.spi.error.PrintableText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One value of an output, as text and as JSON, with a tone that selects its colour. Control characters are replaced in
 * the text and escaped in JSON. Immutable.
 */
public record OutputValue(String shown, String json, Tone tone) {
    public OutputValue {
        shown = PrintableText.lines(shown);
    }

    /** Tone of a value: whether it is shown as plain, good or bad. */
    public enum Tone {
        PLAIN,
        GOOD,
        BAD
    }

    public static OutputValue of(String text) {
        return new OutputValue(text, AsciiJson.quote(text), Tone.PLAIN);
    }

    public static OutputValue of(long number) {
        return new OutputValue(Long.toString(number), Long.toString(number), Tone.PLAIN);
    }

    public static OutputValue of(boolean flag) {
        return new OutputValue(flag ? "yes" : "no", Boolean.toString(flag), Tone.PLAIN);
    }

    public static OutputValue of(List<String> texts) {
        return new OutputValue(
                String.join(", ", texts),
                AsciiJson.array(texts.stream().map(AsciiJson::quote).toList()),
                Tone.PLAIN);
    }

    public static OutputValue of(Map<String, String> named) {
        Map<String, String> quoted = new LinkedHashMap<>();
        named.forEach((name, text) -> quoted.put(name, AsciiJson.quote(text)));
        return new OutputValue(
                named.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" ")),
                AsciiJson.object(quoted),
                Tone.PLAIN);
    }

    /** Returns a value that is shown as {@code words}, with the JSON form and the tone of this value. */
    public OutputValue shownAs(String words) {
        return new OutputValue(words, json, tone);
    }

    public OutputValue good() {
        return new OutputValue(shown, json, Tone.GOOD);
    }

    public OutputValue bad() {
        return new OutputValue(shown, json, Tone.BAD);
    }

    /**
     * Returns {@code part}, a part of the shown text, between the codes of the tone's colour. Returns it unchanged if
     * {@code page} does not allow colours.
     */
    String painted(String part, PageFormat page) {
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
