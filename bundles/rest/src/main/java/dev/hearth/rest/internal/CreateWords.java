package dev.hearth.rest.internal;

import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Command line, settings and environment that a request to run an application means. {@code ignored} are the names of
 * properties without effect. Immutable.
 */
record CreateWords(List<String> arguments, Settings settings, Map<String, String> environment, List<String> ignored) {
    private static final String ORIGIN = "sparkProperties";
    private static final String NO_JAR = "spark-internal";
    private static final String MASTER = "hearth.master";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(.+)}}", Pattern.DOTALL);
    private static final Set<String> MODES = Set.of("spark.submit.deployMode", "hearth.submit.deployMode");
    private static final Set<String> MASTERS = Set.of("spark.master", MASTER);

    /** Variables that describe the machine of the submitter. */
    private static final Set<String> LEFT = Set.of("SPARK_LOCAL_IP", "SPARK_LOCAL_HOSTNAME");

    /**
     * Context of a request: the bounds, and the environment of this process. {@code master} converts the master that the
     * request names, if any, to that of the submission.
     */
    record Context(
            RestSettings settings,
            Map<String, String> environment,
            Function<Optional<String>, Optional<String>> master) {
        /** Replaces {@code {{NAME}}} by the variable of that name, if the settings name it and it is set. */
        String filled(String value) {
            Matcher placeholder = PLACEHOLDER.matcher(value);
            return placeholder.matches() && settings.environment().contains(placeholder.group(1))
                    ? environment.getOrDefault(placeholder.group(1), value)
                    : value;
        }
    }

    static CreateWords of(CreateRequest request, Context context) throws V1Refusal {
        List<Pattern> allowed = context.settings().resources();
        if (!allowed.isEmpty()
                && allowed.stream()
                        .noneMatch(pattern ->
                                pattern.matcher(request.appResource()).matches())) {
            throw V1Refusal.malformed(V1Texts.NO_RESOURCE);
        }
        Map<String, String> properties = new LinkedHashMap<>();
        List<String> ignored = new ArrayList<>();
        request.properties().forEach((key, value) -> {
            if (!key.startsWith("spark.") && !key.startsWith(Settings.PREFIX)) {
                ignored.add(PrintableText.line(key));
            } else if (!MODES.contains(key) && !MASTERS.contains(key)) { // each request is for cluster mode
                properties.put(key, context.filled(value));
            }
        });
        Settings settings = Settings.empty().with(ORIGIN, properties);
        Optional<String> given = MASTERS.stream()
                .filter(request.properties()::containsKey)
                .map(request.properties()::get)
                .map(context::filled)
                .findFirst();
        Optional<String> master = context.master().apply(given);
        if (master.isPresent()) {
            settings = settings.with(ORIGIN, MASTER, master.get());
        }
        Map<String, String> environment = new LinkedHashMap<>();
        request.environment().forEach((name, value) -> {
            if (!LEFT.contains(name)) {
                environment.put(name, context.filled(value));
            }
        });
        return new CreateWords(arguments(request), settings, environment, ignored);
    }

    private static List<String> arguments(CreateRequest request) throws V1Refusal {
        List<String> words = new ArrayList<>();
        if (request.mainClass().equals(V1Texts.SUBMIT_CLASS)) { // the arguments are a command line themselves
            words.addAll(request.arguments());
            return words;
        }
        String resource = request.appResource().isBlank() ? NO_JAR : request.appResource();
        if (resource.startsWith("-")) {
            throw V1Refusal.malformed("appResource: '" + resource + "' (expected: the address of a jar)");
        }
        if (!request.mainClass().isBlank()) {
            words.add("--class=" + request.mainClass());
        }
        words.add(resource);
        words.addAll(request.arguments());
        return words;
    }
}
