package dev.hearth.yarn.internal.settings;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amount of a resource type of YARN: a whole number and a unit of YARN, such as {@code G} or {@code Ki}; an empty unit
 * stands for the number itself. Immutable.
 */
public record ResourceAmount(long value, String unit) {
    /** End of the settings that hold amounts. */
    public static final String SUFFIX = ".amount";

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");

    /** Reads a text such as {@code 2} or {@code 2 G}; empty if it has another form. */
    public static Optional<ResourceAmount> parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        return matcher.matches()
                ? Optional.of(new ResourceAmount(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }
}
