package dev.hearth.shell.gogo.text;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Orders in which the command {@code sort} puts lines. Stateless. */
final class LineOrder {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");

    private LineOrder() {}

    static Comparator<String> of(FilterOptions options) {
        int field = options.number('k', 0);
        Comparator<String> byKey = options.has('n')
                ? Comparator.comparingDouble(line -> number(key(line, field)))
                : Comparator.comparing(line -> key(line, field));
        Comparator<String> order = options.has('u') ? byKey : byKey.thenComparing(Comparator.naturalOrder());
        return options.has('r') ? order.reversed() : order;
    }

    /** Returns the field number {@code field} of a line, counted from 1, or the whole line for 0. */
    private static String key(String line, int field) {
        if (field == 0) {
            return line;
        }
        String[] fields = BLANKS.split(line.strip(), -1);
        return field <= fields.length ? fields[field - 1] : "";
    }

    /** Returns the number at the start of a text; text without a number comes first. */
    private static double number(String text) {
        Matcher matcher = NUMBER.matcher(text.strip());
        return matcher.lookingAt() ? Double.parseDouble(matcher.group()) : Double.NEGATIVE_INFINITY;
    }
}
