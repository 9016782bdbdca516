package dev.hearth.spi.cluster;

import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Launch orders, which are key-value pairs passed to a new process, for the role {@code driver}: the application to run
 * and its settings. The cluster manager writes them, and the driver process reads them.
 */
public final class DriverOrders {
    /** Id of the submission, in the settings of the driver that these orders start. */
    public static final SettingKey<String> SUBMISSION_ID = SettingKey.text(
                    "hearth.driver.submissionId",
                    "",
                    "The id of the submission whose driver this is; the cluster that starts the driver sets it.")
            .obeying("an id such as driver-20260101120000-0001", text -> {
                try {
                    return text.isEmpty() || !new SubmissionId(text).value().isEmpty();
                } catch (IllegalArgumentException malformed) {
                    return false;
                }
            })
            .withoutDefault("a driver that no cluster has started");
    /** Number of the start, in the settings of the driver that these orders start. */
    public static final SettingKey<Integer> ATTEMPT = SettingKey.integer(
            "hearth.driver.attempt",
            1,
            1,
            Integer.MAX_VALUE,
            "Number of this start of the driver; the cluster that starts the driver sets it.");

    private static final String PREFIX = "hearth.submission.";
    private static final String ID = PREFIX + "id";
    private static final String TITLE = PREFIX + "name";
    private static final String MAIN_CLASS = PREFIX + "mainClass";
    /** Application jar, for drivers that do not know {@link #RESOURCE}. */
    private static final String JAR = PREFIX + "jar";
    /** Resource number N, as {@link SubmissionResource#text} writes it. */
    private static final String RESOURCE = PREFIX + "resource.";

    private static final String ARGUMENT = PREFIX + "argument.";
    private static final String SEAT = PREFIX + "seat";
    private static final String NUMBER_OF_START = PREFIX + "attempt";
    private static final String JARS = "hearth.jars";
    private static final String NAME = "hearth.app.name";

    private DriverOrders() {}

    /**
     * Creates the launch orders to run {@code plan} under the id {@code submission}. The orders include the settings of
     * the plan.
     */
    public static Map<String, String> of(SubmissionId submission, SubmissionPlan plan) {
        Map<String, String> orders = new LinkedHashMap<>(plan.settings().values());
        orders.keySet().removeIf(key -> key.startsWith(PREFIX)); // a setting of the application is no order
        orders.put(ID, submission.value());
        orders.put(TITLE, plan.name());
        if (!plan.mainClass().isEmpty()) {
            orders.put(MAIN_CLASS, plan.mainClass());
        }
        plan.applicationJar()
                .ifPresent(jar -> orders.put(JAR, jar.isPath() ? jar.path().toString() : jar.toString()));
        for (int i = 0; i < plan.resources().size(); i++) {
            orders.put(RESOURCE + i, plan.resources().get(i).text());
        }
        for (int i = 0; i < plan.arguments().size(); i++) {
            orders.put(ARGUMENT + i, plan.arguments().get(i));
        }
        return orders;
    }

    /** The same launch orders, for start number {@code attempt} of the driver. */
    public static Map<String, String> ofAttempt(Map<String, String> orders, int attempt) {
        Map<String, String> numbered = new LinkedHashMap<>(orders);
        numbered.put(NUMBER_OF_START, String.valueOf(attempt));
        return numbered;
    }

    /** The same launch orders, with which the driver runs its application between the calls of a {@link DriverSeat}. */
    public static Map<String, String> seated(Map<String, String> orders) {
        Map<String, String> seated = new LinkedHashMap<>(orders);
        seated.put(SEAT, "true");
        return seated;
    }

    /** Whether {@code orders} demand a {@link DriverSeat}. */
    public static boolean areSeated(Map<String, String> orders) {
        return Boolean.parseBoolean(orders.getOrDefault(SEAT, "false"));
    }

    /**
     * Reads from {@code orders} the application that this driver process is to run. The settings in the orders override
     * {@code installation}, the settings of the installation.
     */
    public static SubmissionPlan plan(Map<String, String> orders, Settings installation) {
        Map<String, String> values = new LinkedHashMap<>(orders);
        values.keySet().removeIf(key -> key.startsWith(PREFIX));
        Optional.ofNullable(orders.get(ID)).ifPresent(id -> values.put(SUBMISSION_ID.name(), id));
        Optional.ofNullable(orders.get(NUMBER_OF_START)).ifPresent(number -> values.put(ATTEMPT.name(), number));
        Settings settings = installation.with("submission", values);
        List<SubmissionResource> resources = orders.containsKey(RESOURCE + 0)
                ? numbered(orders, RESOURCE).stream()
                        .map(SubmissionResource::parse)
                        .toList()
                : olderResources(orders, settings);
        String mainClass = orders.getOrDefault(MAIN_CLASS, "");
        if (mainClass.isEmpty() && resources.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("start parameter of the driver, " + MAIN_CLASS
                    + ": missing (expected: a value from the cluster manager, or from the file of --orders); start the"
                    + " driver with bin/submit --deploy-mode cluster");
        }
        String name = orders.getOrDefault(TITLE, settings.find(NAME).orElse(mainClass));
        return SubmissionPlan.builder(name, mainClass)
                .resources(resources)
                .arguments(numbered(orders, ARGUMENT))
                .settings(settings)
                .build();
    }

    /** The resources in orders that name the application jar alone; settings name all other resources. */
    private static List<SubmissionResource> olderResources(Map<String, String> orders, Settings settings) {
        List<SubmissionResource> resources = new ArrayList<>();
        Optional.ofNullable(orders.get(JAR))
                .ifPresent(jar -> resources.add(SubmissionResource.of(Kind.APPLICATION_JAR, jar)));
        Stream.of(settings.find(JARS).orElse("").split(","))
                .map(String::trim)
                .filter(jar -> !jar.isEmpty())
                .forEach(jar -> resources.add(SubmissionResource.of(Kind.JAR, jar)));
        return resources;
    }

    private static List<String> numbered(Map<String, String> orders, String prefix) {
        List<String> values = new ArrayList<>();
        for (String value = orders.get(prefix + 0); value != null; value = orders.get(prefix + values.size())) {
            values.add(value);
        }
        return values;
    }
}
