package dev.hearth.kernel.internal.inventory;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts the filters of requirements in manifests to readable text: a name and a version range. Stateless. */
final class FilterText {
    private static final Pattern LEAST = Pattern.compile("\\(version>=([^)]*)\\)");
    private static final Pattern BELOW = Pattern.compile("\\(!\\(version>=([^)]*)\\)\\)");

    private FilterText() {}

    /**
     * Converts a filter. For example, {@code (&(osgi.wiring.package=a.b)(version>=1.0)(!(version>=2.0)))} becomes
     * {@code a.b [1.0, 2.0)}.
     */
    static String of(String filter, String namespace) {
        Matcher name = Pattern.compile("\\(" + Pattern.quote(namespace) + "=([^)]*)\\)")
                .matcher(filter);
        if (!name.find()) {
            return filter;
        }
        Matcher below = BELOW.matcher(filter);
        boolean bounded = below.find();
        Matcher least = LEAST.matcher(bounded ? below.replaceAll("") : filter);
        if (!least.find()) {
            return name.group(1);
        }
        return bounded
                ? name.group(1) + " [" + least.group(1) + ", "
                        + below.reset(filter)
                                .results()
                                .findFirst()
                                .map(found -> found.group(1))
                                .orElse("") + ")"
                : name.group(1) + " " + least.group(1) + " or newer";
    }
}
