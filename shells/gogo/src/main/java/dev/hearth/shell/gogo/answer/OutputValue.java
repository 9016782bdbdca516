package dev.hearth.shell.gogo.answer;

import dev.hearth.spi.error.PrintableText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * One value of an output, as text and as JSON, with a tone that selects its colour. Control characters are replaced in
 * the text and escaped in JSON. A value with {@code fields} is, in JSON, those fields instead of one with the name of its
 * column. A {@code moving} value changes with the time alone, such as an age. Immutable.
 */
public record OutputValue(String shown, String json, Tone tone, Map<String, String> fields, boolean moving) {
    private static final String NULL = "null";

    public OutputValue {
        shown = PrintableText.lines(shown);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    private OutputValue(String shown, String json, Tone tone) {
        this(shown, json, tone, Map.of(), false);
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

    /** Returns named values, in JSON as the fields of an object. */
    public static OutputValue objects(Map<String, OutputValue> named) {
        Map<String, String> values = new LinkedHashMap<>();
        named.forEach((name, value) -> values.put(name, value.json));
        return new OutputValue(
                named.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue().shown())
                        .collect(Collectors.joining(" ")),
                AsciiJson.object(values),
                Tone.PLAIN);
    }

    /** Returns the number, or null in JSON and an empty text if it is unknown. */
    public static OutputValue of(OptionalInt number) {
        return number.isPresent() ? of(number.getAsInt()) : unknown();
    }

    /** Returns the number, or null in JSON and an empty text if it is unknown. */
    public static OutputValue of(OptionalLong number) {
        return number.isPresent() ? of(number.getAsLong()) : unknown();
    }

    /** Returns a value that is null in JSON and an empty text. */
    public static OutputValue unknown() {
        return new OutputValue("", NULL, Tone.PLAIN);
    }

    /** Returns a value that is shown as {@code words}, with the JSON form and the tone of this value. */
    public OutputValue shownAs(String words) {
        return new OutputValue(words, json, tone, fields, moving);
    }

    /**
     * Returns this value with a field {@code name} in JSON. A value with fields has no JSON form of its own: the fields
     * are those of its row.
     */
    public OutputValue field(String name, OutputValue value) {
        Map<String, String> more = new LinkedHashMap<>(fields);
        more.put(name, value.json);
        return new OutputValue(shown, json, tone, more, moving);
    }

    /** Returns this value, which changes with the time alone. */
    public OutputValue passing() {
        return new OutputValue(shown, json, tone, fields, true);
    }

    public OutputValue good() {
        return new OutputValue(shown, json, Tone.GOOD, fields, moving);
    }

    public OutputValue bad() {
        return new OutputValue(shown, json, Tone.BAD, fields, moving);
    }

    /** Adds this value to the JSON object {@code row}, as its fields or under {@code column}. */
    void addTo(Map<String, String> row, String column) {
        if (fields.isEmpty()) {
            row.put(column, json);
        } else {
            row.putAll(fields);
        }
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
