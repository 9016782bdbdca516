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

    /** Text in values of labels and annotations that stands for the id of the application. */
    static final String APPLICATION_ID = "{{APP_ID}}";
    /** Text in values of labels and annotations of executors that stands for the number of the executor. */
    static final String EXECUTOR_ID = "{{EXECUTOR_ID}}";

    private static final String SAMPLE_ID = "spark-0123456789abcdef0123456789abcdef";
    private static final int VALUE_MAX = 63;
    private static final Set<String> RESERVED =
            Set.of(APPLICATION, APPLICATION_NAME, ROLE, PROFILE, VERSION, EXECUTOR, "spark-exec-inactive");

    private PodLabels() {}

    static boolean isReserved(String key) {
        return RESERVED.contains(key) || key.startsWith("hearth.dev/");
    }

    /** Whether {@code key} is the key of a label that Hearth does not set itself. */
    public static boolean isFree(String key) {
        return PodSettings.isKey(key) && !isReserved(key);
    }

    /** Whether {@code value} is a value of a label once the ids are filled in. */
    public static boolean isValue(String value) {
        String filled = value.replace(APPLICATION_ID, SAMPLE_ID).replace(EXECUTOR_ID, "10000");
        return PodSettings.LABEL_VALUE.matcher(filled).matches();
    }

    /** The name of an application as the value of a label: other characters become hyphens. */
    static String value(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-");
        String cut = plain.substring(0, Math.min(plain.length(), VALUE_MAX));
        return cut.replaceAll("^-+|-+$", "");
    }

    /** An image with the version of Hearth in place of the words that Spark and Hearth have for it. */
    static String image(String image, String version) {
        return image.replace("{{HEARTH_VERSION}}", version).replace("{{SPARK_VERSION}}", version);
    }

    /** The beginning of the names of an application's objects, of at most {@code max} characters. */
    static String namePrefix(String application, int max) {
        String plain = value(application);
        String begun = plain.isEmpty() || !Character.isLetter(plain.charAt(0)) ? "hearth-" + plain : plain;
        return begun.substring(0, Math.min(begun.length(), max)).replaceAll("-+$", "");
    }
}
