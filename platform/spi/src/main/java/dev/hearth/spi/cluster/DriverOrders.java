package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Launch orders, which are key-value pairs passed to a new process, for the role {@code driver}: the application to run
 * and its settings. The cluster manager writes them, and the driver process reads them.
 */
public final class DriverOrders {
    private static final String PREFIX = "hearth.submission.";
    private static final String ID = PREFIX + "id";
    private static final String MAIN_CLASS = PREFIX + "mainClass";
    private static final String JAR = PREFIX + "jar";
    private static final String ARGUMENT = PREFIX + "argument.";
    private static final String JARS = "hearth.jars";
    private static final String NAME = "hearth.app.name";

    private DriverOrders() {}

    /**
     * Creates the launch orders to run {@code plan} under the id {@code submission}. The orders include the settings of
     * the plan.
     */
    public static Map<String, String> of(SubmissionId submission, SubmissionPlan plan) {
        Map<String, String> orders = new LinkedHashMap<>(plan.settings().values());
        if (!plan.jars().isEmpty()) {
            orders.put(JARS, String.join(",", plan.jars()));
        }
        orders.put(ID, submission.value());
        orders.put(MAIN_CLASS, plan.mainClass());
        orders.put(JAR, plan.applicationJar());
        for (int i = 0; i < plan.arguments().size(); i++) {
            orders.put(ARGUMENT + i, plan.arguments().get(i));
        }
        return orders;
    }

    /**
     * Reads from {@code orders} the application that this driver process is to run. The settings in the orders override
     * {@code installation}, the settings of the installation.
     */
    public static SubmissionPlan plan(Map<String, String> orders, Settings installation) {
        Map<String, String> values = new LinkedHashMap<>(orders);
        values.keySet().removeIf(key -> key.startsWith(PREFIX));
        Settings settings = installation.with("submission", values);
        String mainClass = order(orders, MAIN_CLASS);
        List<String> jars = Arrays.stream(settings.find(JARS).orElse("").split(",", -1))
                .map(String::trim)
                .filter(jar -> !jar.isEmpty())
                .toList();
        return new SubmissionPlan(
                settings.find(NAME).orElse(mainClass),
                mainClass,
                order(orders, JAR),
                jars,
                arguments(orders),
                settings);
    }

    private static List<String> arguments(Map<String, String> orders) {
        List<String> arguments = new ArrayList<>();
        for (String argument = orders.get(ARGUMENT + 0);
                argument != null;
                argument = orders.get(ARGUMENT + arguments.size())) {
            arguments.add(argument);
        }
        return arguments;
    }

    private static String order(Map<String, String> orders, String key) {
        String value = orders.get(key);
        if (value == null) {
            throw ErrorCode.BAD_ARGUMENT.failure("start parameter of the driver, " + key
                    + ": missing (expected: a value from the cluster manager); start the driver with bin/submit"
                    + " --deploy-mode cluster");
        }
        return value;
    }
}
