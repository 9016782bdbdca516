package dev.hearth.spi.settings;

import java.util.regex.Pattern;

/** Which settings are never shown, by their names: the one place that says so. */
public final class Secrets {
    /** What is shown instead of a secret. */
    public static final String HIDDEN = "(hidden)";

    private static final String WORDS = "secret|password|token|credential";
    private static final Pattern NAME = Pattern.compile("(?i)" + WORDS);
    /** A value such as {@code -Dstore.password=x}, where the name stands inside. */
    private static final Pattern INSIDE = Pattern.compile("(?i)(?:" + WORDS + ")[\\w.-]*[=:]");

    private Secrets() {}

    /** Whether whatever has this name is a secret. */
    public static boolean isSecret(String name) {
        return NAME.matcher(name).find();
    }

    /** The value of a setting as people may see it. */
    public static String shown(String name, String value) {
        return isSecret(name) || INSIDE.matcher(value).find() ? HIDDEN : value;
    }
}
