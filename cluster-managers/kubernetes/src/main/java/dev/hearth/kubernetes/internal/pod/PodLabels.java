package dev.hearth.kubernetes.internal.pod;

import java.util.Locale;
import java.util.Set;

/** Labels that Hearth sets, with the names that dashboards and policies for Spark select by. Pure. */
public final class PodLabels {
    public static final String APPLICATION = "spark-app-selector";
    public static final String APPLICATION_NAME = "spark-app-name";
    public static final String ROLE = "spark-role";
    public static final String PROFILE = "spark-exec-resourceprofile-id";
    public static final String VERSION = "spark-version";
    public static final String EXECUTOR = "spark-exec-id";

    private static final int VALUE_MAX = 63;
    private static final Set<String> RESERVED =
            Set.of(APPLICATION, APPLICATION_NAME, ROLE, PROFILE, VERSION, EXECUTOR, "spark-exec-inactive");

    private PodLabels() {}

    static boolean isReserved(String key) {
        return RESERVED.contains(key) || key.startsWith("hearth.dev/");
    }

    /** The name of an application as the value of a label: other characters become hyphens. */
    static String value(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-");
        String cut = plain.substring(0, Math.min(plain.length(), VALUE_MAX));
        return cut.replaceAll("^-+|-+$", "");
    }

    /** The beginning of the names of an application's objects, of at most {@code max} characters. */
    static String namePrefix(String application, int max) {
        String plain = value(application);
        String begun = plain.isEmpty() || !Character.isLetter(plain.charAt(0)) ? "hearth-" + plain : plain;
        return begun.substring(0, Math.min(begun.length(), max)).replaceAll("-+$", "");
    }
}
