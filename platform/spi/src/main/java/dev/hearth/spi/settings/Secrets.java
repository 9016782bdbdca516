package dev.hearth.spi.settings;

import java.util.regex.Pattern;

/**
 * Recognises settings whose values are secrets, by the name of the setting or the form of the value. No other class
 * decides which values are hidden from display.
 */
public final class Secrets {
    /** Text that is displayed in place of a secret. */
    public static final String HIDDEN = "(hidden)";

    private static final String WORDS =
            "secret|passw(?:or)?d|passphrase|token|credential|(?:access|api|private)[._-]?key";
    private static final Pattern NAME = Pattern.compile("(?i)" + WORDS);
    /** Pattern of the name of a setting whose value is a path, such as that of a file with a secret. */
    private static final Pattern PATH_NAME =
            Pattern.compile("(?:^|[._-])(?i:file|path|dir|directory)$|(?:File|Path|Dir)$");
    /** Pattern of a secret assigned inside the value of another setting, such as {@code -Dstore.password=x}. */
    private static final Pattern INSIDE = Pattern.compile("(?i)(?:" + WORDS + ")[\\w.-]*[=:]");

    /** Pattern of a URL that contains a password, such as {@code jdbc:x://user:password@host}. */
    private static final Pattern IN_ADDRESS = Pattern.compile("://[^/@\\s:]*:[^/@\\s]+@");

    /** Pattern of the user and the password in a URL. */
    private static final Pattern USER = Pattern.compile("://[^/?#@\\s]*@");
    /** Pattern of a query in a URL, without the hash of the file. */
    private static final Pattern QUERY = Pattern.compile("\\?(?!sha256=[0-9a-fA-F]{64}(?:#|$))[^#]*");

    private Secrets() {}

    /** The text to display for the address of a file: without a user, a password, and a query, which may be a signature. */
    public static String shownAddress(String address) {
        return QUERY.matcher(USER.matcher(address).replaceFirst("://" + HIDDEN + "@"))
                .replaceFirst("?" + HIDDEN);
    }

    /** Whether the value of a setting named {@code name} is a secret. */
    public static boolean isSecret(String name) {
        return NAME.matcher(name).find();
    }

    /**
     * Whether {@code name} is that of a path. Its value is displayed, because a wrong path cannot be found otherwise, but
     * reaches as few processes as the secret itself.
     */
    static boolean isPath(String name) {
        return PATH_NAME.matcher(name).find();
    }

    /**
     * The text to display for the value of setting {@code name}: {@link #HIDDEN} if {@code value} is or contains a
     * secret. An empty value is displayed as it is, since there is no secret.
     */
    public static String shown(String name, String value) {
        return (isSecret(name) && !isPath(name) && !value.isEmpty())
                        || INSIDE.matcher(value).find()
                        || IN_ADDRESS.matcher(value).find()
                ? HIDDEN
                : value;
    }
}
