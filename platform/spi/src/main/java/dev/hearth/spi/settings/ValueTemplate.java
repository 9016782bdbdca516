package dev.hearth.spi.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A value as it was written: words, and references to other settings; those to the environment are filled in. Immutable. */
record ValueTemplate(String written, List<Part> parts) {
    /** {@code ${name}}, and {@code $${name}} for the same as plain words. */
    private static final Pattern REFERENCE = Pattern.compile("(\\$?)\\$\\{([^${}\\s]+)\\}");

    private static final String ENVIRONMENT = "env:";

    ValueTemplate {
        parts = List.copyOf(parts);
    }

    /** A piece of a value. */
    record Part(Kind kind, String text) {}

    /** What a piece is. */
    enum Kind {
        WORDS,
        /** A reference to the setting of that key. */
        KEY,
        /** A reference to a variable of the environment that holds a secret; here with its value. */
        SECRET,
        /** A reference to a variable of the environment that is not set. */
        UNSET
    }

    /** A value without references, whatever it looks like. */
    static ValueTemplate literal(String text) {
        return new ValueTemplate(text, List.of(new Part(Kind.WORDS, text)));
    }

    static ValueTemplate parse(String text, Function<String, Optional<String>> environment) {
        if (!text.contains("${")) {
            return literal(text);
        }
        List<Part> parts = new ArrayList<>();
        Matcher matcher = REFERENCE.matcher(text);
        int end = 0;
        while (matcher.find()) {
            words(parts, text.substring(end, matcher.start()));
            end = matcher.end();
            String name = matcher.group(2);
            if (!matcher.group(1).isEmpty()) {
                words(parts, "${" + name + "}");
            } else if (name.startsWith(ENVIRONMENT)) {
                parts.add(variable(name.substring(ENVIRONMENT.length()), environment));
            } else {
                parts.add(new Part(Kind.KEY, Settings.keyOf(name)));
            }
        }
        words(parts, text.substring(end));
        return new ValueTemplate(text, parts);
    }

    private static Part variable(String name, Function<String, Optional<String>> environment) {
        Kind kind = Secrets.isSecret(name) ? Kind.SECRET : Kind.WORDS;
        return environment.apply(name).map(value -> new Part(kind, value)).orElse(new Part(Kind.UNSET, name));
    }

    private static void words(List<Part> parts, String text) {
        if (!text.isEmpty()) {
            parts.add(new Part(Kind.WORDS, text));
        }
    }
}
