package dev.hearth.spi.settings;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Value of a setting as written: literal text and references to other settings. References to environment variables are
 * already resolved. Immutable.
 */
record ValueTemplate(String written, List<Part> parts) {
    /**
     * Reference {@code ${name}}; with a second dollar sign, {@code $${name}} stands for the literal text {@code
     * ${name}}.
     */
    private static final Pattern REFERENCE = Pattern.compile("(\\$?)\\$\\{([^${}\\s]+)\\}");

    private static final String ENVIRONMENT = "env:";

    ValueTemplate {
        parts = List.copyOf(parts);
    }

    /** Part of the value of a setting, of one {@code kind}: literal text, one reference, or one secret. */
    record Part(Kind kind, String text) {}

    /** Kind of a part of a value: literal text (words), a reference, or the secret of an environment variable. */
    enum Kind {
        WORDS,
        /** Reference to a setting; the text of the part is the key of that setting. */
        KEY,
        /** Value that was read from an environment variable whose name marks it as a secret. */
        SECRET,
        /** Reference to an environment variable that is not set. */
        UNSET
    }

    /** Template of the literal value {@code text}, in which references are not recognised. */
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

    /** Names of all environment variables that this value refers to, whether the variables are set or not. */
    Set<String> variables() {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = REFERENCE.matcher(written);
        while (matcher.find()) {
            String name = matcher.group(2);
            if (matcher.group(1).isEmpty() && name.startsWith(ENVIRONMENT)) {
                names.add(name.substring(ENVIRONMENT.length()));
            }
        }
        return names;
    }

    /** Whether this value, as written, contains literal text beside references. */
    boolean hasWords() {
        return !REFERENCE.matcher(written).replaceAll("").isBlank();
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
