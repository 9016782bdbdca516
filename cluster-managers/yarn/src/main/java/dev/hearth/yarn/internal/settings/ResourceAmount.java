package dev.hearth.yarn.internal.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amount of a resource type of YARN, such as {@code 2}, {@code 2G} or {@code 2 Ki}. Immutable. */
public record ResourceAmount(long value, String unit) {
    /** End of the settings that hold amounts. */
    public static final String SUFFIX = ".amount";

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})\\s*([A-Za-z]*)");
    /** Units of YARN, as factors; binary ones end with i. */
    private static final Map<String, Long> UNITS = units();

    /** Reads a text; empty if it is no amount with a unit of YARN. */
    public static Optional<ResourceAmount> parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        return matcher.matches() && UNITS.containsKey(matcher.group(2))
                ? Optional.of(new ResourceAmount(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }

    /** The amount without a unit. */
    public long total() {
        return value * UNITS.getOrDefault(unit, 1L);
    }

    private static Map<String, Long> units() {
        Map<String, Long> units = new LinkedHashMap<>();
        long decimal = 1;
        long binary = 1;
        for (String unit : new String[] {"", "k", "M", "G", "T", "P"}) {
            units.put(unit, decimal);
            units.put((unit.equals("k") ? "K" : unit) + "i", binary);
            decimal *= 1000;
            binary *= 1024;
        }
        units.remove("i");
        return units;
    }
}
