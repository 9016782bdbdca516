package dev.hearth.spi.settings;

import java.util.regex.Pattern;

/** Recognises secrets by the name of the setting. No other class decides which values are hidden from display. */
public final class Secrets {
    /** Replacement text of a secret. */
    public static final String HIDDEN = "(hidden)";

    private static final String WORDS =
            "secret|passw(?:or)?d|passphrase|token|credential|(?:access|api|private)[._-]?key";
    private static final Pattern NAME = Pattern.compile("(?i)" + WORDS);
    /** Name of a secret inside the value of another setting, such as {@code -Dstore.password=x}. */
    private static final Pattern INSIDE = Pattern.compile("(?i)(?:" + WORDS + ")[\\w.-]*[=:]");

    /** Password in a URL, such as {@code jdbc:x://user:password@host}. */
    private static final Pattern IN_ADDRESS = Pattern.compile("://[^/@\\s:]*:[^/@\\s]+@");

    private Secrets() {}

    /** Whether a setting of this name is a secret. */
    public static boolean isSecret(String name) {
        return NAME.matcher(name).find();
    }

    /** Value of a setting for display. */
    public static String shown(String name, String value) {
        return isSecret(name)
                        || INSIDE.matcher(value).find()
                        || IN_ADDRESS.matcher(value).find()
                ? HIDDEN
                : value;
    }
}
