package dev.hearth.rest.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Types of the properties that Spark checks when it receives a request. Stateless. */
final class PropertyTypes {
    private static final List<String> BOOLEANS = List.of("spark.driver.supervise");
    private static final List<String> NUMBERS = List.of("spark.driver.cores", "spark.cores.max");
    private static final List<String> SIZES = List.of("spark.driver.memory", "spark.executor.memory");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,9}");
    private static final Pattern SIZE = Pattern.compile("\\d{1,18}(b|k|kb|m|mb|g|gb|t|tb|p|pb)?");

    private PropertyTypes() {}

    /** Refuses a request with a property that has not the type of its key. */
    static void check(Map<String, String> properties) throws V1Refusal {
        for (String key : BOOLEANS) {
            String value = properties.getOrDefault(key, "true");
            require(value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"), key, "boolean", value);
        }
        for (String key : NUMBERS) {
            String value = properties.getOrDefault(key, "1");
            require(NUMBER.matcher(value).matches(), key, "numeric", value);
        }
        for (String key : SIZES) {
            String value = properties.getOrDefault(key, "1g");
            require(SIZE.matcher(value.toLowerCase(Locale.ROOT).strip()).matches(), key, "memory", value);
        }
    }

    private static void require(boolean holds, String key, String type, String value) throws V1Refusal {
        if (!holds) {
            throw V1Refusal.malformed(V1Texts.notOfType(key, type, value));
        }
    }
}
