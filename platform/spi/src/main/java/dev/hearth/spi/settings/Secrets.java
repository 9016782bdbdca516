package dev.hearth.spi.settings;

import java.util.regex.Pattern;

/** Which settings are never shown, by their names: the one place that says so. */
public final class Secrets {
    /** What is shown instead of a secret. */
    public static final String HIDDEN = "(hidden)";

    private static final String WORDS =
            "secret|passw(?:or)?d|passphrase|token|credential|(?:access|api|private)[._-]?key";
    private static final Pattern NAME = Pattern.compile("(?i)" + WORDS);
    /** A value such as {@code -Dstore.password=x}, where the name stands inside. */
    private static final Pattern INSIDE = Pattern.compile("(?i)(?:" + WORDS + ")[\\w.-]*[=:]");

    /** An address such as {@code jdbc:x://user:password@host}. */
    private static final Pattern IN_ADDRESS = Pattern.compile("://[^/@\\s:]*:[^/@\\s]+@");

    private Secrets() {}

    /** Whether whatever has this name is a secret. */
    public static boolean isSecret(String name) {
        return NAME.matcher(name).find();
    }

    /** The value of a setting as people may see it. */
    public static String shown(String name, String value) {
        return isSecret(name)
                        || INSIDE.matcher(value).find()
                        || IN_ADDRESS.matcher(value).find()
                ? HIDDEN
                : value;
    }
}
